//===- early.cu - Host buffers that come before CUDA ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two pairs of one place are in use at a time, and a host buffer is the first
// thing of all, or of a thread. Memory that CUDA makes is not there yet: none
// of the pair's device buffers may be joined with the next host buffer. An
// allocation that CUDA refuses is refused.
//
// CASE: first   | skips-unless-managed
// CASE: threads | skips-unless-managed
// CASE: refused |
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t N = 1 << 18; // bytes
static bool Refuses;

__global__ void add(unsigned char *D, size_t Count, int Value) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    D[I] = D[I] * 3 + Value;
}

static unsigned char *onHost() {
  return static_cast<unsigned char *>(malloc(N));
}

static unsigned char *onDevice(bool Nowhere) {
  unsigned char *D = nullptr;
  const cudaError_t Error = cudaMalloc(Nowhere ? nullptr : &D, N);
  if (Nowhere)
    printf("%s\n", cudaGetErrorString(Error));
  return D;
}

static void *batch(void *Round) {
  const int R = *static_cast<int *>(Round);
  unsigned char *H[2], *D[2];
  for (int I = 0; I != 2; ++I) {
    H[I] = onHost();
    memset(H[I], 2 * R + I, N);
    if (Refuses && R == 3)
      onDevice(true);
    D[I] = onDevice(false);
  }
  for (int I = 0; I != 2; ++I)
    cudaMemcpy(D[I], H[I], N, cudaMemcpyHostToDevice);
  for (int I = 0; I != 2; ++I)
    add<<<(N + 255) / 256, 256>>>(D[I], N, R + I);
  for (int I = 0; I != 2; ++I)
    cudaMemcpy(H[I], D[I], N, cudaMemcpyDeviceToHost);
  for (int I = 0; I != 2; ++I) {
    printf("%d: %d\n", 2 * R + I, H[I][N / 2]);
    cudaFree(D[I]);
    free(H[I]);
  }
  return nullptr;
}

int main(int, char **Args) {
  const bool InThreads = !strcmp(Args[1], "threads");
  Refuses = !strcmp(Args[1], "refused");
  if (InThreads)
    cudaFree(nullptr);
  for (int Round = 0; Round != 6; ++Round) {
    pthread_t Thread;
    if (!InThreads) {
      batch(&Round);
    } else {
      pthread_create(&Thread, nullptr, batch, &Round);
      pthread_join(Thread, nullptr);
    }
  }
  printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
}
