//===- ArrayApi.cpp - Calls that make, free and describe arrays -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMallocArray and its like, mipmapped arrays and their levels, channel
// descriptors. Frees wait as cudaFree does.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Arrays.h"
#include "runtime/cpu/Device.h"

using namespace echo::cpu;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int X, int Y, int Z, int W,
                                            cudaChannelFormatKind Kind) {
  return {X, Y, Z, W, Kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *Desc,
                               cudaArray_const_t Array) {
  return api([&] {
    if (!Desc || !isArray(Array))
      return cudaErrorInvalidValue;
    *Desc = Array->Format;
    return cudaSuccess;
  });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *Desc, cudaExtent *Extent,
                             unsigned *Flags, cudaArray_t Array) {
  return api([&] {
    if (!isArray(Array))
      return cudaErrorInvalidValue;
    if (Desc)
      *Desc = Array->Format;
    if (Extent)
      *Extent = Array->Extent;
    if (Flags)
      *Flags = Array->Flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t *Out,
                              const cudaChannelFormatDesc *Desc,
                              cudaExtent Extent, unsigned Flags) {
  return api([&] {
    if (!Out || !Desc)
      return cudaErrorInvalidValue;
    return makeArray(*Desc, Extent, Flags, *Out);
  });
}

cudaError_t cudaMallocArray(cudaArray_t *Out, const cudaChannelFormatDesc *Desc,
                            size_t Width, size_t Height, unsigned Flags) {
  return api([&] {
    if (!Out || !Desc || (Flags & (cudaArrayLayered | cudaArrayCubemap)))
      return cudaErrorInvalidValue;
    return makeArray(*Desc, {Width, Height, 0}, Flags, *Out);
  });
}

cudaError_t cudaFreeArray(cudaArray_t Array) {
  return api([&] { return freeArray(Array); });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *Out,
                                     const cudaChannelFormatDesc *Desc,
                                     cudaExtent Extent, unsigned Levels,
                                     unsigned Flags) {
  return api([&] {
    if (!Out || !Desc)
      return cudaErrorInvalidValue;
    return makeMipmap(*Desc, Extent, Levels, Flags, *Out);
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *Out,
                                       cudaMipmappedArray_const_t Mipmap,
                                       unsigned Level) {
  return api([&] {
    if (!Out || !isMipmap(Mipmap) || Level >= Mipmap->Levels.size())
      return cudaErrorInvalidValue;
    *Out = const_cast<cudaArray_t>(&Mipmap->Levels[Level]);
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t Mipmap) {
  return api([&] { return freeMipmap(Mipmap); });
}

} // extern "C"
