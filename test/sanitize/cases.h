//===- cases.h - Programs of many cases, each with a racing twin ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program here is a table of cases; its argument names the one to run. It is
// compiled twice: as it is, and with -DBAD. The two differ by the SAFE and
// UNSAFE lines. The lines that a report of the bad twin must name carry
// "// HERE". run.py reads the markers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_SANITIZE_CASES_H
#define ECHO_TEST_SANITIZE_CASES_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#ifdef BAD
#define SAFE(...)
#define UNSAFE(...) __VA_ARGS__
#else
#define SAFE(...) __VA_ARGS__
#define UNSAFE(...)
#endif

/// Ends the program if a CUDA call fails.
#define CHECK(Call)                                                            \
  do {                                                                         \
    cudaError_t Error_ = (Call);                                               \
    if (Error_ != cudaSuccess) {                                               \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(Error_));   \
      exit(3);                                                                 \
    }                                                                          \
  } while (0)

static const int N = 1000;
static const size_t Bytes = N * sizeof(int);

__global__ void fill(int *P, int Value) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    P[I] = Value + I;
}
__global__ void addOne(int *P) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    ++P[I];
}
__global__ void transfer(int *To, const int *From) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    To[I] = From[I] * 2;
}
#define ON(Stream) <<<(N + 127) / 128, 128, 0, Stream>>>

static inline void set(int *P, int Value) {
  for (int I = 0; I != N; ++I)
    P[I] = Value + I;
}
static inline long sum(const int *P) {
  unsigned long S = 0;
  for (int I = 0; I != N; ++I)
    S = S * 31 + P[I];
  return S >> 1;
}

/// Gives queued work the time to end, which orders nothing.
static inline void letRun() { usleep(2000); }

static inline int *pinned(int Value = 0) {
  int *P = nullptr;
  CHECK(cudaMallocHost(&P, Bytes));
  set(P, Value);
  return P;
}
/// Device memory whose content the host is ordered behind.
static inline int *device(int Value = 0) {
  int *P = nullptr;
  CHECK(cudaMalloc(&P, Bytes));
  fill ON(0)(P, Value);
  CHECK(cudaDeviceSynchronize());
  return P;
}
static inline cudaStream_t blocking() {
  cudaStream_t S;
  CHECK(cudaStreamCreate(&S));
  return S;
}
static inline cudaStream_t nonBlocking() {
  cudaStream_t S;
  CHECK(cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking));
  return S;
}
static inline cudaEvent_t event() {
  cudaEvent_t E;
  CHECK(cudaEventCreateWithFlags(&E, cudaEventDisableTiming));
  return E;
}
/// What D holds once the device is idle.
static inline long content(const int *D) {
  static int H[N];
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost));
  return sum(H);
}

struct Case {
  const char *Name;
  long (*Run)();
};

static inline int runCase(const Case *Cases, int NumCases, int Argc,
                          char **Argv) {
  for (int I = 0; I != NumCases; ++I)
    if (Argc == 2 && !strcmp(Argv[1], Cases[I].Name)) {
      printf("%s: %ld\n", Cases[I].Name, Cases[I].Run());
      CHECK(cudaDeviceSynchronize());
      return 0;
    }
  fprintf(stderr, "usage: %s CASE\n", Argv[0]);
  return 2;
}
#define CASES(...)                                                             \
  int main(int Argc, char **Argv) {                                            \
    static const Case All[] = {__VA_ARGS__};                                   \
    return runCase(All, sizeof(All) / sizeof(All[0]), Argc, Argv);             \
  }
#define CASE(Name) {#Name, Name}

#endif
