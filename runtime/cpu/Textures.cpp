//===- Textures.cpp - What textures and surfaces show ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads descriptors of resources and textures. See Textures.h. The rules are
// those of cudaCreateTextureObject's page.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Textures.h"
#include "runtime/cpu/Arrays.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Memory.h"

#include <algorithm>

namespace echo::cpu {

/// True if \p N is at least 1 and at most what the device says.
static bool fits(size_t N, Attr Most) {
  return N && N <= size_t(attribute(Most));
}

/// May kernels read memory from \p P on by a texture? CUDA does not say so of
/// memory of the process. It does not compare the size with the allocation's
/// (its sample convolutionFFT2D relies on that).
static bool isReadable(const void *P) {
  return findAllocation(P).Kind != MemKind::Pageable &&
         reinterpret_cast<uintptr_t>(P) %
                 size_t(attribute(Attr::TextureAlignment)) ==
             0;
}

static cudaError_t linear(const decltype(cudaResourceDesc::res.linear) &R,
                          TexelFormat &Format, EchoCpuTexture &Out) {
  if (cudaError_t Error = readFormat(R.desc, Format))
    return Error;
  const size_t Width = R.sizeInBytes / Format.Bytes;
  if (!fits(Width, Attr::MaxTexture1DLinearWidth) || !isReadable(R.devPtr))
    return cudaErrorInvalidValue;
  const size_t Row = Width * Format.Bytes;
  Out.levels[0] = {static_cast<char *>(R.devPtr),
                   Row,
                   Row,
                   uint32_t(Width),
                   1,
                   1,
                   Format.Bytes};
  return cudaSuccess;
}

static cudaError_t pitch2D(const decltype(cudaResourceDesc::res.pitch2D) &R,
                           TexelFormat &Format, EchoCpuTexture &Out) {
  if (cudaError_t Error = readFormat(R.desc, Format))
    return Error;
  if (!fits(R.width, Attr::MaxTexture2DLinearWidth) ||
      !fits(R.height, Attr::MaxTexture2DLinearHeight) ||
      !fits(R.pitchInBytes, Attr::MaxTexture2DLinearPitch))
    return cudaErrorInvalidValue;
  const size_t Row = R.width * Format.Bytes;
  if (R.pitchInBytes < Row ||
      R.pitchInBytes % size_t(attribute(Attr::TexturePitchAlignment)) ||
      !isReadable(R.devPtr))
    return cudaErrorInvalidValue;
  Out.levels[0] = {static_cast<char *>(R.devPtr),
                   R.pitchInBytes,
                   R.pitchInBytes * R.height,
                   uint32_t(R.width),
                   uint32_t(R.height),
                   1,
                   Format.Bytes};
  return cudaSuccess;
}

/// Finds texels and format; a resource has one level or more.
static cudaError_t resource(const cudaResourceDesc &Of, TexelFormat &Format,
                            EchoCpuTexture &Out) {
  Out.numLevels = 1;
  switch (Of.resType) {
  case cudaResourceTypeArray: {
    cudaArray_t Array = Of.res.array.array;
    if (!isArray(Array))
      return cudaErrorInvalidValue;
    Out.levels[0] = Array->Image;
    return readFormat(Array->Format, Format);
  }
  case cudaResourceTypeMipmappedArray: {
    cudaMipmappedArray_t Mipmap = Of.res.mipmap.mipmap;
    if (!isMipmap(Mipmap))
      return cudaErrorInvalidValue;
    Out.numLevels = uint32_t(Mipmap->Levels.size());
    std::transform(Mipmap->Levels.begin(), Mipmap->Levels.end(), Out.levels,
                   [](const cudaArray &L) { return L.Image; });
    return readFormat(Mipmap->Levels[0].Format, Format);
  }
  case cudaResourceTypeLinear:
    return linear(Of.res.linear, Format, Out);
  case cudaResourceTypePitch2D:
    return pitch2D(Of.res.pitch2D, Format, Out);
  }
  return cudaErrorInvalidValue;
}

static cudaError_t checkSettings(const cudaTextureDesc &How) {
  for (cudaTextureAddressMode M : How.addressMode)
    if (unsigned(M) > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
  if (unsigned(How.filterMode) > cudaFilterModeLinear ||
      unsigned(How.mipmapFilterMode) > cudaFilterModeLinear ||
      unsigned(How.readMode) > cudaReadModeNormalizedFloat)
    return cudaErrorInvalidValue;
#if ECHO_CUDA_VERSION >= 12000
  if (How.seamlessCubemap)
    return cudaErrorNotSupported;
#endif
  return cudaSuccess;
}

/// Wrapping and mirroring need normalized coordinates; else CUDA clamps.
static uint32_t addressMode(cudaTextureAddressMode Mode, bool Normalized) {
  const bool Periodic =
      Mode == cudaAddressModeWrap || Mode == cudaAddressModeMirror;
  return uint32_t(Periodic && !Normalized ? cudaAddressModeClamp : Mode);
}

cudaError_t describeTexture(const cudaResourceDesc &Of,
                            const cudaTextureDesc &How, EchoCpuTexture &Out) {
  TexelFormat Format;
  if (cudaError_t Error = checkSettings(How))
    return Error;
  if (cudaError_t Error = resource(Of, Format, Out))
    return Error;
  Out.channel = Format.Channel;
  Out.channels = Format.Channels;
  // Integers of 32 bits are never read as fractions.
  const bool Fraction = How.readMode == cudaReadModeNormalizedFloat &&
                        !Format.IsFloat && Format.Channel != ECHO_CPU_WORD;
  Out.flags = Fraction ? ECHO_CPU_NORMALIZED_READ : 0;
  if (Fraction && How.sRGB && Format.Channel == ECHO_CPU_U8)
    Out.flags |= ECHO_CPU_SRGB;
  if (Of.resType == cudaResourceTypeLinear) {
    // Neither addressed nor filtered: what lies outside is 0.
    std::fill_n(Out.address, 3, uint32_t(ECHO_CPU_BORDER));
    return cudaSuccess;
  }
  if (How.filterMode == cudaFilterModeLinear) {
    if (!Format.IsFloat && !Fraction)
      return cudaErrorInvalidFilterSetting;
    Out.flags |= ECHO_CPU_LINEAR_FILTER;
  }
  if (Out.numLevels > 1 && How.mipmapFilterMode == cudaFilterModeLinear) {
    if (!Format.IsFloat && !Fraction)
      return cudaErrorInvalidFilterSetting;
    Out.flags |= ECHO_CPU_LINEAR_MIPMAP;
  }
  if (How.normalizedCoords)
    Out.flags |= ECHO_CPU_NORMALIZED_COORDS;
  for (int I = 0; I != 3; ++I)
    Out.address[I] = addressMode(How.addressMode[I], How.normalizedCoords);
  std::copy_n(How.borderColor, 4, Out.border);
  Out.bias = How.mipmapLevelBias;
  Out.minLevel = How.minMipmapLevelClamp;
  Out.maxLevel = How.maxMipmapLevelClamp;
  return cudaSuccess;
}

cudaError_t describeSurface(const cudaResourceDesc &Of, EchoCpuSurface &Out) {
  if (Of.resType != cudaResourceTypeArray || !isArray(Of.res.array.array) ||
      !(Of.res.array.array->Flags & cudaArraySurfaceLoadStore))
    return cudaErrorInvalidValue;
  Out.image = Of.res.array.array->Image;
  return cudaSuccess;
}

} // namespace echo::cpu
