//===- ArrayCalls.h - Calls for arrays, textures and surfaces ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the part of the runtime API that CudaCalls.h leaves out.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPU_ARRAYCALLS_H
#define ECHO_TEST_UNIT_CPU_ARRAYCALLS_H

#include "runtime/cpu/CudaTextureTypes.h"

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                            cudaChannelFormatKind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned *,
                             cudaArray_t);
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *,
                            size_t, size_t, unsigned);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *,
                              cudaExtent, unsigned);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *,
                                     const cudaChannelFormatDesc *, cudaExtent,
                                     unsigned, unsigned);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *,
                                       cudaMipmappedArray_const_t, unsigned);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t,
                              cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t,
                                size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *,
                                size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *,
                                     size_t, size_t, size_t, cudaMemcpyKind,
                                     cudaStream_t);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t,
                                  size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t,
                                   cudaArray_const_t, size_t, size_t, size_t,
                                   cudaMemcpyKind);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t,
                                     cudaArray_const_t, size_t, size_t, size_t,
                                     size_t, cudaMemcpyKind);
cudaError_t cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *,
                                    const cudaResourceDesc *,
                                    const cudaTextureDesc *,
                                    const cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *,
                                    const cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
}

inline const cudaChannelFormatDesc FloatDesc = {32, 0, 0, 0,
                                                cudaChannelFormatKindFloat};
inline const cudaChannelFormatDesc ByteDesc = {8, 0, 0, 0,
                                               cudaChannelFormatKindUnsigned};

/// An array of floats; null where it cannot be made.
inline cudaArray_t floatArray(size_t Width, size_t Height,
                              unsigned Flags = cudaArrayDefault) {
  cudaArray_t A = nullptr;
  cudaMallocArray(&A, &FloatDesc, Width, Height, Flags);
  return A;
}

#endif
