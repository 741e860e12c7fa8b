// Shared by the tests of the conditions. Each test file holds functions that
// are accepted; -DBLOCKED swaps the lines in SAFE() for those in UNSAFE() and
// makes each of them a function that must be declined. Verdicts only: the
// unsafe programs are never run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef BLOCKED
#define SAFE(...)
#define UNSAFE(...) __VA_ARGS__
#else
#define SAFE(...) __VA_ARGS__
#define UNSAFE(...)
#endif

constexpr int Count = 1 << 18;
constexpr size_t Bytes = Count * sizeof(float);

/// The pair: host buffer h, device buffer d, 1 MiB each.
#define PAIR                                                                   \
  float *h = (float *)malloc(Bytes), *d;                                       \
  cudaMalloc(&d, Bytes)
#define FREE                                                                   \
  free(h);                                                                     \
  cudaFree(d)
#define UP cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice)
#define DOWN cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost)
/// Reads h: a fill that nobody reads before a download is left out.
#define LOOK fwrite(h, 1, Bytes, stdout)

__global__ void readOnly(const float *in, int *flag) { *flag = in[1] > 0; }
__global__ void writeOnly(float *out) { out[threadIdx.x] = 1; }
__global__ void update(float *inout) { inout[threadIdx.x] += 1; }
