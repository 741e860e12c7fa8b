//===- TextureSupport.h - Textures written by hand --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's functions for textures and surfaces, as echo-cc finds
// them, and objects of small images to call them with.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPU_TEXTURESUPPORT_H
#define ECHO_TEST_UNIT_CPU_TEXTURESUPPORT_H

#include "runtime/abi/CpuTexture.h"

#include <cstring>
#include <vector>

typedef uint32_t Texel __attribute__((vector_size(16)));

extern "C" {
Texel echo_tex_sample(const EchoCpuTexture *, unsigned, float, float, float,
                      uint32_t, float);
Texel echo_tex_cube(const EchoCpuTexture *, float, float, float, uint32_t,
                    float);
Texel echo_tex_fetch(const EchoCpuTexture *, int);
Texel echo_tex_gather(const EchoCpuTexture *, float, float, unsigned);
float echo_tex_level(const EchoCpuTexture *, unsigned, float, float, float,
                     float, float, float);
uint64_t echo_surface_load(const EchoCpuSurface *, int, int, int, unsigned,
                           unsigned, unsigned, unsigned);
void echo_surface_store(const EchoCpuSurface *, int, int, int, unsigned,
                        unsigned, unsigned, unsigned, uint64_t);
}

inline float floatOf(uint32_t Bits) {
  float V;
  memcpy(&V, &Bits, sizeof V);
  return V;
}

/// A texture of one level.
template <typename T> struct Picture {
  std::vector<T> Data;
  EchoCpuTexture Texture = {};

  Picture(std::vector<T> Values, EchoCpuChannel Channel, uint32_t Channels,
          uint32_t Width, uint32_t Height = 1, uint32_t Depth = 1)
      : Data(std::move(Values)) {
    Texture.channel = Channel;
    Texture.channels = Channels;
    Texture.numLevels = 1;
    const uint32_t Bytes = uint32_t(sizeof(T)) * Channels;
    Texture.levels[0] = {reinterpret_cast<char *>(Data.data()),
                         uint64_t(Bytes) * Width,
                         uint64_t(Bytes) * Width * Height,
                         Width,
                         Height,
                         Depth,
                         Bytes};
  }
  Picture(const Picture &Other) : Data(Other.Data), Texture(Other.Texture) {
    Texture.levels[0].data = reinterpret_cast<char *>(Data.data());
  }
  Picture &operator=(const Picture &) = delete;

  Picture &flags(uint32_t Flags) {
    Texture.flags = Flags;
    return *this;
  }
  Picture &address(EchoCpuAddress Mode) {
    for (uint32_t &A : Texture.address)
      A = Mode;
    return *this;
  }
  /// The first channel at a place.
  float at(float X) const {
    return floatOf(echo_tex_sample(&Texture, 1, X, 0, 0, 0, 0)[0]);
  }
  float at(float X, float Y) const {
    return floatOf(echo_tex_sample(&Texture, 2, X, Y, 0, 0, 0)[0]);
  }
  float at(float X, float Y, float Z) const {
    return floatOf(echo_tex_sample(&Texture, 3, X, Y, Z, 0, 0)[0]);
  }
};

inline Picture<float> floats(std::vector<float> Values, uint32_t Width,
                             uint32_t Height = 1, uint32_t Depth = 1) {
  return {std::move(Values), ECHO_CPU_WORD, 1, Width, Height, Depth};
}

#endif
