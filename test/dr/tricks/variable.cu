//===- variable.cu - A variable that the host and the GPU see -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel counts in a variable, which the host reads without a call of CUDA: so
// it can see how far the GPU has come. It may do that in any run, so that it
// waits here in all of them shows nothing.
//
// VALIDATE: managed | in=Polled
//
//===----------------------------------------------------------------------===//
#include "tricks.h"

#include <stdio.h>
#include <stdlib.h>

__managed__ int Count;
__global__ void count() { ++Count; }

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Case = argv[1];
  auto *H = static_cast<unsigned char *>(malloc(N));
  unsigned char Last = 0, *In, *Out;
  cudaMalloc(&In, N);
  cudaMalloc(&Out, N);
  unsigned long long Sum = 0;
  for (int R = 0; R < 8; ++R) {
    memset(H, R + 1, N);
    cudaMemcpy(In, H, N, cudaMemcpyHostToDevice);
    work<<<(N + 255) / 256, 256>>>(In, Out, N);
    count<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaMemcpy(&Last, Out + R, 1, cudaMemcpyDeviceToHost);
    Sum = Sum * 31 + Last + Count;
  }
  printf("%s %llu %s\n", Case, Sum, cudaGetErrorString(cudaGetLastError()));
  cudaFree(In);
  cudaFree(Out);
  free(H);
}
