//===- legacy.cu - Copies that follow others by the legacy stream ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy in a blocking stream, or in the thread's default stream, follows what
// the legacy default stream does, and by that what other streams did before. A
// wait for the copy's own stream, which is idle, covers none of it.
//   event       a non-blocking stream's event, for which the legacy one waits
//   per-thread  the same, and the copy is in the thread's default stream
//   rows        another blocking stream, and a copy of rows in the legacy one
//   box         the same with a copy of a box
// and a copy or set of D that is not between the two sides of the pair:
//   device      a kernel in the legacy stream, a copy to another device buffer
//   pinned      the same to pinned memory
//   set         the same, and a part of D is set
//   chain       another blocking stream, and a kernel in the legacy one
//
// CASE: event      | skips no-waits
// CASE: per-thread | skips no-waits
// CASE: rows       | skips no-waits
// CASE: box        | skips no-waits
// CASE: device     | skips
// CASE: pinned     | skips
// CASE: set        | skips
// CASE: chain      | skips
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static const char *Case;
static bool is(const char *Name) { return !strcmp(Case, Name); }

__global__ void step(unsigned char *D, size_t Count) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    D[I] = D[I] * 5 + 2;
}

static unsigned char *H, *D, *Other, *Pinned, *Rows;
static cudaStream_t Apart, First, Second;
static cudaEvent_t Done;
static unsigned long long Sum;

static void add(const unsigned char *Bytes) {
  for (size_t I = 0; I != N; ++I)
    Sum = Sum * 31 + Bytes[I];
}

/// What the legacy stream does after the work in First.
static void followFirst() {
  if (is("rows"))
    cudaMemcpy2DAsync(Rows, 64, Rows + 4096, 64, 32, 16,
                      cudaMemcpyDeviceToDevice, cudaStreamLegacy);
  if (is("box")) {
    cudaMemcpy3DParms Box = {};
    Box.srcPtr = make_cudaPitchedPtr(Rows, 64, 32, 16);
    Box.dstPtr = make_cudaPitchedPtr(Rows + 4096, 64, 32, 16);
    Box.extent = make_cudaExtent(32, 16, 1);
    Box.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&Box, cudaStreamLegacy);
  }
}

/// The pair's own copy follows.
static void own() {
  cudaStream_t Before = is("rows") || is("box") ? First : Apart;
  cudaStream_t S = is("per-thread") ? cudaStreamPerThread : Second;
  cudaMemcpyAsync(D, H, N, cudaMemcpyHostToDevice, Before);
  step<<<N / 256, 256, 0, Before>>>(D, N);
  if (Before == Apart) {
    cudaEventRecord(Done, Apart);
    cudaStreamWaitEvent(cudaStreamLegacy, Done, 0);
  }
  followFirst();
  cudaMemcpyAsync(H, D, N, cudaMemcpyDeviceToHost, S);
  cudaStreamSynchronize(S);
  add(H);
}

/// Another copy or set of D follows.
static void another() {
  cudaMemcpy(D, H, N, cudaMemcpyHostToDevice);
  step<<<N / 256, 256, 0, is("chain") ? First : cudaStreamLegacy>>>(D, N);
  if (is("chain"))
    step<<<1, 256>>>(Other + N, 256);
  if (is("set"))
    cudaMemsetAsync(D + 5, 9, 1000, Second);
  if (is("device"))
    cudaMemcpyAsync(Other, D, N, cudaMemcpyDeviceToDevice, Second);
  cudaMemcpyAsync(Pinned, is("device") ? Other : D, N, cudaMemcpyDeviceToHost,
                  Second);
  cudaStreamSynchronize(Second);
  add(Pinned);
  cudaMemcpy(H, D, N, cudaMemcpyDeviceToHost);
  add(H);
}

int main(int, char **Args) {
  Case = Args[1];
  cudaStreamCreateWithFlags(&Apart, cudaStreamNonBlocking);
  cudaStreamCreate(&First);
  cudaStreamCreate(&Second);
  cudaEventCreateWithFlags(&Done, cudaEventDisableTiming);
  H = static_cast<unsigned char *>(malloc(N));
  cudaMalloc(&D, N);
  cudaMalloc(&Other, 2 * N);
  cudaMalloc(&Rows, 8192);
  cudaMallocHost(&Pinned, 2 * N);
  memset(H, 1, N);
  cudaDeviceSynchronize();
  const bool IsOwn = is("event") || is("per-thread") || is("rows") || is("box");
  for (int Round = 0; Round != 6; ++Round) {
    for (size_t I = 0; I != N; ++I)
      H[I] += static_cast<unsigned char>(I * 7 + Round);
    IsOwn ? own() : another();
  }
  printf("%llu\n", Sum);
}
