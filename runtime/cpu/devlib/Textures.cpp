//===- Textures.cpp - Texture fetches -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tex and tld4 of PTX do: finds texels by coordinates and filters them, by
// the formulas of the CUDA C++ Programming Guide, "Texture Fetching". Weights
// have 8 bits of fraction. The result is four words, whatever type the
// instruction names.
//
//===----------------------------------------------------------------------===//
#include "Texels.h"

using namespace echo::device;

namespace {

/// The texels that one coordinate lies between.
struct Axis {
  int First, Second;
  float Weight; ///< of Second
};

/// The integer below, without a call; far numbers and what is none stay far
/// from all images.
int below(float X) {
  constexpr float Far = 0x1p30f;
  X = X > -Far ? X : -Far;
  X = X < Far ? X : Far;
  const int Toward0 = int(X);
  return Toward0 - (float(Toward0) > X);
}

/// What is above the integer below; 0 for far numbers.
float fraction(float X) {
  const float Part = X - float(below(X));
  return Part >= 0 && Part <= 1 ? Part : 0;
}

/// A weight between 0 and 1 in steps of 1/256.
float weight(float Part) { return float(below(Part * 256 + 0.5f)) / 256; }

/// A coordinate in texels.
float inTexels(float X, uint32_t Size, uint32_t Mode, bool Normalized) {
  if (!Normalized)
    return X;
  // Without whole periods, whose texels are the same.
  if (Mode == ECHO_CPU_WRAP)
    X = fraction(X);
  else if (Mode == ECHO_CPU_MIRROR)
    X = 2 * fraction(X / 2);
  return X * float(Size);
}

Axis axis(float X, uint32_t Size, uint32_t Mode, bool Linear, bool Normalized) {
  X = inTexels(X, Size, Mode, Normalized);
  const int N = int(Size);
  if (!Linear) {
    const int I = resolve(below(X), N, Mode);
    return {I, I, 0};
  }
  const float Base = X - 0.5f;
  const int I = below(Base);
  return {resolve(I, N, Mode), resolve(I + 1, N, Mode), weight(fraction(Base))};
}

/// Four channels of a texel that is read as floats.
typedef float Color __attribute__((vector_size(16)));

/// The mean of 2 texels in each of \p Dims axes.
template <unsigned Dims>
Texel filtered(const EchoCpuTexture &T, const EchoCpuImage &I,
               const Axis (&Axes)[3]) {
  Color Sum = {0, 0, 0, 0};
  for (unsigned Corner = 0; Corner != 1u << Dims; ++Corner) {
    float Weight = 1;
    int Index[3];
    for (unsigned D = 0; D != 3; ++D) {
      const Axis &A = Axes[D];
      const bool Second = Corner >> D & 1;
      Index[D] = Second ? A.Second : A.First;
      if (D < Dims)
        Weight *= Second ? A.Weight : 1 - A.Weight;
    }
    if (Weight != 0)
      Sum += Weight * bits<Color>(texel(T, I, Index[0], Index[1], Index[2]));
  }
  return bits<Texel>(Sum);
}

/// \p Slice is the layer or face, where the fetch names one.
template <unsigned Dims>
Texel sampleLevel(const EchoCpuTexture &T, const EchoCpuImage &I,
                  const float *X, uint32_t Slice, bool Normalized) {
  const bool Linear = T.flags & ECHO_CPU_LINEAR_FILTER;
  const uint32_t Sizes[] = {I.width, I.height, I.depth};
  const uint32_t Layer = Slice < I.depth ? Slice : I.depth - 1;
  Axis Axes[3] = {{0, 0, 0}, {0, 0, 0}, {int(Layer), int(Layer), 0}};
  for (unsigned D = 0; D != Dims; ++D)
    Axes[D] = axis(X[D], Sizes[D], T.address[D], Linear, Normalized);
  if (Linear)
    return filtered<Dims>(T, I, Axes);
  return texel(T, I, Axes[0].First, Axes[1].First, Axes[2].First);
}

template <unsigned Dims>
Texel sample(const EchoCpuTexture &T, const float *X, uint32_t Slice,
             float Level, bool Normalized) {
  if (T.numLevels == 1)
    return sampleLevel<Dims>(T, T.levels[0], X, Slice, Normalized);
  const float Last = float(T.numLevels - 1);
  Level =
      __builtin_fminf(__builtin_fmaxf(Level + T.bias, T.minLevel), T.maxLevel);
  Level = __builtin_fminf(__builtin_fmaxf(Level, 0), Last);
  if (!(T.flags & ECHO_CPU_LINEAR_MIPMAP))
    return sampleLevel<Dims>(T, T.levels[below(Level + 0.5f)], X, Slice,
                             Normalized);
  const int First = below(Level);
  const float Weight = weight(Level - float(First));
  Texel Result = sampleLevel<Dims>(T, T.levels[First], X, Slice, Normalized);
  if (Weight == 0)
    return Result;
  const Texel Next =
      sampleLevel<Dims>(T, T.levels[First + 1], X, Slice, Normalized);
  for (unsigned C = 0; C != T.channels; ++C)
    Result[C] = bits<uint32_t>((1 - Weight) * bits<float>(Result[C]) +
                               Weight * bits<float>(Next[C]));
  return Result;
}

float magnitude(float X) { return __builtin_fabsf(X); }

} // namespace

/// tex of one to three dimensions; \p Slice is the layer, or 0.
ECHO_LARGE Texel echo_tex_sample(const EchoCpuTexture *T, unsigned Dims,
                                 float X, float Y, float Z, uint32_t Slice,
                                 float Level) {
  const float At[] = {X, Y, Z};
  const bool Normalized = T->flags & ECHO_CPU_NORMALIZED_COORDS;
  return Dims == 1   ? sample<1>(*T, At, Slice, Level, Normalized)
         : Dims == 2 ? sample<2>(*T, At, Slice, Level, Normalized)
                     : sample<3>(*T, At, Slice, Level, Normalized);
}

/// tex of a cube map: the largest coordinate names the face. The guide leaves
/// ties open; here the last of them counts.
ECHO_LARGE Texel echo_tex_cube(const EchoCpuTexture *T, float X, float Y,
                               float Z, uint32_t Layer, float Level) {
  const float AX = magnitude(X), AY = magnitude(Y), AZ = magnitude(Z);
  unsigned Face;
  float S, U, M;
  if (AZ >= AX && AZ >= AY) {
    Face = Z < 0 ? 5 : 4;
    M = AZ;
    S = Z < 0 ? -X : X;
    U = -Y;
  } else if (AY >= AX) {
    Face = Y < 0 ? 3 : 2;
    M = AY;
    S = X;
    U = Y < 0 ? -Z : Z;
  } else {
    Face = X < 0 ? 1 : 0;
    M = AX;
    S = X < 0 ? Z : -Z;
    U = -Y;
  }
  const float Coordinates[] = {(S / M + 1) / 2, (U / M + 1) / 2};
  return sample<2>(*T, Coordinates, 6 * Layer + Face, Level, true);
}

/// tex with an integer coordinate: no filter, no normalization.
ECHO_DEVICE Texel echo_tex_fetch(const EchoCpuTexture *T, int X) {
  const EchoCpuImage &I = T->levels[0];
  return texel(*T, I, resolve(X, int(I.width), T->address[0]), 0, 0);
}

/// tld4: one channel of the four texels that a linear filter would read.
ECHO_LARGE Texel echo_tex_gather(const EchoCpuTexture *T, float X, float Y,
                                 unsigned Channel) {
  const EchoCpuImage &I = T->levels[0];
  const bool Normalized = T->flags & ECHO_CPU_NORMALIZED_COORDS;
  const Axis AX = axis(X, I.width, T->address[0], true, Normalized);
  const Axis AY = axis(Y, I.height, T->address[1], true, Normalized);
  return Texel{texel(*T, I, AX.First, AY.Second, 0)[Channel],
               texel(*T, I, AX.Second, AY.Second, 0)[Channel],
               texel(*T, I, AX.Second, AY.First, 0)[Channel],
               texel(*T, I, AX.First, AY.First, 0)[Channel]};
}

/// The level of tex.grad: where the longer of two steps is one texel long.
ECHO_LARGE float echo_tex_level(const EchoCpuTexture *T, unsigned Dims,
                                float XX, float XY, float XZ, float YX,
                                float YY, float YZ) {
  const EchoCpuImage &I = T->levels[0];
  const bool Normalized = T->flags & ECHO_CPU_NORMALIZED_COORDS;
  const uint32_t Sizes[] = {I.width, I.height, I.depth};
  const float Steps[2][3] = {{XX, XY, XZ}, {YX, YY, YZ}};
  float Longest = 0;
  for (const auto &Step : Steps) {
    float Square = 0;
    for (unsigned D = 0; D != Dims; ++D) {
      const float Texels = Step[D] * (Normalized ? float(Sizes[D]) : 1);
      Square += Texels * Texels;
    }
    Longest = __builtin_fmaxf(Longest, Square);
  }
  // Half the logarithm of the square; no step is as short as can be.
  return Longest > 0 ? __builtin_log2f(Longest) / 2 : -0x1p10f;
}
