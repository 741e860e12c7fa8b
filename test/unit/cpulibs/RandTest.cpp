//===- RandTest.cpp - cuRAND's host API -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions by their moments, sequences by seed and offset, streams.
//
//===----------------------------------------------------------------------===//
#include "DeviceArray.h"

#include <algorithm>
#include <cmath>
#include <curand.h>

#define CHECK_RAND(Call) CHECK(int(Call) == int(CURAND_STATUS_SUCCESS))

namespace {
class Generator {
public:
  explicit Generator(bool Host = false) {
    auto *Create = Host ? curandCreateGeneratorHost : curandCreateGenerator;
    REQUIRE(Create(&G, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  }
  ~Generator() { curandDestroyGenerator(G); }
  Generator(const Generator &) = delete;
  Generator &operator=(const Generator &) = delete;
  operator curandGenerator_t() const { return G; }

private:
  curandGenerator_t G;
};

struct Moments {
  double Mean = 0, Deviation = 0, Least = INFINITY, Largest = -INFINITY;
};
} // namespace

template <typename T> static Moments momentsOf(const DeviceArray<T> &A) {
  Moments M;
  std::vector<T> V = A.read();
  for (T X : V) {
    M.Mean += double(X) / V.size();
    M.Least = std::min(M.Least, double(X));
    M.Largest = std::max(M.Largest, double(X));
  }
  for (T X : V)
    M.Deviation += (X - M.Mean) * (X - M.Mean) / V.size();
  M.Deviation = std::sqrt(M.Deviation);
  return M;
}

static const size_t Count = 20000;

TEMPLATE_TEST_CASE("distributions", "", float, double) {
  using T = TestType;
  Generator G;
  DeviceArray<T> A(Count);
  if constexpr (std::is_same_v<T, float>)
    CHECK_RAND(curandGenerateUniform(G, A, Count));
  else
    CHECK_RAND(curandGenerateUniformDouble(G, A, Count));
  Moments M = momentsOf(A);
  CHECK(M.Mean == Approx(0.5).margin(0.02));
  CHECK(M.Deviation == Approx(std::sqrt(1 / 12.0)).margin(0.02));
  CHECK(M.Least > 0);
  CHECK(M.Largest <= 1);
  if constexpr (std::is_same_v<T, float>)
    CHECK_RAND(curandGenerateNormal(G, A, Count, 3, 2));
  else
    CHECK_RAND(curandGenerateNormalDouble(G, A, Count, 3, 2));
  M = momentsOf(A);
  CHECK(M.Mean == Approx(3).margin(0.1));
  CHECK(M.Deviation == Approx(2).margin(0.1));
  if constexpr (std::is_same_v<T, float>)
    CHECK_RAND(curandGenerateLogNormal(G, A, Count, 0, 0.5f));
  else
    CHECK_RAND(curandGenerateLogNormalDouble(G, A, Count, 0, 0.5));
  CHECK(momentsOf(A).Mean == Approx(std::exp(0.125)).margin(0.05));
}

TEST_CASE("whole numbers") {
  Generator G;
  DeviceArray<unsigned> A(Count);
  CHECK_RAND(curandGenerate(G, A, Count));
  CHECK(momentsOf(A).Mean / 0x1p32 == Approx(0.5).margin(0.02));
  CHECK_RAND(curandGeneratePoisson(G, A, Count, 4));
  Moments M = momentsOf(A);
  CHECK(M.Mean == Approx(4).margin(0.1));
  CHECK(M.Deviation == Approx(2).margin(0.1));
}

TEST_CASE("seed and offset determine the sequence, calls continue it") {
  Generator One, Two, Other, Host(true);
  for (curandGenerator_t G : {curandGenerator_t(One), curandGenerator_t(Two),
                              curandGenerator_t(Host)})
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(G, 7));
  CHECK_RAND(curandSetPseudoRandomGeneratorSeed(Other, 8));
  DeviceArray<unsigned> A(8), B(8), C(8);
  CHECK_RAND(curandGenerate(One, A, 8));
  CHECK_RAND(curandGenerate(Two, B, 4));
  CHECK_RAND(curandGenerate(Two, B + 4, 4));
  CHECK_RAND(curandGenerate(Other, C, 8));
  CHECK(A.read() == B.read());
  CHECK(A.read() != C.read());
  CHECK_RAND(curandSetGeneratorOffset(Two, 4));
  CHECK_RAND(curandGenerate(Two, B, 4));
  CHECK(B.read()[0] == A.read()[4]);
  std::vector<unsigned> Here(8);
  CHECK_RAND(curandGenerate(Host, Here.data(), 8));
  CHECK(Here == A.read());
}

TEST_CASE("numbers are work of the generator's stream; bad arguments") {
  Generator G;
  cudaStream_t S;
  REQUIRE(cudaStreamCreate(&S) == cudaSuccess);
  CHECK_RAND(curandSetStream(G, S));
  DeviceArray<float> A(8);
  CHECK_RAND(curandGenerateUniform(G, A, 8));
  REQUIRE(cudaStreamSynchronize(S) == cudaSuccess);
  CHECK(momentsOf(A).Least > 0);
  CHECK(curandGenerateNormal(G, A, 7, 0, 1) ==
        CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandGeneratePoisson(G, nullptr, 8, 0) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGenerateUniform(nullptr, A, 8) == CURAND_STATUS_NOT_INITIALIZED);
  curandGenerator_t Quasi;
  CHECK(curandCreateGenerator(&Quasi, CURAND_RNG_QUASI_SOBOL32) ==
        CURAND_STATUS_TYPE_ERROR);
  CHECK_RAND(curandSetStream(G, nullptr));
  CHECK(cudaStreamDestroy(S) == cudaSuccess);
}
