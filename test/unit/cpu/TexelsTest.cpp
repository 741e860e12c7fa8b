//===- TexelsTest.cpp - Formats of textures, bytes of surfaces ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each format reads as, and what surfaces load and store.
//
//===----------------------------------------------------------------------===//
#include "Support.h"
#include "TextureSupport.h"

static constexpr uint32_t Part = ECHO_CPU_NORMALIZED_READ;

template <typename T> static Texel first(const Picture<T> &P) {
  return echo_tex_fetch(&P.Texture, 0);
}

TEST_CASE("integers are read as they are") {
  Picture<uint8_t> U8({200, 1, 2, 3}, ECHO_CPU_U8, 4, 1);
  Texel R = first(U8);
  CHECK((R[0] == 200 && R[1] == 1 && R[2] == 2 && R[3] == 3));
  CHECK(int(first(Picture<int8_t>({-128}, ECHO_CPU_S8, 1, 1))[0]) == -128);
  CHECK(first(Picture<uint16_t>({65535}, ECHO_CPU_U16, 1, 1))[0] == 65535);
  CHECK(int(first(Picture<int16_t>({-2}, ECHO_CPU_S16, 1, 1))[0]) == -2);
  CHECK(first(Picture<uint32_t>({0xfedcba98}, ECHO_CPU_WORD, 1, 1))[0] ==
        0xfedcba98);
}

TEST_CASE("channels that a format lacks are 0") {
  Texel R = first(Picture<uint16_t>({7, 8}, ECHO_CPU_U16, 2, 1));
  CHECK((R[0] == 7 && R[1] == 8 && R[2] == 0 && R[3] == 0));
}

TEST_CASE("integers are read as fractions") {
  auto Of = [](auto P) { return floatOf(first(P.flags(Part))[0]); };
  CHECK(Of(Picture<uint8_t>({255}, ECHO_CPU_U8, 1, 1)) == 1);
  CHECK(Of(Picture<uint8_t>({51}, ECHO_CPU_U8, 1, 1)) == 0.2f);
  CHECK(Of(Picture<int8_t>({127}, ECHO_CPU_S8, 1, 1)) == 1);
  CHECK(Of(Picture<int8_t>({-127}, ECHO_CPU_S8, 1, 1)) == -1);
  CHECK(Of(Picture<int8_t>({-128}, ECHO_CPU_S8, 1, 1)) == -1);
  CHECK(Of(Picture<uint16_t>({13107}, ECHO_CPU_U16, 1, 1)) == 0.2f);
  CHECK(Of(Picture<int16_t>({-32768}, ECHO_CPU_S16, 1, 1)) == -1);
  CHECK(Of(Picture<int16_t>({32767}, ECHO_CPU_S16, 1, 1)) == 1);
}

TEST_CASE("halves and sRGB become floats") {
  CHECK(floatOf(first(Picture<uint16_t>({0xbe00}, ECHO_CPU_HALF, 1, 1))[0]) ==
        -1.5f);
  Picture<uint8_t> P({255, 10, 128, 128}, ECHO_CPU_U8, 4, 1);
  Texel R = first(P.flags(Part | ECHO_CPU_SRGB));
  CHECK(floatOf(R[0]) == 1);
  CHECK(floatOf(R[1]) == Approx(10 / 255.0 / 12.92));
  CHECK(floatOf(R[2]) == Approx(0.215861).epsilon(1e-5));
  CHECK(floatOf(R[3]) == Approx(128 / 255.0)); // alpha stays
}

TEST_CASE("surfaces load and store bytes") {
  std::vector<uint16_t> Data = {1, 2, 3, 4, 5, 6, 7, 8};
  EchoCpuSurface S = {
      {reinterpret_cast<char *>(Data.data()), 8, 16, 4, 2, 1, 2}};
  auto Load = [&](int X, int Y, unsigned Boundary) {
    return echo_surface_load(&S, X, Y, 0, Boundary, 2, 1, 0);
  };
  CHECK(Load(2, 1, ECHO_CPU_TRAP) == 6);
  CHECK(Load(8, 0, ECHO_CPU_ZERO) == 0);
  CHECK(Load(-2, 0, ECHO_CPU_ZERO) == 0);
  CHECK(Load(0, 2, ECHO_CPU_ZERO) == 0);
  CHECK(Load(100, 0, ECHO_CPU_NEAREST) == 4);
  CHECK(Load(-1, 9, ECHO_CPU_NEAREST) == 5);
  // Half of the element lies outside.
  CHECK(Load(7, 0, ECHO_CPU_ZERO) == 0);
  // Two parts of one element.
  CHECK(echo_surface_load(&S, 4, 0, 0, ECHO_CPU_TRAP, 2, 2, 1) == 4);
  echo_surface_store(&S, 6, 1, 0, ECHO_CPU_TRAP, 2, 1, 0, 99);
  CHECK(Data[7] == 99);
  const std::vector<uint16_t> Before = Data;
  echo_surface_store(&S, 8, 1, 0, ECHO_CPU_ZERO, 2, 1, 0, 55);
  echo_surface_store(&S, 0, 0, 1, ECHO_CPU_ZERO, 2, 1, 0, 55);
  CHECK(Data == Before);
  echo_surface_store(&S, 0, 9, 0, ECHO_CPU_NEAREST, 2, 1, 0, 55);
  CHECK(Data[4] == 55);
}

static void storesOutside(const EchoCpuBlock *B) {
  echo_surface_store(param<EchoCpuSurface *>(B, 0), 8, 0, 0, ECHO_CPU_TRAP, 2,
                     1, 0, 1);
}

TEST_CASE("child: store beyond a surface", "[.]") {
  TestKernel K("storesOutside", TestKernel::Loop, storesOutside, 1);
  uint16_t Data[8] = {};
  EchoCpuSurface S = {{reinterpret_cast<char *>(Data), 8, 16, 4, 2, 1, 2}};
  REQUIRE_CUDA(K.launch({1}, {1}, 0, nullptr, &S));
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(Data[4] == 0);
}

TEST_CASE("an access beyond a surface stops the kernel") {
  ChildResult R = runChild("child: store beyond a surface", {});
  INFO(R.Output);
  CHECK(R.Status == 0);
}
