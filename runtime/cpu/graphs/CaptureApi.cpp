//===- CaptureApi.cpp - Calls that capture streams ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaStreamBeginCapture, cudaStreamEndCapture and what asks about captures;
// most come with the variant for per-thread default streams.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Capture.h"
#include "runtime/cpu/graphs/Edges.h"
#include "runtime/cpu/graphs/Sequences.h"

#include <algorithm>

using namespace echo::cpu;

static cudaError_t begin(Stream *S, int Mode) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Mode < cudaStreamCaptureModeGlobal || Mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  GraphLock Lock;
  return beginCapture(*S, cudaStreamCaptureMode(Mode), nullptr, {});
}

static cudaError_t beginInto(Stream *S, cudaGraph_t Handle, NodeList Needs,
                             int Mode) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Mode < cudaStreamCaptureModeGlobal || Mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  GraphLock Lock;
  Graph *Into = findGraph(Handle);
  std::vector<GraphNode *> Next;
  if (!Into)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = nodesOf(*Into, Needs, Next))
    return Error;
  return beginCapture(*S, cudaStreamCaptureMode(Mode), Into, Next);
}

static cudaError_t end(Stream *S, cudaGraph_t *Out) {
  cudaGraph_t Ended = nullptr;
  if (!S)
    return cudaErrorInvalidResourceHandle;
  GraphLock Lock;
  cudaError_t Error = endCapture(*S, Ended);
  // Without a place for it the graph is lost, as on an H200.
  if (Out)
    *Out = Ended;
  return Error;
}

/// The status of \p S. The legacy stream has none while a blocking stream is
/// captured.
static cudaError_t statusOf(const Stream &S, cudaStreamCaptureStatus &Out) {
  auto blocks = [](const std::shared_ptr<Sequence> &Q) {
    return std::any_of(Q->Streams.begin(), Q->Streams.end(),
                       [](const Stream *Other) { return Other->Blocking; });
  };
  if (S.Legacy && std::any_of(sequences().begin(), sequences().end(), blocks))
    return cudaErrorStreamCaptureImplicit;
  const Captured *C = captureOf(S);
  Out = !C               ? cudaStreamCaptureStatusNone
        : C->Of->Invalid ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

static cudaError_t isCapturing(Stream *S, cudaStreamCaptureStatus *Out) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!Out)
    return cudaErrorInvalidValue;
  if (!anyCapture()) {
    *Out = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  }
  GraphLock Lock;
  return statusOf(*S, *Out);
}

namespace {
/// Where cudaStreamGetCaptureInfo shall write.
struct Info {
  cudaStreamCaptureStatus *Status;
  unsigned long long *Id;
  cudaGraph_t *Into;
  const cudaGraphNode_t **Needs;
  const cudaGraphEdgeData **Edges;
  size_t *NumNeeds;
};
} // namespace

static cudaError_t captureInfo(Stream *S, const Info &Out) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (!Out.Status || (Out.Edges && !Out.Needs))
    return cudaErrorInvalidValue;
  GraphLock Lock;
  if (cudaError_t Error = statusOf(*S, *Out.Status))
    return Error;
  if (*Out.Status != cudaStreamCaptureStatusActive)
    return cudaSuccess;
  Captured *C = captureOf(*S);
  if (Out.Id)
    *Out.Id = C->Of->Id;
  if (Out.Into)
    *Out.Into = handleOf(C->Of->Into);
  if (Out.Needs)
    *Out.Needs = reinterpret_cast<cudaGraphNode_t *>(C->Next.data());
  if (Out.Edges) {
    C->Edges.assign(C->Next.size(), {});
    *Out.Edges = C->Edges.data();
  }
  if (Out.NumNeeds)
    *Out.NumNeeds = C->Next.size();
  return cudaSuccess;
}

static cudaError_t updateNeeds(Stream *S, NodeList Needs, unsigned Flags) {
  if (!S)
    return cudaErrorInvalidResourceHandle;
  if (Flags > cudaStreamSetCaptureDependencies)
    return cudaErrorInvalidValue;
  GraphLock Lock;
  Captured *C = captureOf(*S);
  if (!C)
    return cudaErrorIllegalState;
  if (C->Of->Invalid)
    return cudaErrorStreamCaptureInvalidated;
  std::vector<GraphNode *> Nodes;
  if (cudaError_t Error = nodesOf(*C->Of->Into, Needs, Nodes))
    return Error;
  if (Flags == cudaStreamSetCaptureDependencies)
    C->Next.clear();
  joinCapture(*S, C->Of, Nodes);
  return cudaSuccess;
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t S, int Mode) {
  return api([&] { return begin(findStream(S, false), Mode); });
}
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t S, int Mode) {
  return api([&] { return begin(findStream(S, true), Mode); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t S, cudaGraph_t Into,
                                          const cudaGraphNode_t *Needs,
                                          const cudaGraphEdgeData *Edges,
                                          size_t Count, int Mode) {
  return api([&] {
    return beginInto(findStream(S, false), Into, {Needs, Edges, Count}, Mode);
  });
}
cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t S, cudaGraph_t Into,
                                               const cudaGraphNode_t *Needs,
                                               const cudaGraphEdgeData *Edges,
                                               size_t Count, int Mode) {
  return api([&] {
    return beginInto(findStream(S, true), Into, {Needs, Edges, Count}, Mode);
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t S, cudaGraph_t *Out) {
  return api([&] { return end(findStream(S, false), Out); });
}
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t S, cudaGraph_t *Out) {
  return api([&] { return end(findStream(S, true), Out); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t S,
                                  cudaStreamCaptureStatus *Out) {
  return api([&] { return isCapturing(findStream(S, false), Out); });
}
cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t S,
                                       cudaStreamCaptureStatus *Out) {
  return api([&] { return isCapturing(findStream(S, true), Out); });
}

#if ECHO_CUDA_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t S,
                                     cudaStreamCaptureStatus *Status,
                                     unsigned long long *Id, cudaGraph_t *Into,
                                     const cudaGraphNode_t **Needs,
                                     const cudaGraphEdgeData **Edges,
                                     size_t *Count) {
  return api([&] {
    return captureInfo(findStream(S, false),
                       {Status, Id, Into, Needs, Edges, Count});
  });
}
cudaError_t
cudaStreamGetCaptureInfo_ptsz(cudaStream_t S, cudaStreamCaptureStatus *Status,
                              unsigned long long *Id, cudaGraph_t *Into,
                              const cudaGraphNode_t **Needs,
                              const cudaGraphEdgeData **Edges, size_t *Count) {
  return api([&] {
    return captureInfo(findStream(S, true),
                       {Status, Id, Into, Needs, Edges, Count});
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t S,
                                                cudaGraphNode_t *Needs,
                                                const cudaGraphEdgeData *Edges,
                                                size_t Count, unsigned Flags) {
  return api([&] {
    return updateNeeds(findStream(S, false), {Needs, Edges, Count}, Flags);
  });
}
cudaError_t
cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t S, cudaGraphNode_t *Needs,
                                         const cudaGraphEdgeData *Edges,
                                         size_t Count, unsigned Flags) {
  return api([&] {
    return updateNeeds(findStream(S, true), {Needs, Edges, Count}, Flags);
  });
}
#endif

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *Mode) {
  return api([&] {
    if (!Mode || *Mode < cudaStreamCaptureModeGlobal ||
        *Mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(ThreadMode, *Mode);
    return cudaSuccess;
  });
}

} // extern "C"
