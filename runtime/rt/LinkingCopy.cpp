//===- LinkingCopy.cpp - What stays of a copy that went -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule R3 at run time: sync(c). A copy whose sides are one block moves nothing,
// but it made the host wait, or it ordered other streams; that must stay. It
// is decided from the kind of the copy and its stream alone. It may wait for
// more than the copy did, never for less.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Account.h"
#include "runtime/rt/CudaScope.h"

using namespace echo::rt;

namespace echo::rt {

static constexpr int MaxDevices = 16;
static constexpr unsigned MaxSpare = 64;

namespace {
/// One event per device for each thread, made when first needed.
struct ThreadEvents {
  uint32_t Era;
  bool Armed; ///< the thread gives its events back when it ends
  cudaEvent_t Of[MaxDevices];
};
/// Events of threads that ended.
struct SpareEvents {
  unsigned Count;
  cudaEvent_t Events[MaxSpare];
};
} // namespace

static __thread ThreadEvents Events;
static Mutex EventLock;
static SpareEvents Spare[MaxDevices];
static pthread_key_t ThreadEndKey;
static pthread_once_t ThreadEndOnce = PTHREAD_ONCE_INIT;

void lockEvents() { EventLock.lock(); }
void unlockEvents() { EventLock.unlock(); }
void forgetInheritedEvents() {
  for (SpareEvents &S : Spare)
    S.Count = 0;
}

static void giveEventsBack(void *) {
  if (Events.Era != forkEra())
    return;
  for (int Device = 0; Device != MaxDevices; ++Device) {
    cudaEvent_t Event = Events.Of[Device];
    Events.Of[Device] = nullptr;
    if (!Event)
      continue;
    {
      Guard G(EventLock);
      SpareEvents &S = Spare[Device];
      if (S.Count != MaxSpare) {
        S.Events[S.Count++] = Event;
        continue;
      }
    }
    ErrorScope Errors;
    cudaEventDestroy(Event);
  }
}

static void armThreadEnd() {
  if (Events.Armed)
    return;
  pthread_once(&ThreadEndOnce,
               [] { pthread_key_create(&ThreadEndKey, giveEventsBack); });
  Events.Armed = pthread_setspecific(ThreadEndKey, &Events) == 0;
}

/// This thread's event of the current device \p Device, or null.
static cudaEvent_t eventOf(int Device) {
  if (Device < 0 || Device >= MaxDevices)
    return nullptr;
  if (Events.Era != forkEra())
    Events = {forkEra(), Events.Armed, {}};
  cudaEvent_t &Event = Events.Of[Device];
  if (Event)
    return Event;
  armThreadEnd();
  {
    Guard G(EventLock);
    SpareEvents &S = Spare[Device];
    if (S.Count)
      return Event = S.Events[--S.Count];
  }
  ErrorScope Errors;
  if (cudaEventCreateWithFlags(&Event, EventDisableTiming) != CudaSuccess)
    Event = nullptr;
  return Event;
}

/// The handle is dead: the device was reset, or (for a stream) the stream
/// belongs to another device.
static bool isStaleHandle(cudaError_t Error) {
  return Error == CudaErrorInvalidResourceHandle ||
         Error == CudaErrorContextIsDestroyed;
}

/// Records the thread's event of the current device in \p Stream; null in
/// *Event if there is none to wait for.
static cudaError_t recordOnCurrent(cudaStream_t Stream, cudaEvent_t *Event) {
  int Device = 0;
  *Event = nullptr;
  if (cudaError_t Error = cudaGetDevice(&Device))
    return Error;
  for (int Try = 0;; ++Try) {
    cudaEvent_t Mine = eventOf(Device);
    if (!Mine)
      return cudaStreamSynchronize(Stream);
    // An error that the second try repairs must not stay pending.
    bool Pending = cudaPeekAtLastError() != CudaSuccess;
    cudaError_t Error = cudaEventRecord(Mine, Stream);
    if (!Error) {
      *Event = Mine;
      return CudaSuccess;
    }
    if (!isStaleHandle(Error) || Try)
      return Error;
    if (!Pending)
      cudaGetLastError();
    Events.Of[Device] = nullptr;
  }
}

/// Records where the copy stood. A stream of another device than the current
/// one takes events of its own device only, so the others are tried.
static cudaError_t record(cudaStream_t Stream, cudaEvent_t *Event) {
  bool Pending = cudaPeekAtLastError() != CudaSuccess;
  cudaError_t Error = recordOnCurrent(Stream, Event);
  if (!isStaleHandle(Error))
    return Error;
  int Before = 0;
  if (cudaGetDevice(&Before) != CudaSuccess)
    return Error;
  for (int Device = 0; Device != MaxDevices && Error; ++Device) {
    if (Device == Before)
      continue;
    if (cudaSetDevice(Device) != CudaSuccess)
      break;
    cudaError_t Other = recordOnCurrent(Stream, Event);
    if (!Other && !Pending)
      cudaGetLastError();
    if (!Other)
      Error = CudaSuccess;
  }
  cudaSetDevice(Before);
  return Error;
}

/// Makes the host wait for all work that a copy in \p Stream would have waited
/// for. An event, not cudaStreamSynchronize: on a blocking stream that is
/// empty, the latter returns although work of the legacy stream runs that the
/// copy would have followed; a recorded event takes its place in the order.
static cudaError_t waitWhereCopyStood(cudaStream_t Stream) {
  if (Stream == streamLegacy()) {
    // The legacy stream answers cudaStreamQuery for every blocking stream of
    // the context, per-thread ones too (seen on an H200: NotReady while only
    // another blocking stream works), so "nothing in flight" is as strong as
    // the wait. Other streams do not answer for the legacy one.
    bool Pending = cudaPeekAtLastError() != CudaSuccess;
    cudaError_t State = Pending ? CudaErrorNotReady : cudaStreamQuery(Stream);
    if (State != CudaErrorNotReady)
      return State;
    // Some runtimes keep "not ready" as the last error; the copy would not.
    if (!Pending && cudaPeekAtLastError() == CudaErrorNotReady)
      cudaGetLastError();
  }
  cudaEvent_t Event;
  if (cudaError_t Error = record(Stream, &Event))
    return Error;
  return Event ? cudaEventSynchronize(Event) : CudaSuccess;
}

} // namespace echo::rt

extern "C" __attribute__((visibility("default"))) int32_t
echort_linking_copy(EchoGroup *group, uint32_t copy, void *stream, size_t bytes,
                    uint32_t flags) {
  if (!(flags & ECHO_COPY_KEPT))
    countCopy(bytes);
  if (flags & ECHO_COPY_IDLE)
    return CudaSuccess;
  if (!stream)
    stream = flags & ECHO_COPY_PER_THREAD ? streamPerThread() : streamLegacy();
  if (copy != ECHO_COPY_ASYNC_PINNED) {
    countWait();
    return waitWhereCopyStood(stream);
  }
  // In the legacy stream the copy ordered work of two other streams. In a
  // blocking stream it followed the legacy stream's work, so that a later wait
  // for its own stream covered that work too. A marker keeps both.
  countWait();
  cudaEvent_t Marker;
  return record(stream, &Marker);
}
