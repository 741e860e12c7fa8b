//===- Textures.h - What textures and surfaces show -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, from CUDA's descriptors, what device code reads by a texture and
// what it may write by a surface. A setting that the device lacks is refused,
// never ignored. It must never take memory that kernels may not read.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_TEXTURES_H
#define ECHO_RUNTIME_CPU_TEXTURES_H

#include "runtime/abi/CpuTexture.h"
#include "runtime/cpu/CudaTextureTypes.h"

namespace echo::cpu {

/// Fills \p Out from the descriptors.
cudaError_t describeTexture(const cudaResourceDesc &Of,
                            const cudaTextureDesc &How, EchoCpuTexture &Out);
/// Fills \p Out from an array that surfaces may use.
cudaError_t describeSurface(const cudaResourceDesc &Of, EchoCpuSurface &Out);

/// cudaDeviceReset: no handle of an object is one any more.
void forgetTextures();

} // namespace echo::cpu

#endif
