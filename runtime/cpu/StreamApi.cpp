//===- StreamApi.cpp - Stream calls ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaStream*, cudaDeviceSynchronize and host functions.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Managed.h"
#include "runtime/cpu/Scheduler.h"
#include "runtime/cpu/StreamTable.h"
#include "runtime/cpu/graphs/Capture.h"

using namespace echo::cpu;

/// Refuses a wait for a stream, or a question to it, because of captures.
static cudaError_t enterWait(Stream &S) {
  cudaError_t Error = enterStream(S, Use::Other);
  return Error == cudaSuccess ? enterRisky(Risk::Unsafe) : Error;
}

/// CUDA's priorities: the lower the number, the more urgent.
static constexpr int LeastPriority = 0, GreatestPriority = -5;

static cudaError_t create(cudaStream_t *Out, unsigned Flags, int Priority) {
  if (!Out || (Flags & ~unsigned(cudaStreamNonBlocking)))
    return cudaErrorInvalidValue;
  if (fails(Fails::Create))
    return cudaErrorMemoryAllocation;
  if (Priority > LeastPriority)
    Priority = LeastPriority;
  if (Priority < GreatestPriority)
    Priority = GreatestPriority;
  *Out = reinterpret_cast<cudaStream_t>(createStream(Flags, Priority));
  return cudaSuccess;
}

static cudaError_t synchronize(Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterWait(*S))
    return Error;
  waitStream(*S);
  return endOfWait();
}

static cudaError_t query(Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterWait(*S))
    return Error;
  if (!streamIdle(*S)) {
    // With managed memory closed, work runs inside of waits only.
    if (managedIsExclusive())
      settleStream(*S);
    else
      demandStream(*S);
    if (!streamIdle(*S))
      return cudaErrorNotReady;
  }
  waitStream(*S);
  return enter();
}

static cudaError_t hostFunc(Stream *S, cudaHostFn_t Fn, void *Data) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!Fn)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Use::Queue))
    return Error;
  if (isCapturing(*S))
    return captureHost(Fn, Data, *S);
  submit(*S, makeHostOp(Fn, Data));
  return cudaSuccess;
}

static cudaError_t addCallback(Stream *S, cudaStream_t Handle,
                               cudaStreamCallback_t Fn, void *Data,
                               unsigned Flags) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!Fn || Flags)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = enterStream(*S, Use::Other))
    return Error;
  Op *O = makeOp(
      [=] {
        kernelsSeenDone();
        flushPrintf(FlushAt::Callback);
        Fn(Handle, enter(), Data);
      },
      OpKind::HostFunc);
  O->TouchesMemory = false;
  submit(*S, O);
  return cudaSuccess;
}

/// Answers a question about the stream of a handle.
template <typename Out, typename Fn>
static cudaError_t ask(cudaStream_t Handle, bool PerThread, Out *Result,
                       Fn Answer) {
  return api([&] {
    Stream *S = findStream(Handle, PerThread);
    if (!S)
      return cudaErrorInvalidResourceHandle;
    if (!Result)
      return cudaErrorInvalidValue;
    *Result = Answer(*S);
    return cudaSuccess;
  });
}

static cudaError_t synchronizeDevice() {
  return api(FlushAt::Wait, [] {
    if (cudaError_t Error = enterRisky(Risk::Device))
      return Error;
    waitDevice();
    return endOfWait();
  });
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *Out) {
  return api([&] { return create(Out, 0, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Out, unsigned Flags) {
  return api([&] { return create(Out, Flags, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Out, unsigned Flags,
                                         int Priority) {
  return api([&] { return create(Out, Flags, Priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t Handle) {
  return api([&] {
    Stream *S = findStream(Handle, false);
    if (!Handle || !S || Handle == cudaStreamLegacy ||
        Handle == cudaStreamPerThread)
      return cudaErrorInvalidResourceHandle;
    destroyStream(S);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t S) {
  return api(FlushAt::Wait, [&] { return synchronize(findStream(S, false)); });
}
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t S) {
  return api(FlushAt::Wait, [&] { return synchronize(findStream(S, true)); });
}

cudaError_t cudaStreamQuery(cudaStream_t S) {
  return api([&] { return query(findStream(S, false)); });
}
cudaError_t cudaStreamQuery_ptsz(cudaStream_t S) {
  return api([&] { return query(findStream(S, true)); });
}

cudaError_t cudaDeviceSynchronize() { return synchronizeDevice(); }
cudaError_t cudaThreadSynchronize() { return synchronizeDevice(); }

cudaError_t cudaLaunchHostFunc(cudaStream_t S, cudaHostFn_t Fn, void *Data) {
  return api([&] { return hostFunc(findStream(S, false), Fn, Data); });
}
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t S, cudaHostFn_t Fn,
                                    void *Data) {
  return api([&] { return hostFunc(findStream(S, true), Fn, Data); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t S, cudaStreamCallback_t Fn,
                                  void *Data, unsigned Flags) {
  return api(
      [&] { return addCallback(findStream(S, false), S, Fn, Data, Flags); });
}
cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t S, cudaStreamCallback_t Fn,
                                       void *Data, unsigned Flags) {
  return api(
      [&] { return addCallback(findStream(S, true), S, Fn, Data, Flags); });
}

#define STREAM_QUESTION(Name, Type, Answer)                                    \
  cudaError_t Name(cudaStream_t S, Type *Out) {                                \
    return ask(S, false, Out, [](const Stream &Q) { return Type(Answer); });   \
  }                                                                            \
  cudaError_t Name##_ptsz(cudaStream_t S, Type *Out) {                         \
    return ask(S, true, Out, [](const Stream &Q) { return Type(Answer); });    \
  }
using Id = unsigned long long;
STREAM_QUESTION(cudaStreamGetFlags, unsigned, Q.Flags)
STREAM_QUESTION(cudaStreamGetPriority, int, Q.Priority)
STREAM_QUESTION(cudaStreamGetId, Id, Q.Id)
// There is one device.
STREAM_QUESTION(cudaStreamGetDevice, int, 0 * Q.Priority)
#undef STREAM_QUESTION

cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  return api([&] {
    if (Least)
      *Least = LeastPriority;
    if (Greatest)
      *Greatest = GreatestPriority;
    return cudaSuccess;
  });
}

} // extern "C"
