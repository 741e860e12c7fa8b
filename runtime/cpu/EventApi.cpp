//===- EventApi.cpp - Events ----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaEvent* and cudaStreamWaitEvent. In a captured stream both are graphs'
// (graphs/CaptureEvents.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Events.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Printf.h"
#include "runtime/cpu/Sanitizer.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/CaptureEvents.h"

using namespace echo::cpu;

static cudaError_t create(cudaEvent_t *Out, unsigned Flags) {
  constexpr unsigned Known = cudaEventBlockingSync | cudaEventDisableTiming;
  if (!Out || (Flags & ~(Known | cudaEventInterprocess)))
    return cudaErrorInvalidValue;
  if (Flags & cudaEventInterprocess)
    return cudaErrorNotSupported;
  if (fails(Fails::Create))
    return cudaErrorMemoryAllocation;
  *Out = reinterpret_cast<cudaEvent_t>(makeEvent(Flags));
  return cudaSuccess;
}

static cudaError_t destroy(cudaEvent_t Handle) {
  Event *E = findEvent(Handle);
  if (!E)
    return cudaErrorInvalidResourceHandle;
  dropEvent(E);
  return cudaSuccess;
}

static cudaError_t record(cudaEvent_t Handle, Stream *S, unsigned Flags) {
  Event *E = findEvent(Handle);
  if (!E || !S)
    return cudaErrorInvalidResourceHandle;
  if (Flags > cudaEventRecordExternal)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (isCapturing(*S))
    return captureRecord(Handle, *S, Flags);
  if (Flags)
    return cudaErrorIllegalState;
  setMoment(*E, recordStream(*S, E->timed()));
  return cudaSuccess;
}

static cudaError_t waitEvent(Stream *S, cudaEvent_t Handle, unsigned Flags) {
  Event *E = findEvent(Handle);
  if (!E || !S)
    return cudaErrorInvalidResourceHandle;
  if (Flags > cudaEventWaitExternal)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (E->OfCapture.load(std::memory_order_acquire) || isCapturing(*S))
    if (std::optional<cudaError_t> Error = captureWait(Handle, *S, Flags))
      return *Error;
  if (Flags)
    return cudaErrorIllegalState;
  Moment M = momentOf(*E);
  if (!M.Recorded)
    return cudaSuccess;
  if (M.done() && !underTsan())
    return cudaSuccess;
  joinInto(*S, M.Marker.get());
  return cudaSuccess;
}

/// Waits, if need be.
static cudaError_t settle(cudaEvent_t Handle) {
  Event *E = findEvent(Handle);
  if (!E)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterEvent(*E))
    return Error;
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
  if (cudaError_t Error = enterEvent(*E))
    return Error;
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
  if (A->OfCapture.load() || B->OfCapture.load())
    return cudaErrorInvalidValue;
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
