//===- ExecApi.cpp - Calls that instantiate and launch graphs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaGraphInstantiate, cudaGraphLaunch, cudaGraphExecUpdate and their like.
// Instantiating and destroying are unsafe in a capture, and a graph is not
// launched into a captured stream (both as on an H200).
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/graphs/Capture.h"
#include "runtime/cpu/graphs/GraphCalls.h"
#include "runtime/cpu/graphs/GraphMemory.h"
#include "runtime/cpu/graphs/Updates.h"

using namespace echo::cpu;

static constexpr unsigned long long KnownFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch |
    cudaGraphInstantiateFlagUseNodePriority;

static cudaError_t makeExec(cudaGraphExec_t *Out, cudaGraph_t Handle,
                            cudaGraphInstantiateParams &P) {
  const Graph *G = findGraph(Handle);
  P.errNode_out = nullptr;
  P.result_out = cudaGraphInstantiateError;
  if (!Out || !G)
    return cudaErrorInvalidValue;
  // No kernel launches a graph here.
  if (P.flags & cudaGraphInstantiateFlagDeviceLaunch)
    return cudaErrorNotSupported;
  if (P.flags & ~KnownFlags)
    return cudaErrorInvalidValue;
  if (const GraphNode *N = findCircle(*G)) {
    P.errNode_out = handleOf(N);
    P.result_out = cudaGraphInstantiateInvalidStructure;
    return cudaErrorInvalidValue;
  }
  if (cudaError_t Error = checkMemory(*G))
    return Error;
  *Out = instantiate(*G, P.flags);
  P.result_out = cudaGraphInstantiateSuccess;
  return cudaSuccess;
}

[[gnu::always_inline]] static inline cudaError_t
instantiateCall(cudaGraphExec_t *Out, cudaGraph_t G, unsigned long long Flags) {
  return riskyApi(Risk::Unsafe, [&] {
    GraphLock Lock;
    cudaGraphInstantiateParams P = {Flags, nullptr, nullptr,
                                    cudaGraphInstantiateSuccess};
    return makeExec(Out, G, P);
  });
}

static cudaError_t instantiateWith(cudaGraphExec_t *Out, cudaGraph_t G,
                                   cudaGraphInstantiateParams *P,
                                   bool PerThread) {
  if (!P)
    return cudaErrorInvalidValue;
  const bool Uploads = P->flags & cudaGraphInstantiateFlagUpload;
  if (Uploads && !findStream(P->uploadStream, PerThread))
    return cudaErrorInvalidResourceHandle;
  GraphLock Lock;
  // There is nothing to upload.
  P->flags &= ~cudaGraphInstantiateFlagUpload;
  cudaError_t Error = makeExec(Out, G, *P);
  if (Uploads)
    P->flags |= cudaGraphInstantiateFlagUpload;
  return Error;
}

static cudaError_t launch(cudaGraphExec_t Handle, Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Use::Other))
    return Error;
  if (fails(Fails::Launch))
    return cudaErrorLaunchOutOfResources;
  GraphLock Lock;
  Exec *X = findExec(Handle);
  if (!X)
    return cudaErrorInvalidValue;
  launchExec(*X, *S);
  return cudaSuccess;
}

static cudaError_t upload(cudaGraphExec_t Handle, Stream *S) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t Error = enterStream(*S, Use::Other))
    return Error;
  GraphLock Lock;
  Exec *X = findExec(Handle);
  if (!X)
    return cudaErrorInvalidValue;
  orderAfterLaunches(*X, *S);
  return cudaSuccess;
}

static cudaError_t update(cudaGraphExec_t Handle, cudaGraph_t From,
                          cudaGraphExecUpdateResultInfo *Out) {
  Exec *X = findExec(Handle);
  const Graph *G = findGraph(From);
  cudaGraphExecUpdateResultInfo I = {cudaGraphExecUpdateError, nullptr,
                                     nullptr};
  if (X && G)
    I = updateGraph(*X->Body, *G);
  if (Out)
    *Out = I;
  if (!X || !G)
    return cudaErrorInvalidValue;
  return I.result == cudaGraphExecUpdateSuccess
             ? cudaSuccess
             : cudaErrorGraphExecUpdateFailure;
}

/// Kernels, copies and sets can be switched off.
static GraphNode *switchOf(cudaGraphExec_t Handle, cudaGraphNode_t Original) {
  Exec *X = findExec(Handle);
  GraphNode *N = X ? nodeIn(*X, Original) : nullptr;
  return N && typeOf(N->Work) <= cudaGraphNodeTypeMemset ? N : nullptr;
}

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Out, cudaGraph_t G,
                                 unsigned long long Flags) {
  return instantiateCall(Out, G, Flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Out, cudaGraph_t G,
                                          unsigned long long Flags) {
  return instantiateCall(Out, G, Flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *Out, cudaGraph_t G,
                                           cudaGraphInstantiateParams *P) {
  return riskyApi(Risk::Unsafe,
                  [&] { return instantiateWith(Out, G, P, false); });
}
cudaError_t cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t *Out,
                                                cudaGraph_t G,
                                                cudaGraphInstantiateParams *P) {
  return riskyApi(Risk::Unsafe,
                  [&] { return instantiateWith(Out, G, P, true); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t X) {
  return riskyApi(Risk::Unsafe, [&] {
    GraphLock Lock;
    return destroyExec(X) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t Handle,
                                  unsigned long long *Flags) {
  return graphApi([&] {
    const Exec *X = findExec(Handle);
    if (!X || !Flags)
      return cudaErrorInvalidValue;
    *Flags = X->Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t X, cudaStream_t S) {
  return api([&] { return launch(X, findStream(S, false)); });
}
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t X, cudaStream_t S) {
  return api([&] { return launch(X, findStream(S, true)); });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t X, cudaStream_t S) {
  return api([&] { return upload(X, findStream(S, false)); });
}
cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t X, cudaStream_t S) {
  return api([&] { return upload(X, findStream(S, true)); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t X, cudaGraph_t G,
                                cudaGraphExecUpdateResultInfo *Out) {
  return graphApi([&] { return update(X, G, Out); });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t X, cudaGraphNode_t Original,
                                    unsigned On) {
  return graphApi([&] {
    GraphNode *N = switchOf(X, Original);
    if (!N)
      return cudaErrorInvalidValue;
    N->Enabled = On;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t X, cudaGraphNode_t Original,
                                    unsigned *On) {
  return graphApi([&] {
    const GraphNode *N = switchOf(X, Original);
    if (!N || !On)
      return cudaErrorInvalidValue;
    *On = N->Enabled;
    return cudaSuccess;
  });
}

} // extern "C"
