//===- Capture.cpp - Streams that put their work into a graph -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses and captures calls. See Capture.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/graphs/Capture.h"
#include "runtime/cpu/graphs/GraphMemory.h"
#include "runtime/cpu/graphs/Sequences.h"

#include <cstring>

namespace echo::cpu {

cudaError_t enterStreamSlow(Stream &S, Use How) {
  GraphLock Lock;
  if (S.Legacy && invalidateBlocking())
    return cudaErrorStreamCaptureImplicit;
  Captured *C = captureOf(S);
  if (!C)
    return cudaSuccess;
  if (How == Use::Queue)
    return C->Of->Invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  C->Of->Invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

/// Does the capture keep the calling thread from what is unsafe?
static bool forbids(const Sequence &Q) {
  if (ThreadMode == cudaStreamCaptureModeRelaxed)
    return false;
  if (pthread_equal(Q.Thread, pthread_self()))
    return Q.Mode != cudaStreamCaptureModeRelaxed;
  return ThreadMode == cudaStreamCaptureModeGlobal &&
         Q.Mode == cudaStreamCaptureModeGlobal;
}

cudaError_t enterRiskySlow(Risk R) {
  GraphLock Lock;
  cudaError_t Error = cudaSuccess;
  for (auto &Q : sequences())
    if (R == Risk::Device || forbids(*Q)) {
      Q->Invalid = true;
      Error = cudaErrorStreamCaptureUnsupported;
    }
  return Error;
}

cudaError_t refusedInSlow(Stream &S, cudaError_t Error) {
  GraphLock Lock;
  if (Captured *C = captureOf(S))
    C->Of->Invalid = true;
  return Error;
}

/// Adds a node behind what \p S holds.
static cudaError_t addCaptured(Stream &S, NodeWork Work) {
  GraphLock Lock;
  Captured *C = captureOf(S);
  if (!C || C->Of->Invalid)
    return cudaErrorStreamCaptureInvalidated; // another thread ended it
  C->Next = {C->Of->Into->add(std::move(Work), C->Next)};
  return cudaSuccess;
}

cudaError_t captureCopy(const CopyShape &C, const CopySides &Sides, Stream &S) {
  cudaMemcpy3DParms Asked;
  memset(&Asked, 0, sizeof(Asked));
  auto rows = [](size_t Pitch, size_t Slice) {
    return Pitch ? Slice / Pitch : 0;
  };
  Asked.srcPtr = {const_cast<char *>(C.Src), C.SrcPitch,
                  C.SrcPitch ? C.Width : 0, rows(C.SrcPitch, C.SrcSlice)};
  Asked.dstPtr = {C.Dst, C.DstPitch, C.DstPitch ? C.Width : 0,
                  rows(C.DstPitch, C.DstSlice)};
  Asked.extent = {C.Width, C.Height, C.Depth};
  Asked.kind = Sides.Kind;
  return addCaptured(S, CopyWork{Asked, C, Sides.Dst, Sides.Src});
}

cudaError_t captureSet(const SetShape &C, bool Managed, Stream &S) {
  return addCaptured(S, SetWork{{C.Dst, C.Pitch, C.Value, C.Element,
                                 C.Width / C.Element, C.Height},
                                Managed});
}

cudaError_t captureKernel(const void *Stub, const EchoCpuKernel &Kernel,
                          const LaunchShape &L, void *const *Args, Stream &S) {
  return addCaptured(S, kernelWork(Stub, Kernel, L, Args));
}

cudaError_t captureLibrary(const EchoCpuWork &Work, Stream &S) {
  std::shared_ptr<EchoCpuWork> Held(new EchoCpuWork(Work), [](EchoCpuWork *W) {
    W->drop(W->data);
    delete W;
  });
  return addCaptured(S, LibraryWork{std::move(Held)});
}

cudaError_t captureHost(cudaHostFn_t Fn, void *Data, Stream &S) {
  return addCaptured(S, HostWork{{Fn, Data}});
}

cudaError_t captureAlloc(void **Pointer, size_t Bytes, Stream &S) {
  void *Base = nullptr;
  if (!Pointer || !Bytes)
    return cudaErrorInvalidValue;
  if (cudaError_t Error = allocate(MemKind::Device, Bytes, 0, Base))
    return Error;
  cudaError_t Error =
      addCaptured(S, AllocWork{std::make_shared<GraphMemory>(Base, Bytes)});
  if (Error == cudaSuccess)
    *Pointer = Base;
  return Error;
}

cudaError_t captureFree(void *Pointer, Stream &S) {
  FreeWork Work;
  {
    GraphLock Lock;
    const Captured *C = captureOf(S);
    Work.Memory =
        C && !C->Of->Invalid ? unfreedAt(*C->Of->Into, Pointer) : nullptr;
    if (!Work.Memory)
      return cudaErrorInvalidValue;
    Work.Memory->Freed = true;
  }
  return addCaptured(S, std::move(Work));
}

} // namespace echo::cpu
