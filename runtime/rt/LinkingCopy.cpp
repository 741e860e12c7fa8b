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
#include "runtime/rt/Block.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/OtherUnits.h"
#include "runtime/rt/RealCopy.h"
#include "runtime/rt/Support.h"
#include "runtime/rt/Upload.h"
#include "runtime/rt/Waits.h"
#include "runtime/rt/Watch.h"

using namespace echo::rt;

namespace echo::rt {

static constexpr int MaxDevices = 16;

/// Records a new event of the current device in \p Stream; null in *Event if
/// there is none to wait for. The event is the caller's. None is kept for the
/// next time: a reset of the device would leave a handle that is dead, or that
/// the program's next event gets.
static cudaError_t recordOnCurrent(cudaStream_t Stream, cudaEvent_t *Event) {
  cudaEvent_t Mine = nullptr;
  *Event = nullptr;
  {
    ErrorScope Errors;
    if (cudaEventCreateWithFlags(&Mine, EventDisableTiming) != CudaSuccess)
      Mine = nullptr;
  }
  if (!Mine)
    return cudaDeviceSynchronize(); // more than the copy waited for
  cudaError_t Error = cudaEventRecord(Mine, Stream);
  if (!Error) {
    *Event = Mine;
    return CudaSuccess;
  }
  ErrorScope Errors;
  cudaEventDestroy(Mine);
  return Error;
}

/// Records where the copy stood. A stream of another device than the current
/// one takes events of its own device only, so the others are tried.
static cudaError_t record(cudaStream_t Stream, cudaEvent_t *Event) {
  bool Pending = cudaPeekAtLastError() != CudaSuccess;
  cudaError_t Error = recordOnCurrent(Stream, Event);
  if (Error != CudaErrorInvalidResourceHandle)
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

/// Hands \p Use an event that was recorded where the copy stood, if there is
/// one; then gives it back. What was recorded stays.
template <typename Fn>
static cudaError_t withEvent(cudaStream_t Stream, Fn Use) {
  cudaEvent_t Event;
  cudaError_t Error = record(Stream, &Event);
  if (Error || !Event)
    return Error;
  Error = Use(Event);
  ErrorScope Errors;
  cudaEventDestroy(Event);
  return Error;
}

/// CUDA writes what kernels printed at blocking copies and waits, not at
/// queries
/// ("Formatted Output" in its programming guide). So a blocking copy whose work
/// a query found done ends with a wait that returns at once.
static bool writesDevicePrintf(uint32_t Copy) {
  return Copy == ECHO_COPY_H2D_SYNC || Copy == ECHO_COPY_D2H_SYNC;
}

/// Makes the host wait for all work that a copy in \p Stream would have waited
/// for. An event, not cudaStreamSynchronize: on a blocking stream that is
/// empty, the latter returns although work of the legacy stream runs that the
/// copy would have followed; a recorded event takes its place in the order.
static cudaError_t waitWhereCopyStood(uint32_t Copy, cudaStream_t Stream) {
  if (Stream == streamLegacy()) {
    // The legacy stream answers cudaStreamQuery for every blocking stream of
    // the context, per-thread ones too (seen on an H200: NotReady while only
    // another blocking stream works), so "nothing in flight" is as strong as
    // the wait. Other streams do not answer for the legacy one.
    bool Pending = cudaPeekAtLastError() != CudaSuccess;
    cudaError_t State = Pending ? CudaErrorNotReady : cudaStreamQuery(Stream);
    if (State == CudaSuccess && writesDevicePrintf(Copy))
      return cudaStreamSynchronize(Stream);
    if (State != CudaErrorNotReady)
      return State;
    // Some runtimes keep "not ready" as the last error; the copy would not.
    if (!Pending && cudaPeekAtLastError() == CudaErrorNotReady)
      cudaGetLastError();
  }
  return withEvent(Stream, cudaEventSynchronize);
}

/// Leaves what other work takes for the copy: what the copy followed is done
/// before what follows it, and before a wait for its stream ends. A recorded
/// event alone is no work of its stream: on an H200 cudaStreamSynchronize does
/// not see it, and returns although the legacy stream works that the copy would
/// have followed. A wait for the event is work, and follows that.
static cudaError_t markWhereCopyStood(cudaStream_t Stream) {
  return withEvent(Stream, [Stream](cudaEvent_t Event) {
    return cudaStreamWaitEvent(Stream, Event, 0);
  });
}

/// sync(c): what a copy of kind \p Copy in \p Stream leaves of itself.
static int32_t syncOf(uint32_t Copy, cudaStream_t Stream, uint32_t Flags) {
  // Where CUDA has reported an error that stays, each copy reports it again.
  if (Flags & ECHO_COPY_IDLE && mayUseLegacyStream())
    return CudaSuccess;
  // What another thread captures in a stream of its own hinders no copy.
  RelaxedCapture Capture;
  if (!Stream)
    Stream = Flags & ECHO_COPY_PER_THREAD ? streamPerThread() : streamLegacy();
  countWait();
  if (Copy != ECHO_COPY_ASYNC_PINNED)
    return waitWhereCopyStood(Copy, Stream);
  // In the legacy stream the copy ordered work of two other streams. In a
  // blocking stream it followed the legacy stream's work, so that a later wait
  // for its own stream covered that work too. A marker keeps both.
  return markWhereCopyStood(Stream);
}

/// The same of one that returned \p Error, where others rest on its order.
static void syncIfFailed(int32_t Error, uint32_t Order, cudaStream_t Stream) {
  uint32_t Kind = Order >> ECHO_COPY_FAILED_SHIFT;
  if (Error && Kind && anyBlocks())
    syncOf(Kind - 1, Stream, Order & ~ECHO_COPY_IDLE);
}

/// A linking copy runs, of which \p Host is the host buffer or null. Queues it,
/// and returns 1 plus its cudaError_t; or 0.
static int32_t runs(EchoGroup *Group, uint32_t Order, cudaStream_t Stream,
                    void *Dst, const void *Src, size_t Bytes,
                    void *Host = nullptr) {
  if (Group)
    watchCopy(*Group, Order, Stream, Dst, Src, Bytes);
  if (!(Order & ECHO_COPY_PAGEABLE))
    return 0;
  if (!Host) {
    uint32_t Kind = Order & ECHO_COPY_KIND_MASK;
    bool Up =
        Kind == ECHO_COPY_H2D_SYNC || Kind == ECHO_COPY_H2D_ASYNC_PAGEABLE;
    Host = Up ? const_cast<void *>(Src) : Dst;
  }
  if (Order & ECHO_COPY_MAY_QUEUE)
    if (int32_t Queued = queueUpload(Group, Host, Dst, Src, Bytes)) {
      syncIfFailed(Queued - 1, Order, Stream);
      return Queued;
    }
  beforeRealCopy(*Group, Host, Bytes);
  return 0;
}

} // namespace echo::rt

#define ECHO_ENTRY extern "C"

ECHO_ENTRY int32_t echort_linking_copy(EchoGroup *group, uint32_t order,
                                       void *stream, void *dst, const void *src,
                                       size_t bytes) {
  ErrnoScope Errno;
  if (dst != src || !dst)
    return runs(group, order, stream, dst, src, bytes);
  countCopy(bytes);
  return 1 + syncOf(order & ECHO_COPY_KIND_MASK, stream, order);
}

ECHO_ENTRY int32_t echort_linking_part(EchoGroup *group, uint32_t order,
                                       void *stream, void *dst, const void *src,
                                       size_t bytes, void *block, size_t end,
                                       void *host) {
  ErrnoScope Errno;
  if (dst != src || !dst)
    return runs(group, order, stream, dst, src, bytes, host);
  bool Fits = bytes <= end && end <= deviceBytesAt(block);
  countCopy(Fits ? bytes : 0);
  int32_t Error = syncOf(order & ECHO_COPY_KIND_MASK, stream, order);
  // A copy past the end of a device buffer is an error; so is this one.
  return 1 + (Fits ? Error
                   : cudaMemcpy(nullptr, nullptr, bytes, MemcpyHostToDevice));
}

ECHO_ENTRY void echort_copy_ran(uint32_t order, void *stream, int32_t error) {
  ErrnoScope Errno;
  if (order & ECHO_COPY_PAGEABLE)
    afterRealCopy(order & ECHO_COPY_WAITED);
  syncIfFailed(error, order, stream);
}

ECHO_ENTRY void echort_wait(uint32_t wait, void *stream) {
  ErrnoScope Errno;
  // A library that is loaded later breaks no premise of pairs that merged.
  if (options().NoUnify || (!reliesOnHeld() && brokenPremise(wait)))
    return;
  ErrorScope Errors;
  if (wait & ECHO_WAIT_DEVICE)
    cudaDeviceSynchronize();
  else if (!stream && wait & ECHO_WAIT_PER_THREAD)
    cudaStreamSynchronize(streamPerThread());
  else
    cudaStreamSynchronize(stream);
}

ECHO_ENTRY int32_t echort_kept_copy(EchoGroup *, uint32_t order, void *stream) {
  ErrnoScope Errno;
  return syncOf(order & ECHO_COPY_KIND_MASK, stream, order);
}
