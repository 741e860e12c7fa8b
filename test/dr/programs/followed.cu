//===- followed.cu - Copies of one side that follow the stream ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel writes D, and an asynchronous copy or set of D comes after it in the
// same stream, but not between the two sides of the pair. In memory of the
// process CUDA may read or write D at the call. The order must stay.
//
// CASE: pinned    | skips
// CASE: device    | skips
// CASE: into      | skips
// CASE: default   | skips
// CASE: peer      | skips
// CASE: set       | skips
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

int main(int, char **Args) {
  Case = Args[1];
  cudaStream_t S;
  cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking);
  auto *H = static_cast<unsigned char *>(malloc(N));
  unsigned char *D, *Other, *Pinned;
  cudaMalloc(&D, N);
  cudaMalloc(&Other, 2 * N);
  cudaMallocHost(&Pinned, 2 * N);
  memset(H, 1, N);
  cudaMemset(Other, 3, 2 * N);
  cudaDeviceSynchronize();
  unsigned long long Sum = 0;
  for (int Round = 0; Round != 6; ++Round) {
    for (size_t I = 0; I != N; ++I)
      H[I] += static_cast<unsigned char>(I * 7 + Round);
    cudaMemcpy(D, H, N, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    step<<<N / 256, 256, 0, S>>>(D, N);
    if (is("device"))
      cudaMemcpyAsync(Other, D, N, cudaMemcpyDeviceToDevice, S);
    if (is("into"))
      cudaMemcpyAsync(D + 64, Other, 1000, cudaMemcpyDeviceToDevice, S);
    if (is("peer"))
      cudaMemcpyPeerAsync(Other, 0, D, 0, N, S);
    if (is("default"))
      cudaMemcpyAsync(Pinned, D, N, cudaMemcpyDefault, S);
    else if (is("device") || is("peer"))
      cudaMemcpyAsync(Pinned, Other, N, cudaMemcpyDeviceToHost, S);
    if (is("set"))
      cudaMemsetAsync(D + 5, Round, 1000, S);
    if (is("set") || is("pinned") || is("into"))
      cudaMemcpyAsync(Pinned, D, N, cudaMemcpyDeviceToHost, S);
    cudaStreamSynchronize(S);
    for (size_t I = 0; I != N; ++I)
      Sum = Sum * 31 + Pinned[I];
    cudaMemcpy(H, D, N, cudaMemcpyDeviceToHost);
  }
  for (size_t I = 0; I != N; ++I)
    Sum = Sum * 31 + H[I];
  printf("%llu\n", Sum);
}
