//===- Copy3DApi.cpp - Memory and copies of three dimensions --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMalloc3D and cudaMemcpy3D, between arrays and pitched memory; copies come
// with the variant for per-thread default streams.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/ArrayCopies.h"

using namespace echo::cpu;

extern "C" {

cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width,
                            size_t Height);

cudaError_t cudaMalloc3D(cudaPitchedPtr *Out, cudaExtent E) {
  size_t Rows;
  if (!Out || __builtin_mul_overflow(E.height, E.depth, &Rows))
    return api([] { return cudaErrorInvalidValue; });
  cudaPitchedPtr New = {nullptr, 0, E.width, E.height};
  cudaError_t Error = cudaMallocPitch(&New.ptr, &New.pitch, E.width, Rows);
  if (Error == cudaSuccess)
    *Out = New;
  return Error;
}

} // extern "C"

[[gnu::always_inline]] static inline cudaError_t
copy3D(const cudaMemcpy3DParms *P, cudaStream_t S, bool PerThread, bool Async) {
  if (!P)
    return api([] { return cudaErrorInvalidValue; });
  return shapedCopy([P](CopyShape &C) { return shape3D(*P, C); },
                    {P->kind, S, PerThread, Async});
}

extern "C" {

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *P) {
  return copy3D(P, nullptr, false, false);
}
cudaError_t cudaMemcpy3D_ptds(const cudaMemcpy3DParms *P) {
  return copy3D(P, nullptr, true, false);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *P, cudaStream_t S) {
  return copy3D(P, S, false, true);
}
cudaError_t cudaMemcpy3DAsync_ptsz(const cudaMemcpy3DParms *P, cudaStream_t S) {
  return copy3D(P, S, true, true);
}

} // extern "C"
