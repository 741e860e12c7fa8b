//===- Texels.h - Texels of a texture, by index -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads one texel: converts its channels to what a fetch returns, and finds the
// index that an address mode gives for one outside of the image. The rules are
// those of the CUDA C++ Programming Guide, "Texture Fetching". It must never
// read beyond the image.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_DEVLIB_TEXELS_H
#define ECHO_RUNTIME_CPU_DEVLIB_TEXELS_H

#include "DeviceLibrary.h"
#include "runtime/abi/CpuTexture.h"

namespace echo::device {

/// The bits of four channels, integers or floats; those that a format lacks
/// are 0.
typedef uint32_t Texel __attribute__((vector_size(16)));

/// Four floats as bits.
inline Texel texelOf(const float *V) {
  return Texel{bits<uint32_t>(V[0]), bits<uint32_t>(V[1]), bits<uint32_t>(V[2]),
               bits<uint32_t>(V[3])};
}

/// What lies outside has no index.
inline constexpr int Outside = -1;

/// The index in [0, \p Size) for \p I under an address mode, or Outside.
inline int resolve(int I, int Size, uint32_t Mode) {
  if (I >= 0 && I < Size)
    return I;
  if (Mode == ECHO_CPU_CLAMP)
    return I < 0 ? 0 : Size - 1;
  if (Mode == ECHO_CPU_BORDER)
    return Outside;
  const int Period = Mode == ECHO_CPU_WRAP ? Size : 2 * Size;
  const int Rest = (I % Period + Period) % Period;
  return Rest < Size ? Rest : Period - 1 - Rest;
}

/// sRGB's transfer function.
inline float linearOf(float V) {
  return V <= 0.04045f ? V / 12.92f
                       : __builtin_powf((V + 0.055f) / 1.055f, 2.4f);
}

/// Channel \p C of a texel, whose type is \p Raw, converted by \p Convert.
template <typename Raw, typename Fn>
inline Texel channels(const char *P, uint32_t Count, Fn Convert) {
  Texel Result = {0, 0, 0, 0};
  for (uint32_t C = 0; C != Count; ++C) {
    Raw V;
    __builtin_memcpy(&V,
                     __builtin_assume_aligned(P + C * sizeof(Raw), sizeof(Raw)),
                     sizeof(Raw));
    Result[C] = Convert(V, C);
  }
  return Result;
}

/// Unsigned integers: themselves, or a part of \p Max.
template <typename Raw>
inline Texel unsignedChannels(const EchoCpuTexture &T, const char *P,
                              float Max) {
  return channels<Raw>(P, T.channels, [&](Raw V, uint32_t C) {
    if (!(T.flags & ECHO_CPU_NORMALIZED_READ))
      return uint32_t(V);
    const float Part = float(V) / Max;
    return bits<uint32_t>(T.flags & ECHO_CPU_SRGB && C != 3 ? linearOf(Part)
                                                            : Part);
  });
}

/// Signed ones; the least integer is -1, too.
template <typename Raw>
inline Texel signedChannels(const EchoCpuTexture &T, const char *P, float Max) {
  return channels<Raw>(P, T.channels, [&](Raw V, uint32_t) {
    if (!(T.flags & ECHO_CPU_NORMALIZED_READ))
      return uint32_t(int32_t(V));
    const float Part = float(V) / Max;
    return bits<uint32_t>(Part < -1 ? -1.0f : Part);
  });
}

/// A texel of channels that have to be converted.
inline Texel converted(const EchoCpuTexture &T, const char *P) {
  switch (T.channel) {
  case ECHO_CPU_U8:
    return unsignedChannels<uint8_t>(T, P, 255);
  case ECHO_CPU_S8:
    return signedChannels<int8_t>(T, P, 127);
  case ECHO_CPU_U16:
    return unsignedChannels<uint16_t>(T, P, 65535);
  case ECHO_CPU_S16:
    return signedChannels<int16_t>(T, P, 32767);
  default: // ECHO_CPU_HALF
    return channels<uint16_t>(P, T.channels, [](uint16_t V, uint32_t) {
      return bits<uint32_t>(float(bits<_Float16>(V)));
    });
  }
}

inline Texel texelAt(const EchoCpuTexture &T, const char *P) {
  if (T.channel != ECHO_CPU_WORD)
    return converted(T, P);
  return channels<uint32_t>(P, T.channels,
                            [](uint32_t V, uint32_t) { return V; });
}

/// The texel of these indices, or the border where one is Outside.
inline Texel texel(const EchoCpuTexture &T, const EchoCpuImage &I, int X, int Y,
                   int Z) {
  if (X == Outside || Y == Outside || Z == Outside)
    return texelOf(T.border);
  return texelAt(T, I.data + uint64_t(Z) * I.slice + uint64_t(Y) * I.pitch +
                        uint64_t(X) * I.texelBytes);
}

} // namespace echo::device

#endif
