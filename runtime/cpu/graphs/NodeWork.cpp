//===- NodeWork.cpp - What a node of a graph does -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, copies and carries out the work of nodes. See NodeWork.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/NodeWork.h"
#include "runtime/cpu/ArrayCopies.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/Failures.h"
#include "runtime/cpu/Grid.h"
#include "runtime/cpu/graphs/GraphMemory.h"

#include <cstring>
#include <type_traits>

namespace echo::cpu {

cudaGraphNodeType typeOf(const NodeWork &W) {
  static constexpr cudaGraphNodeType Types[] = {
      cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeKernel,      cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset,      cudaGraphNodeTypeHost,
      cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
      cudaGraphNodeTypeGraph,       cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree};
  static_assert(std::size(Types) == std::variant_size_v<NodeWork>);
  return Types[W.index()];
}

NodeWork cloneWork(const NodeWork &W, bool Private) {
  return std::visit(
      [&](const auto &Work) -> NodeWork {
        if constexpr (std::is_same_v<decltype(Work), const ChildWork &>)
          return ChildWork{cloneGraph(*Work.Body, Private)};
        else
          return Work;
      },
      W);
}

KernelWork kernelWork(const void *Stub, const EchoCpuKernel &Kernel,
                      const LaunchShape &L, void *const *Args) {
  KernelWork W = {Stub, &Kernel, L};
  W.Values.resize((Kernel.paramBytes + 7) / 8);
  auto *To = reinterpret_cast<char *>(W.Values.data());
  for (uint32_t I = 0; I != Kernel.numParams; ++I)
    memcpy(To + Kernel.paramOffsets[I], Args[I], Kernel.paramSizes[I]);
  return W;
}

static std::vector<void *> argumentsOf(const KernelWork &W) {
  auto *From = reinterpret_cast<const char *>(W.Values.data());
  std::vector<void *> Args;
  for (uint32_t I = 0; I != W.Kernel->numParams; ++I)
    Args.push_back(const_cast<char *>(From) + W.Kernel->paramOffsets[I]);
  return Args;
}

cudaKernelNodeParams paramsOf(KernelWork &W) {
  W.Pointers = argumentsOf(W);
  return {const_cast<void *>(W.Stub), W.Shape.Grid,      W.Shape.Block,
          unsigned(W.Shape.Shared),   W.Pointers.data(), nullptr};
}

cudaError_t makeKernelWork(const cudaKernelNodeParams *P, NodeWork &Out) {
  if (!P)
    return cudaErrorInvalidValue;
  if (!P->func)
    return cudaErrorInvalidDeviceFunction;
  // Arguments in one buffer: only the driver's programs have them.
  if (P->extra)
    return P->kernelParams ? cudaErrorInvalidValue : cudaErrorNotSupported;
  const LaunchShape L = {P->gridDim, P->blockDim, P->sharedMemBytes, false};
  const EchoCpuKernel *Kernel = nullptr;
  if (cudaError_t Error = checkLaunch(P->func, L, P->kernelParams, Kernel))
    return Error;
  Out = kernelWork(P->func, *Kernel, L, P->kernelParams);
  return cudaSuccess;
}

cudaMemcpy3DParms copyParams(void *Dst, const void *Src, size_t Bytes,
                             cudaMemcpyKind Kind) {
  cudaMemcpy3DParms P;
  memset(&P, 0, sizeof(P));
  P.dstPtr.ptr = Dst;
  P.srcPtr.ptr = const_cast<void *>(Src);
  P.extent = {Bytes, 1, 1};
  P.kind = Kind;
  return P;
}

cudaError_t makeCopyWork(const cudaMemcpy3DParms *P, NodeWork &Out) {
  CopyShape C = {};
  CopySides Sides;
  if (!P)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = shape3D(*P, C))
    return Error;
  if (cudaError_t Error = checkCopy(C, P->kind, Sides))
    return Error;
  if (Sides.Empty)
    return cudaErrorInvalidValue;
  Out = CopyWork{*P, C, Sides.Dst, Sides.Src};
  return cudaSuccess;
}

static SetShape shapeOf(const cudaMemsetParams &P) {
  return {static_cast<char *>(P.dst),
          P.value,
          P.width * P.elementSize,
          P.height,
          P.pitch,
          P.elementSize};
}

cudaError_t makeSetWork(const cudaMemsetParams *P, NodeWork &Out) {
  if (!P || !P->width || !P->height ||
      (P->elementSize != 1 && P->elementSize != 2 && P->elementSize != 4) ||
      reinterpret_cast<uintptr_t>(P->dst) % P->elementSize ||
      P->width > SIZE_MAX / P->elementSize)
    return cudaErrorInvalidValue;
  MemKind Kind;
  if (cudaError_t Error = checkSet(shapeOf(*P), Kind))
    return Error;
  Out = SetWork{*P, Kind == MemKind::Managed};
  return cudaSuccess;
}

cudaError_t makeHostWork(const cudaHostNodeParams *P, NodeWork &Out) {
  if (!P || !P->fn)
    return cudaErrorInvalidValue;
  Out = HostWork{*P};
  return cudaSuccess;
}

static Op *makeKernelOp(const KernelWork &W) {
  noteLaunch();
  if (fails(Fails::Trap))
    return makeOp([] { failDevice(cudaErrorLaunchFailure); });
  return new GridOp(*W.Kernel, W.Shape.Grid, W.Shape.Block, W.Shape.Shared,
                    argumentsOf(W).data(), W.Shape.Cooperative);
}

Op *makeNodeOp(const NodeWork &W) {
  if (auto *K = std::get_if<KernelWork>(&W))
    return makeKernelOp(*K);
  if (auto *L = std::get_if<LibraryWork>(&W))
    return makeOp([Work = L->Work] {
      if (!deviceFailed())
        Work->run(Work->data);
    });
  if (auto *C = std::get_if<CopyWork>(&W))
    return makeCopyOp(C->Shape, C->managed());
  if (auto *S = std::get_if<SetWork>(&W))
    return makeSetOp(shapeOf(S->Asked), S->Managed);
  if (auto *H = std::get_if<HostWork>(&W))
    return makeHostOp(H->Asked.fn, H->Asked.userData);
  if (auto *A = std::get_if<AllocWork>(&W))
    return makeAllocOp(*A);
  if (auto *F = std::get_if<FreeWork>(&W))
    return makeFreeOp(*F);
  Op *O = new Op(OpKind::Marker);
  O->TouchesMemory = false;
  return O;
}

} // namespace echo::cpu
