//===- EventApi.cpp - Events ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event names the moment when all that a stream held at its record is done.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/HandlePool.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"

#include <algorithm>

using namespace echo::cpu;

namespace {
struct Event {
  static constexpr uint64_t AliveMagic = 0x746e65764543;
  std::atomic<uint64_t> Magic{0};
  std::mutex Mutex;
  unsigned Flags = 0;
  bool Recorded = false;
  OpRef Marker;      ///< empty: it was done at the record
  uint64_t Time = 0; ///< of the record, where Marker is empty
};

/// A copy of what the last record left.
struct Moment {
  bool Recorded, Timed;
  OpRef Marker;
  uint64_t Time;
  bool done() const { return !Marker || Marker->done(); }
  uint64_t time() const { return Marker ? Marker->FinishTime : Time; }
};
} // namespace

static HandlePool<Event> &pool() {
  static auto *P = new HandlePool<Event>;
  return *P;
}

static Event *findEvent(cudaEvent_t Handle) {
  auto *E = reinterpret_cast<Event *>(Handle);
  if (!E || reinterpret_cast<uintptr_t>(E) % alignof(Event) ||
      E->Magic.load(std::memory_order_acquire) != Event::AliveMagic)
    return nullptr;
  return E;
}

static Moment momentOf(Event &E) {
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E.Mutex);
  return {E.Recorded, !(E.Flags & cudaEventDisableTiming), E.Marker, E.Time};
}

static cudaError_t create(cudaEvent_t *Out, unsigned Flags) {
  constexpr unsigned Known = cudaEventBlockingSync | cudaEventDisableTiming;
  if (!Out || (Flags & ~(Known | cudaEventInterprocess)))
    return cudaErrorInvalidValue;
  if (Flags & cudaEventInterprocess)
    return cudaErrorNotSupported;
  if (fails(Fails::Create))
    return cudaErrorMemoryAllocation;
  Event *E = pool().take();
  E->Flags = Flags;
  E->Recorded = false;
  E->Magic.store(Event::AliveMagic, std::memory_order_release);
  *Out = reinterpret_cast<cudaEvent_t>(E);
  return cudaSuccess;
}

static cudaError_t destroy(cudaEvent_t Handle) {
  Event *E = findEvent(Handle);
  if (!E)
    return cudaErrorInvalidResourceHandle;
  {
    HideSync Hide;
    std::lock_guard<std::mutex> Guard(E->Mutex);
    E->Magic.store(0);
    E->Marker = OpRef();
  }
  pool().put(E);
  return cudaSuccess;
}

static cudaError_t record(cudaEvent_t Handle, Stream *S, unsigned Flags) {
  Event *E = findEvent(Handle);
  if (!E || !S)
    return cudaErrorInvalidResourceHandle;
  if (Flags)
    return cudaErrorInvalidValue;
  bool Timed = !(E->Flags & cudaEventDisableTiming);
  OpRef Marker = recordStream(*S, Timed);
  HideSync Hide;
  std::lock_guard<std::mutex> Guard(E->Mutex);
  if (!Marker && Timed)
    E->Time = nowNs();
  E->Marker = std::move(Marker);
  E->Recorded = true;
  return cudaSuccess;
}

static cudaError_t waitEvent(Stream *S, cudaEvent_t Handle, unsigned Flags) {
  Event *E = findEvent(Handle);
  if (!E || !S)
    return cudaErrorInvalidResourceHandle;
  if (Flags > 1)
    return cudaErrorInvalidValue;
  Moment M = momentOf(*E);
  if (!M.Recorded)
    return cudaSuccess;
  if (M.done() && !underTsan())
    return cudaSuccess;
  Op *O = new Op(OpKind::Marker);
  O->TouchesMemory = false;
  submit(*S, O, M.Marker.get());
  return cudaSuccess;
}

/// Waits, if need be.
static cudaError_t settle(cudaEvent_t Handle) {
  Event *E = findEvent(Handle);
  if (!E)
    return cudaErrorInvalidResourceHandle;
  Moment M = momentOf(*E);
  if (!M.done())
    Scheduler::get().wait(M.Marker.get());
  if (M.Marker)
    orderWaitedFor(*M.Marker.get());
  kernelsSeenDone();
  return enter();
}

static cudaError_t query(cudaEvent_t Handle) {
  Event *E = findEvent(Handle);
  if (!E)
    return cudaErrorInvalidResourceHandle;
  Moment M = momentOf(*E);
  if (!M.done()) {
    if (managedIsExclusive())
      Scheduler::get().wait(M.Marker.get());
    else
      Scheduler::get().demand(M.Marker.get());
  }
  if (!M.done())
    return cudaErrorNotReady;
  return settle(Handle);
}

static cudaError_t elapsed(float *Ms, cudaEvent_t Start, cudaEvent_t End) {
  Event *A = findEvent(Start), *B = findEvent(End);
  if (!Ms)
    return cudaErrorInvalidValue;
  if (!A || !B)
    return cudaErrorInvalidResourceHandle;
  Moment From = momentOf(*A), To = momentOf(*B);
  if (!From.Recorded || !To.Recorded || !From.Timed || !To.Timed)
    return cudaErrorInvalidResourceHandle;
  if (!From.done() || !To.done())
    return cudaErrorNotReady;
  *Ms = float((double(To.time()) - double(From.time())) / 1e6);
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t *Out) {
  return api([&] { return create(Out, 0); });
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Out, unsigned Flags) {
  return api([&] { return create(Out, Flags); });
}
cudaError_t cudaEventDestroy(cudaEvent_t E) {
  return api([&] { return destroy(E); });
}

cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t S) {
  return api([&] { return record(E, findStream(S, false), 0); });
}
cudaError_t cudaEventRecord_ptsz(cudaEvent_t E, cudaStream_t S) {
  return api([&] { return record(E, findStream(S, true), 0); });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t E, cudaStream_t S,
                                     unsigned Flags) {
  return api([&] { return record(E, findStream(S, false), Flags); });
}
cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t E, cudaStream_t S,
                                          unsigned Flags) {
  return api([&] { return record(E, findStream(S, true), Flags); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t S, cudaEvent_t E, unsigned Flags) {
  return api([&] { return waitEvent(findStream(S, false), E, Flags); });
}
cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t S, cudaEvent_t E,
                                     unsigned Flags) {
  return api([&] { return waitEvent(findStream(S, true), E, Flags); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t E) {
  return api(FlushAt::Wait, [&] {
    cudaError_t Error = settle(E);
    return Error == cudaSuccess ? endOfWait() : Error;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t E) {
  return api([&] { return query(E); });
}

cudaError_t cudaEventElapsedTime(float *Ms, cudaEvent_t Start,
                                 cudaEvent_t End) {
  return api([&] { return elapsed(Ms, Start, End); });
}
cudaError_t cudaEventElapsedTime_v2(float *Ms, cudaEvent_t Start,
                                    cudaEvent_t End) {
  return api([&] { return elapsed(Ms, Start, End); });
}

} // extern "C"
