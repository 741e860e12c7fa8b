//===- cancelled.cu - A thread that is cancelled as it calls CUDA ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread uploads after a kernel that takes a while, and is asked to end
// meanwhile. The upload returns at once as written. What takes its place may
// wait for the kernel, but is no point at which the thread ends: the upload is
// made.
//
// CASE: upload | pins
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t N = 1 << 20; // bytes
static unsigned char *H, *D;
static cudaStream_t Stream;
static volatile int Begins;

__global__ void takeAWhile(unsigned *X) {
  unsigned V = *X;
  for (long I = 0; I != 30000000; ++I)
    V = V * 1664525u + 1013904223u;
  *X = V;
}

__global__ void add(unsigned char *D, size_t Count, int Value) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I < Count)
    D[I] = D[I] * 3 + Value;
}

static void *upload(void *) {
  Begins = 1;
  cudaMemcpyAsync(D, H, N, cudaMemcpyHostToDevice, Stream);
  pthread_testcancel();
  return nullptr;
}

int main() {
  unsigned *Slow;
  cudaStreamCreate(&Stream);
  cudaMalloc(&Slow, sizeof *Slow);
  H = static_cast<unsigned char *>(malloc(N));
  cudaMalloc(&D, 2 * N);
  for (int Round = 1; Round <= 4; ++Round) {
    memset(H, Round, N);
    cudaMemset(D, 0, N);
    cudaDeviceSynchronize();
    takeAWhile<<<1, 1, 0, Stream>>>(Slow);
    Begins = 0;
    pthread_t Uploads;
    pthread_create(&Uploads, nullptr, upload, nullptr);
    while (!Begins)
      usleep(100);
    usleep(2000);
    pthread_cancel(Uploads);
    pthread_join(Uploads, nullptr);
    add<<<(N + 255) / 256, 256, 0, Stream>>>(D, N, Round);
    cudaStreamSynchronize(Stream);
    cudaMemcpy(H, D, N, cudaMemcpyDeviceToHost);
    printf("%d %d\n", Round, H[N - 1]);
  }
  cudaFree(Slow);
  cudaFree(D);
  free(H);
}
