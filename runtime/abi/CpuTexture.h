//===- CpuTexture.h - Textures and surfaces of the CPU device ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a texture or surface object of the CPU device points to. The runtime
// (runtime/cpu) makes it, device code (runtime/cpu/devlib) reads it. It fixes
// layouts only. It must never depend on CUDA's headers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_ABI_CPUTEXTURE_H
#define ECHO_RUNTIME_ABI_CPUTEXTURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the channel of a texel is stored.
enum EchoCpuChannel {
  ECHO_CPU_U8,
  ECHO_CPU_S8,
  ECHO_CPU_U16,
  ECHO_CPU_S16,
  ECHO_CPU_WORD, ///< 32 bits, whatever they mean
  ECHO_CPU_HALF,
};

/// As cudaTextureAddressMode.
enum EchoCpuAddress {
  ECHO_CPU_WRAP,
  ECHO_CPU_CLAMP,
  ECHO_CPU_MIRROR,
  ECHO_CPU_BORDER,
};

enum EchoCpuTextureFlags {
  ECHO_CPU_NORMALIZED_READ = 1u,   ///< integers are read as [0, 1] or [-1, 1]
  ECHO_CPU_NORMALIZED_COORDS = 2u, ///< coordinates are in [0, 1)
  ECHO_CPU_LINEAR_FILTER = 4u,
  ECHO_CPU_LINEAR_MIPMAP = 8u,
  ECHO_CPU_SRGB = 16u,
};

/// What an access beyond a surface does, as cudaSurfaceBoundaryMode.
enum EchoCpuBoundary { ECHO_CPU_ZERO, ECHO_CPU_NEAREST, ECHO_CPU_TRAP };

/// The texels of one level: rows of `pitch` bytes, slices of `slice` bytes. A
/// slice is a layer, a face of a cube map, or a plane of three dimensions.
typedef struct EchoCpuImage {
  char *data;
  uint64_t pitch, slice;
  uint32_t width, height, depth; ///< in texels, each at least 1
  uint32_t texelBytes;
} EchoCpuImage;

/// 2^15 texels wide is the largest image that has levels.
#define ECHO_CPU_MAX_LEVELS 16

/// A cudaTextureObject_t is its address.
typedef struct EchoCpuTexture {
  uint32_t channel;  ///< EchoCpuChannel
  uint32_t channels; ///< 1, 2 or 4
  uint32_t flags;    ///< EchoCpuTextureFlags
  uint32_t address[3];
  float border[4]; ///< the bits of integers, where integers are read
  float bias, minLevel, maxLevel;
  uint32_t numLevels;
  EchoCpuImage levels[ECHO_CPU_MAX_LEVELS];
} EchoCpuTexture;

/// A cudaSurfaceObject_t is its address.
typedef struct EchoCpuSurface {
  EchoCpuImage image;
} EchoCpuSurface;

#ifdef __cplusplus
} // extern "C"
#endif

#endif
