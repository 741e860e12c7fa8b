//===- Arrays.cpp - Arrays and their texels -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes and frees arrays. See Arrays.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Arrays.h"
#include "runtime/cpu/Attributes.h"
#include "runtime/cpu/Device.h"
#include "runtime/cpu/LiveSet.h"
#include "runtime/cpu/Memory.h"
#include "runtime/cpu/Streams.h"
#include "runtime/cpu/graphs/Capture.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace echo::cpu {

static LiveSet<cudaArray> &arrays() {
  static auto *Set = new LiveSet<cudaArray>;
  return *Set;
}
static LiveSet<cudaMipmappedArray> &mipmaps() {
  static auto *Set = new LiveSet<cudaMipmappedArray>;
  return *Set;
}
cudaError_t readFormat(const cudaChannelFormatDesc &Desc, TexelFormat &Out) {
  const int Bits[] = {Desc.x, Desc.y, Desc.z, Desc.w};
  uint32_t Channels = 0;
  while (Channels != 4 && Bits[Channels])
    ++Channels;
  const bool Uniform =
      std::all_of(Bits, Bits + Channels, [&](int B) { return B == Bits[0]; }) &&
      std::all_of(Bits + Channels, Bits + 4, [](int B) { return B == 0; });
  if (!Uniform || !std::has_single_bit(Channels) ||
      unsigned(Desc.f) > cudaChannelFormatKindFloat)
    return cudaErrorInvalidChannelDescriptor;
  Out.IsFloat = Desc.f == cudaChannelFormatKindFloat;
  Out.IsSigned = Desc.f == cudaChannelFormatKindSigned;
  if (Bits[0] == 32)
    Out.Channel = ECHO_CPU_WORD;
  else if (Bits[0] == 16)
    Out.Channel = Out.IsFloat    ? ECHO_CPU_HALF
                  : Out.IsSigned ? ECHO_CPU_S16
                                 : ECHO_CPU_U16;
  else if (Bits[0] == 8 && !Out.IsFloat)
    Out.Channel = Out.IsSigned ? ECHO_CPU_S8 : ECHO_CPU_U8;
  else
    return cudaErrorInvalidChannelDescriptor;
  Out.Channels = Channels;
  Out.Bytes = Channels * uint32_t(Bits[0]) / 8;
  return cudaSuccess;
}

/// True if \p N is at least 1 and at most what the device says.
static bool fits(size_t N, Attr Most) {
  return N && N <= size_t(attribute(Most));
}

static bool extentFits(const cudaExtent &E, unsigned Flags) {
  const bool Layered = Flags & cudaArrayLayered;
  if (Flags & cudaArrayCubemap)
    return E.width == E.height &&
           fits(E.width, Attr::MaxTextureCubemapLayeredWidth) &&
           (Layered ? E.depth % 6 == 0 &&
                          fits(E.depth, Attr::MaxTextureCubemapLayeredLayers)
                    : E.depth == 6);
  if (Layered)
    return fits(E.width, Attr::MaxTexture2DLayeredWidth) &&
           fits(E.height + !E.height, Attr::MaxTexture2DLayeredHeight) &&
           fits(E.depth, Attr::MaxTexture2DLayeredLayers);
  if (E.depth)
    return fits(E.width, Attr::MaxTexture3DWidth) &&
           fits(E.height, Attr::MaxTexture3DHeight) &&
           fits(E.depth, Attr::MaxTexture3DDepth);
  if (E.height)
    return fits(E.width, Attr::MaxTexture2DWidth) &&
           fits(E.height, Attr::MaxTexture2DHeight);
  return fits(E.width, Attr::MaxTexture1DWidth);
}

static cudaError_t checkFlags(const cudaExtent &E, unsigned Flags) {
  constexpr unsigned Known = cudaArrayLayered | cudaArraySurfaceLoadStore |
                             cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment | cudaArraySparse |
                             cudaArrayDeferredMapping;
  if (Flags & ~Known)
    return cudaErrorInvalidValue;
  if (Flags & (cudaArraySparse | cudaArrayDeferredMapping))
    return cudaErrorNotSupported;
  // Gathers are of two dimensions.
  if ((Flags & cudaArrayTextureGather) && (!E.height || E.depth))
    return cudaErrorInvalidValue;
  return extentFits(E, Flags) ? cudaSuccess : cudaErrorInvalidValue;
}

static size_t bytesOf(const EchoCpuImage &I) { return I.slice * I.depth; }

/// The image of an extent, without memory.
static EchoCpuImage layOut(const cudaExtent &E, uint32_t TexelBytes) {
  EchoCpuImage I = {};
  I.width = uint32_t(E.width);
  I.height = uint32_t(std::max<size_t>(E.height, 1));
  I.depth = uint32_t(std::max<size_t>(E.depth, 1));
  I.texelBytes = TexelBytes;
  I.pitch = size_t(TexelBytes) * I.width;
  I.slice = I.pitch * I.height;
  return I;
}

cudaError_t makeArray(const cudaChannelFormatDesc &Desc, cudaExtent Extent,
                      unsigned Flags, cudaArray_t &Out) {
  TexelFormat Format;
  if (cudaError_t Error = enterRisky(Risk::Unsafe))
    return Error;
  if (cudaError_t Error = readFormat(Desc, Format))
    return Error;
  if (cudaError_t Error = checkFlags(Extent, Flags))
    return Error;
  auto Array = std::make_unique<cudaArray>(
      cudaArray{Desc, Extent, Flags, layOut(Extent, Format.Bytes)});
  void *Memory;
  if (cudaError_t Error =
          allocate(MemKind::Device, bytesOf(Array->Image), 0, Memory))
    return Error;
  Array->Image.data = static_cast<char *>(Memory);
  Out = arrays().add(std::move(Array));
  return cudaSuccess;
}

/// The extent of the next level. Layers stay.
static cudaExtent half(const cudaExtent &E, bool Layered) {
  auto Half = [](size_t N) { return N ? std::max<size_t>(N / 2, 1) : 0; };
  return {Half(E.width), Half(E.height), Layered ? E.depth : Half(E.depth)};
}

cudaError_t makeMipmap(const cudaChannelFormatDesc &Desc, cudaExtent Extent,
                       unsigned Levels, unsigned Flags,
                       cudaMipmappedArray_t &Out) {
  TexelFormat Format;
  if (cudaError_t Error = enterRisky(Risk::Unsafe))
    return Error;
  if (cudaError_t Error = readFormat(Desc, Format))
    return Error;
  if (cudaError_t Error = checkFlags(Extent, Flags))
    return Error;
  const bool Layered = Flags & (cudaArrayLayered | cudaArrayCubemap);
  const size_t Longest = std::max(
      {Extent.width, Extent.height, Layered ? size_t(1) : Extent.depth});
  if (!fits(Longest, Attr::MaxTexture2DMipmappedWidth))
    return cudaErrorInvalidValue;
  // CUDA clamps the number of levels to what the extent has.
  const unsigned Most = unsigned(std::bit_width(Longest));
  auto Mipmap = std::make_unique<cudaMipmappedArray>();
  size_t Bytes = 0;
  for (unsigned L = 0, N = std::clamp(Levels, 1u, Most); L != N; ++L) {
    Mipmap->Levels.push_back(
        {Desc, Extent, Flags, layOut(Extent, Format.Bytes)});
    Bytes += bytesOf(Mipmap->Levels.back().Image);
    Extent = half(Extent, Layered);
  }
  void *Memory;
  if (cudaError_t Error = allocate(MemKind::Device, Bytes, 0, Memory))
    return Error;
  auto *At = static_cast<char *>(Memory);
  for (cudaArray &L : Mipmap->Levels) {
    L.Image.data = At;
    At += bytesOf(L.Image);
  }
  Out = mipmaps().add(std::move(Mipmap));
  return cudaSuccess;
}

static cudaError_t freeTexels(const EchoCpuImage &First) {
  Allocation A;
  if (!takeAllocation(
          First.data, [](MemKind K) { return K == MemKind::Device; }, A))
    return cudaErrorInvalidValue;
  releaseMemory(A);
  return enter();
}

cudaError_t freeArray(cudaArray_t Array) {
  if (!Array)
    return cudaSuccess;
  if (cudaError_t Error = enterRisky(Risk::Unsafe))
    return Error;
  config().Lenient ? waitDevice() : settleDevice();
  std::unique_ptr<cudaArray> Gone = arrays().take(Array);
  return Gone ? freeTexels(Gone->Image) : cudaErrorInvalidValue;
}

cudaError_t freeMipmap(cudaMipmappedArray_t Mipmap) {
  if (!Mipmap)
    return cudaSuccess;
  if (cudaError_t Error = enterRisky(Risk::Unsafe))
    return Error;
  config().Lenient ? waitDevice() : settleDevice();
  std::unique_ptr<cudaMipmappedArray> Gone = mipmaps().take(Mipmap);
  return Gone ? freeTexels(Gone->Levels[0].Image) : cudaErrorInvalidValue;
}

bool isArray(cudaArray_const_t Array) {
  return arrays().contains(Array) ||
         mipmaps().any([&](const cudaMipmappedArray &M) {
           return std::any_of(M.Levels.begin(), M.Levels.end(),
                              [&](const cudaArray &L) { return &L == Array; });
         });
}

bool isMipmap(cudaMipmappedArray_const_t Mipmap) {
  return mipmaps().contains(Mipmap);
}

void forgetArrays() {
  arrays().clear();
  mipmaps().clear();
}

} // namespace echo::cpu
