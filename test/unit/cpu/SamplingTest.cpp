//===- SamplingTest.cpp - Coordinates, address modes, filters -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values worked out by hand from the formulas of the CUDA C++ Programming
// Guide, "Texture Fetching".
//
//===----------------------------------------------------------------------===//
#include "TextureSupport.h"

#include <catch2/catch.hpp>
#include <limits>

static constexpr uint32_t Normalized = ECHO_CPU_NORMALIZED_COORDS;
static constexpr uint32_t Linear = ECHO_CPU_LINEAR_FILTER;

static Picture<float> four() { return floats({10, 20, 30, 40}, 4); }

TEST_CASE("the nearest texel, clamped") {
  Picture<float> P = four().address(ECHO_CPU_CLAMP);
  CHECK(P.at(0) == 10);
  CHECK(P.at(0.99f) == 10);
  CHECK(P.at(1) == 20);
  CHECK(P.at(3.9f) == 40);
  CHECK(P.at(4) == 40);
  CHECK(P.at(-1) == 10);
  CHECK(P.at(1e30f) == 40);
  CHECK(P.at(-1e30f) == 10);
  P.flags(Normalized);
  CHECK(P.at(0.25f) == 20);
  CHECK(P.at(1.5f) == 40);
  CHECK(P.at(-0.5f) == 10);
}

TEST_CASE("the border is what lies outside") {
  Picture<float> P = four().address(ECHO_CPU_BORDER);
  P.Texture.border[0] = 7;
  CHECK(P.at(-0.1f) == 7);
  CHECK(P.at(0) == 10);
  CHECK(P.at(3.9f) == 40);
  CHECK(P.at(4) == 7);
  CHECK(P.at(std::numeric_limits<float>::quiet_NaN()) == 7);
  P.flags(Linear);
  CHECK(P.at(0) == 8.5f);  // halfway from 7 to 10
  CHECK(P.at(4) == 23.5f); // halfway from 40 to 7
  CHECK(P.at(-2) == 7);
}

TEST_CASE("wrapped and mirrored coordinates") {
  Picture<float> P = four().address(ECHO_CPU_WRAP).flags(Normalized);
  CHECK(P.at(1.125f) == 10);
  CHECK(P.at(-0.125f) == 40);
  CHECK(P.at(-7.375f) == 30);
  P.flags(Normalized | Linear);
  CHECK(P.at(0) == 25); // halfway from 40 to 10
  CHECK(P.at(3) == 25);
  P.address(ECHO_CPU_MIRROR).flags(Normalized);
  CHECK(P.at(1.125f) == 40);
  CHECK(P.at(1.875f) == 10);
  CHECK(P.at(-0.125f) == 10);
  CHECK(P.at(2.125f) == 10);
  P.flags(Normalized | Linear);
  CHECK(P.at(0) == 10);
  CHECK(P.at(1) == 40);
  CHECK(P.at(1.25f) == 35); // as 0.75, between 30 and 40
}

TEST_CASE("linear filtering in one dimension") {
  Picture<float> P = four().address(ECHO_CPU_CLAMP).flags(Linear);
  CHECK(P.at(0.5f) == 10);
  CHECK(P.at(1) == 15);
  CHECK(P.at(1.25f) == 17.5f);
  CHECK(P.at(0) == 10);
  CHECK(P.at(4) == 40);
  P.flags(Linear | Normalized);
  CHECK(P.at(0.25f) == 15);
}

TEST_CASE("weights have eight bits of fraction") {
  Picture<float> P = floats({0, 256}, 2).address(ECHO_CPU_CLAMP).flags(Linear);
  CHECK(P.at(0.5f + 1.0f / 256) == 1);
  CHECK(P.at(0.5f + 1.25f / 256) == 1);
  CHECK(P.at(0.5f + 1.75f / 256) == 2);
  // One is a weight.
  CHECK(P.at(0.5f + 255.75f / 256) == 256);
}

TEST_CASE("linear filtering in two and three dimensions") {
  Picture<float> P =
      floats({0, 1, 2, 3}, 2, 2).address(ECHO_CPU_CLAMP).flags(Linear);
  CHECK(P.at(1, 1) == 1.5f);
  // 0.75*0.5*0 + 0.25*0.5*1 + 0.75*0.5*2 + 0.25*0.5*3
  CHECK(P.at(0.75f, 1) == 1.25f);
  Picture<float> V = floats({0, 1, 2, 3, 4, 5, 6, 7}, 2, 2, 2)
                         .address(ECHO_CPU_CLAMP)
                         .flags(Linear);
  CHECK(V.at(1, 1, 1) == 3.5f);
  CHECK(V.at(0.5f, 0.5f, 1.25f) == 3);
  V.flags(0);
  CHECK(V.at(1, 0, 1) == 5);
}

TEST_CASE("each axis has its own address mode") {
  Picture<float> P = floats({0, 1, 2, 3}, 2, 2).flags(Normalized);
  P.Texture.address[0] = ECHO_CPU_WRAP;
  P.Texture.address[1] = ECHO_CPU_CLAMP;
  CHECK(P.at(1.25f, 1.25f) == 2);
  P.Texture.address[1] = ECHO_CPU_WRAP;
  CHECK(P.at(1.25f, 1.25f) == 0);
}

TEST_CASE("layers are never mixed, and clamped") {
  Picture<float> P =
      floats({1, 2, 3, 4}, 2, 1, 2).address(ECHO_CPU_CLAMP).flags(Linear);
  auto At = [&](float X, uint32_t Layer) {
    return floatOf(echo_tex_sample(&P.Texture, 1, X, 0, 0, Layer, 0)[0]);
  };
  CHECK(At(1, 0) == 1.5f);
  CHECK(At(1, 1) == 3.5f);
  CHECK(At(1, 2) == 3.5f);
}

TEST_CASE("a fetch by index") {
  Picture<float> P = four().address(ECHO_CPU_BORDER);
  auto At = [&](int X) { return floatOf(echo_tex_fetch(&P.Texture, X)[0]); };
  CHECK(At(0) == 10);
  CHECK(At(3) == 40);
  CHECK(At(4) == 0);
  CHECK(At(-1) == 0);
  CHECK(At(std::numeric_limits<int>::max()) == 0);
}

TEST_CASE("a gather takes one channel of the four texels around") {
  // Row by row: 1 2, 3 4; the second channel is ten times the first.
  Picture<float> P({1, 10, 2, 20, 3, 30, 4, 40}, ECHO_CPU_WORD, 2, 2, 2);
  P.address(ECHO_CPU_CLAMP);
  Texel R = echo_tex_gather(&P.Texture, 1, 1, 0);
  CHECK(floatOf(R[0]) == 3);
  CHECK(floatOf(R[1]) == 4);
  CHECK(floatOf(R[2]) == 2);
  CHECK(floatOf(R[3]) == 1);
  CHECK(floatOf(echo_tex_gather(&P.Texture, 1, 1, 1)[0]) == 30);
}

TEST_CASE("levels of a mipmap") {
  Picture<float> P = floats({1, 1, 1, 1, 3, 3, 7}, 4)
                         .address(ECHO_CPU_CLAMP)
                         .flags(Normalized);
  EchoCpuTexture &T = P.Texture;
  T.numLevels = 3;
  T.maxLevel = 2;
  T.levels[1] = T.levels[2] = T.levels[0];
  T.levels[1].data += 16;
  T.levels[1].width = 2;
  T.levels[2].data += 24;
  T.levels[2].width = 1;
  auto At = [&](float Level) {
    return floatOf(echo_tex_sample(&T, 1, 0.5f, 0, 0, 0, Level)[0]);
  };
  CHECK(At(0.4f) == 1);
  CHECK(At(0.6f) == 3);
  CHECK(At(9) == 7);
  CHECK(At(-9) == 1);
  T.flags |= ECHO_CPU_LINEAR_MIPMAP;
  CHECK(At(0.25f) == 1.5f);
  CHECK(At(1.5f) == 5);
  T.bias = 1;
  CHECK(At(0.25f) == 4);
  T.maxLevel = 1;
  CHECK(At(5) == 3);
  // Steps of half the image are two texels: level 1. The longer one counts.
  CHECK(echo_tex_level(&T, 1, 0.5f, 0, 0, 0.25f, 0, 0) == 1);
  CHECK(echo_tex_level(&T, 1, 0.25f, 0, 0, 1, 0, 0) == 2);
}

TEST_CASE("faces of a cube map") {
  Picture<float> P =
      floats({0, 1, 2, 3, 4, 5}, 1, 1, 6).address(ECHO_CPU_CLAMP);
  auto Face = [&](float X, float Y, float Z) {
    return floatOf(echo_tex_cube(&P.Texture, X, Y, Z, 0, 0)[0]);
  };
  CHECK(Face(2, 1, 1) == 0);
  CHECK(Face(-2, 1, 1) == 1);
  CHECK(Face(1, 2, 1) == 2);
  CHECK(Face(1, -2, 1) == 3);
  CHECK(Face(1, 1, 2) == 4);
  CHECK(Face(1, 1, -2) == 5);
}

TEST_CASE("places in a face of a cube map") {
  // Face f holds 4f to 4f + 3, row by row.
  std::vector<float> Values;
  for (int I = 0; I != 48; ++I)
    Values.push_back(float(I));
  Picture<float> P = floats(Values, 2, 2, 12).address(ECHO_CPU_CLAMP);
  auto At = [&](float X, float Y, float Z, uint32_t Layer = 0) {
    return floatOf(echo_tex_cube(&P.Texture, X, Y, Z, Layer, 0)[0]);
  };
  // The guide's table: s and t of each face.
  CHECK(At(1, 0.5f, -0.5f) == 0 + 1);   // s = -z, t = -y
  CHECK(At(-1, 0.5f, -0.5f) == 4 + 0);  // s = z, t = -y
  CHECK(At(0.5f, 1, -0.5f) == 8 + 1);   // s = x, t = z
  CHECK(At(0.5f, -1, -0.5f) == 12 + 3); // s = x, t = -z
  CHECK(At(0.5f, 0.5f, 1) == 16 + 1);   // s = x, t = -y
  CHECK(At(0.5f, 0.5f, -1) == 20 + 0);  // s = -x, t = -y
  CHECK(At(1, 0.5f, -0.5f, 1) == 24 + 1);
}
