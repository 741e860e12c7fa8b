//===- FftTest.cpp - cuFFT against sums by the definition -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type and direction, one to three dimensions, batches and strides, in
// place and out of place; plans, streams and bad arguments.
//
//===----------------------------------------------------------------------===//
#include "DeviceArray.h"

#include <atomic>
#include <cmath>
#include <cufft.h>
#include <thread>

#define CHECK_FFT(Call) CHECK(int(Call) == int(CUFFT_SUCCESS))

/// The transform of X, whose dimensions are Sizes (the last is the fastest).
static std::vector<Cx> transform(std::vector<Cx> X, std::vector<int> Sizes,
                                 int Sign) {
  size_t Inner = 1;
  for (size_t D = Sizes.size(); D--;) {
    const int N = Sizes[D];
    std::vector<Cx> Y(X.size());
    for (size_t At = 0; At != X.size(); ++At) {
      size_t First = At - At / Inner % N * Inner;
      int K = At / Inner % N;
      for (int J = 0; J != N; ++J)
        Y[At] +=
            X[First + J * Inner] * std::polar(1.0, Sign * 2 * M_PI * J * K / N);
    }
    X = Y;
    Inner *= N;
  }
  return X;
}

template <typename T> struct Fft;
template <> struct Fft<cufftComplex> {
  using Real = float;
  static constexpr auto CC = CUFFT_C2C, RC = CUFFT_R2C, CR = CUFFT_C2R;
  static constexpr auto Complex = cufftExecC2C;
  static constexpr auto Forward = cufftExecR2C;
  static constexpr auto Back = cufftExecC2R;
};
template <> struct Fft<cufftDoubleComplex> {
  using Real = double;
  static constexpr auto CC = CUFFT_Z2Z, RC = CUFFT_D2Z, CR = CUFFT_Z2D;
  static constexpr auto Complex = cufftExecZ2Z;
  static constexpr auto Forward = cufftExecD2Z;
  static constexpr auto Back = cufftExecZ2D;
};

/// A plan for the time of a test.
class Plan {
public:
  ~Plan() { cufftDestroy(P); }
  cufftHandle *operator&() { return &P; }
  operator cufftHandle() const { return P; }

private:
  cufftHandle P = 0;
};

static cufftResult makePlan(cufftHandle *P, const std::vector<int> &N,
                            cufftType Type, int Batch) {
  switch (N.size()) {
  case 1:
    return cufftPlan1d(P, N[0], Type, Batch);
  case 2:
    return cufftPlan2d(P, N[0], N[1], Type);
  default:
    return cufftPlan3d(P, N[0], N[1], N[2], Type);
  }
}

static size_t product(const std::vector<int> &N) {
  size_t P = 1;
  for (int X : N)
    P *= X;
  return P;
}

static const std::vector<int> Shapes[] = {{8}, {15}, {4, 6}, {3, 4, 5}};

TEMPLATE_TEST_CASE("complex transforms", "", cufftComplex, cufftDoubleComplex) {
  using F = Fft<TestType>;
  for (const std::vector<int> &N : Shapes)
    for (int Sign : {CUFFT_FORWARD, CUFFT_INVERSE})
      for (bool InPlace : {false, true}) {
        const int Batch = N.size() == 1 ? 3 : 1;
        const size_t Size = product(N);
        Plan P;
        REQUIRE(makePlan(&P, N, F::CC, Batch) == CUFFT_SUCCESS);
        DeviceArray<TestType> In(Size * Batch), Out(Size * Batch);
        std::vector<Cx> Before = In.values(), Want;
        for (int B = 0; B != Batch; ++B) {
          std::vector<Cx> Part(Before.begin() + B * Size,
                               Before.begin() + (B + 1) * Size);
          for (Cx X : transform(Part, N, Sign))
            Want.push_back(X);
        }
        CHECK_FFT(F::Complex(P, In, InPlace ? In.get() : Out.get(), Sign));
        checkEqual((InPlace ? In : Out).values(), Want, 1e-3);
        if (!InPlace)
          checkEqual(In.values(), Before);
      }
}

TEMPLATE_TEST_CASE("real transforms, there and back", "", cufftComplex,
                   cufftDoubleComplex) {
  using F = Fft<TestType>;
  using Real = typename F::Real;
  for (const std::vector<int> &N : Shapes)
    for (bool InPlace : {false, true}) {
      const int Batch = N.size() == 1 ? 2 : 1, Last = N.back();
      const size_t Rows = product(N) / Last * Batch, Half = Last / 2 + 1;
      // In place the rows of the real side are as long as the complex ones.
      const size_t Pitch = InPlace ? 2 * Half : Last;
      Plan There, Back;
      REQUIRE(makePlan(&There, N, F::RC, Batch) == CUFFT_SUCCESS);
      REQUIRE(makePlan(&Back, N, F::CR, Batch) == CUFFT_SUCCESS);
      DeviceArray<Real> In(Rows * Pitch);
      DeviceArray<TestType> Apart(Rows * Half);
      auto *Spectrum =
          InPlace ? reinterpret_cast<TestType *>(In.get()) : Apart.get();
      auto RealPart = [&] {
        std::vector<Cx> All = In.values(), X;
        for (size_t R = 0; R != Rows; ++R)
          X.insert(X.end(), All.begin() + R * Pitch,
                   All.begin() + R * Pitch + Last);
        return X;
      };
      std::vector<Cx> Before = RealPart(), Want, Scaled;
      const size_t Size = product(N);
      for (int B = 0; B != Batch; ++B) {
        std::vector<Cx> Part(Before.begin() + B * Size,
                             Before.begin() + (B + 1) * Size);
        std::vector<Cx> Full = transform(Part, N, CUFFT_FORWARD);
        for (size_t I = 0; I != Full.size(); ++I)
          if (I % Last < Half)
            Want.push_back(Full[I]);
      }
      CHECK_FFT(F::Forward(There, In, Spectrum));
      std::vector<TestType> Got(Rows * Half);
      cudaMemcpy(Got.data(), Spectrum, Got.size() * sizeof(TestType),
                 cudaMemcpyDeviceToHost);
      std::vector<Cx> GotCx;
      for (TestType X : Got)
        GotCx.push_back(toCx(X));
      checkEqual(GotCx, Want, 1e-3);
      CHECK_FFT(F::Back(Back, Spectrum, In));
      for (Cx X : Before)
        Scaled.push_back(X * double(Size));
      checkEqual(RealPart(), Scaled, 1e-2);
    }
}

TEST_CASE("strides, distances and embeddings") {
  // Columns of a row-major matrix that is one element wider than used.
  const int N = 6, Columns = 4, Pitch = 5;
  int Size[] = {N}, Embed[] = {N};
  Plan P;
  CHECK_FFT(cufftPlanMany(&P, 1, Size, Embed, Pitch, 1, Embed, 1, N, CUFFT_C2C,
                          Columns));
  DeviceArray<cufftComplex> In(N * Pitch), Out(N * Columns);
  std::vector<Cx> V = In.values(), Want;
  for (int C = 0; C != Columns; ++C) {
    std::vector<Cx> Column;
    for (int I = 0; I != N; ++I)
      Column.push_back(V[I * Pitch + C]);
    for (Cx X : transform(Column, {N}, CUFFT_FORWARD))
      Want.push_back(X);
  }
  CHECK_FFT(cufftExecC2C(P, In, Out, CUFFT_FORWARD));
  checkEqual(Out.values(), Want, 1e-4);

  // A part of each row of a matrix.
  int Sizes[] = {3, 4}, Wide[] = {3, 7}, Tight[] = {3, 3};
  Plan Q;
  CHECK_FFT(
      cufftPlanMany(&Q, 2, Sizes, Wide, 1, 21, Tight, 1, 9, CUFFT_R2C, 2));
  DeviceArray<float> Real(42);
  DeviceArray<cufftComplex> Spectrum(18);
  V = Real.values();
  Want.clear();
  for (int B = 0; B != 2; ++B) {
    std::vector<Cx> Part;
    for (int I = 0; I != 12; ++I)
      Part.push_back(V[B * 21 + I / 4 * 7 + I % 4]);
    Part = transform(Part, {3, 4}, CUFFT_FORWARD);
    for (int I = 0; I != 12; ++I)
      if (I % 4 < 3)
        Want.push_back(Part[I]);
  }
  CHECK_FFT(cufftExecR2C(Q, Real, Spectrum));
  checkEqual(Spectrum.values(), Want, 1e-4);

  // Without embeddings the strides do not count.
  long long Size64[] = {8};
  size_t Work = 0;
  Plan R;
  CHECK_FFT(cufftCreate(&R));
  CHECK_FFT(cufftMakePlanMany64(R, 1, Size64, nullptr, 9, 9, nullptr, 9, 9,
                                CUFFT_C2C, 1, &Work));
  DeviceArray<cufftComplex> Short(8);
  V = transform(Short.values(), {8}, CUFFT_INVERSE);
  CHECK_FFT(cufftExecC2C(R, Short, Short, CUFFT_INVERSE));
  checkEqual(Short.values(), V, 1e-4);
}

TEST_CASE("a transform is work of its plan's stream, and outlives the plan") {
  cudaStream_t S;
  REQUIRE(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking) == cudaSuccess);
  cufftHandle P;
  CHECK_FFT(cufftPlan1d(&P, 16, CUFFT_C2C, 1));
  CHECK_FFT(cufftSetStream(P, S));
  DeviceArray<cufftComplex> X(16);
  std::vector<Cx> Before = X.values();
  std::atomic<bool> Open{false};
  REQUIRE(cudaLaunchHostFunc(
              S,
              [](void *P) {
                while (!static_cast<std::atomic<bool> *>(P)->load())
                  std::this_thread::yield();
              },
              &Open) == cudaSuccess);
  CHECK_FFT(cufftExecC2C(P, X, X, CUFFT_FORWARD));
  CHECK_FFT(cufftDestroy(P));
  checkEqual(X.values(), Before);
  Open = true;
  REQUIRE(cudaStreamSynchronize(S) == cudaSuccess);
  checkEqual(X.values(), transform(Before, {16}, CUFFT_FORWARD), 1e-4);
  CHECK(cudaStreamDestroy(S) == cudaSuccess);
}

TEST_CASE("bad plans and arguments") {
  cufftHandle P = 0;
  CHECK(cufftPlan1d(&P, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&P, 4, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&P, 4, cufftType(1), 1) == CUFFT_INVALID_TYPE);
  CHECK(cufftCreate(nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftDestroy(12345) == CUFFT_INVALID_PLAN);
  DeviceArray<cufftComplex> X(4);
  CHECK_FFT(cufftCreate(&P));
  CHECK(cufftExecC2C(P, X, X, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  int N[] = {4, 4, 4, 4};
  size_t Work;
  CHECK(cufftMakePlanMany(P, 4, N, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1,
                          &Work) == CUFFT_INVALID_VALUE);
  CHECK_FFT(cufftSetAutoAllocation(P, 0));
  CHECK_FFT(cufftMakePlan1d(P, 4, CUFFT_C2C, 1, &Work));
  CHECK_FFT(cufftSetWorkArea(P, X));
  CHECK(cufftMakePlan1d(P, 4, CUFFT_C2C, 1, &Work) == CUFFT_INVALID_PLAN);
  size_t Again;
  CHECK_FFT(cufftGetSize(P, &Again));
  CHECK(Again == Work);
  CHECK(cufftExecC2C(P, X, X, 5) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(P, nullptr, X, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecZ2Z(P, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
  CHECK_FFT(cufftDestroy(P));
  CHECK(cufftExecC2C(P, X, X, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
}
