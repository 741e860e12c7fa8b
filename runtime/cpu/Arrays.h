//===- Arrays.h - Arrays and their texels -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which formats and extents an array may have, and how its texels lie
// in memory: without gaps, row after row, slice after slice. It must never give
// out an array whose memory does not hold all of its texels.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_ARRAYS_H
#define ECHO_RUNTIME_CPU_ARRAYS_H

#include "runtime/abi/CpuTexture.h"
#include "runtime/cpu/CudaTextureTypes.h"

#include <vector>

/// What a cudaArray_t points to.
struct cudaArray {
  cudaChannelFormatDesc Format;
  cudaExtent Extent; ///< as the program gave it
  unsigned Flags;
  EchoCpuImage Image;
};

/// What a cudaMipmappedArray_t points to. The memory is level 0's.
struct cudaMipmappedArray {
  std::vector<cudaArray> Levels; ///< never grows
};

namespace echo::cpu {

/// A format as device code reads it.
struct TexelFormat {
  EchoCpuChannel Channel;
  uint32_t Channels;
  uint32_t Bytes; ///< of all channels
  bool IsFloat, IsSigned;
};
/// Reads \p Desc; cudaErrorInvalidChannelDescriptor where it is no format of
/// arrays and textures.
cudaError_t readFormat(const cudaChannelFormatDesc &Desc, TexelFormat &Out);

/// Allocates; \p Out stays as it is on failure.
cudaError_t makeArray(const cudaChannelFormatDesc &Desc, cudaExtent Extent,
                      unsigned Flags, cudaArray_t &Out);
cudaError_t makeMipmap(const cudaChannelFormatDesc &Desc, cudaExtent Extent,
                       unsigned Levels, unsigned Flags,
                       cudaMipmappedArray_t &Out);
/// Waits as cudaFree does, and frees. A level of a mipmapped array is refused.
cudaError_t freeArray(cudaArray_t Array);
cudaError_t freeMipmap(cudaMipmappedArray_t Mipmap);

/// True if the handle names an array, which may be a level.
bool isArray(cudaArray_const_t Array);
bool isMipmap(cudaMipmappedArray_const_t Mipmap);

/// cudaDeviceReset: no handle of an array is one any more. Their memory is
/// among what releaseAllMemory frees.
void forgetArrays();

} // namespace echo::cpu

#endif
