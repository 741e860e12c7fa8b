//===- kernels.h - Bodies of the measured loops -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of each loop, shared by the kernels and the plain C++ program,
// with the sizes and the form of a result line.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_KERNEL_LOOP_KERNELS_H
#define ECHO_BENCH_KERNEL_LOOP_KERNELS_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#ifdef __CUDA__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

constexpr int SaxpyN = 1 << 22;
constexpr int StencilN = 2048;
constexpr int BodiesN = 3072;
constexpr int Repeats = 15;

struct Body {
  float X, Y, Z, Mass;
};
struct Force {
  float X, Y, Z;
};

BOTH inline void saxpyAt(int I, float A, const float *X, float *Y) {
  Y[I] = A * X[I] + Y[I];
}

BOTH inline void stencilAt(int X, int Y, int N, const float *In, float *Out) {
  const float *C = In + Y * N + X;
  Out[Y * N + X] = 0.5f * C[0] + 0.125f * (C[-1] + C[1] + C[-N] + C[N]);
}

BOTH inline void forceAt(int I, int N, const Body *B, Force *Out) {
  Force F = {0, 0, 0};
  for (int J = 0; J < N; ++J) {
    float DX = B[J].X - B[I].X, DY = B[J].Y - B[I].Y, DZ = B[J].Z - B[I].Z;
    float D2 = DX * DX + DY * DY + DZ * DZ + 1e-3f;
    float S = B[J].Mass / (D2 * sqrtf(D2));
    F.X += DX * S;
    F.Y += DY * S;
    F.Z += DZ * S;
  }
  Out[I] = F;
}

/// Runs \p Once Repeats times and prints "name median-ms checksum".
template <typename Fn>
void measure(const char *Name, Fn Once, const float *Result, int Count) {
  std::vector<double> Times;
  Once(); // warm
  for (int I = 0; I < Repeats; ++I) {
    auto Start = std::chrono::steady_clock::now();
    Once();
    Times.push_back(std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - Start)
                        .count());
  }
  std::nth_element(Times.begin(), Times.begin() + Repeats / 2, Times.end());
  double Sum = 0;
  for (int I = 0; I < Count; ++I)
    Sum += Result[I];
  std::printf("%s %.6f %.9g\n", Name, Times[Repeats / 2], Sum);
}

inline float startValue(int I) { return (I % 1021) * 0.001f; }
inline Body startBody(int I) {
  return {startValue(I), startValue(I * 7), startValue(I * 13), 1.0f + I % 3};
}

#endif
