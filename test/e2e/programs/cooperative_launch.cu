// Kernels launched with an array of their arguments' addresses, which change
// places behind it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

static void launch(void **arguments, cudaStream_t stream) {
  CHECK(cudaLaunchCooperativeKernel((void *)scale, dim3(1), dim3(Threads),
                                    arguments, 0, stream));
}

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dy, 0, Bytes));
  int n = N;
  float factor = 2;
  const float *in = dx;
  float *out = dy;
  void *arguments[] = {&in, &out, &n, &factor};
  for (int round = 0; round < 3; ++round) {
    factor = round + 1;
    launch(arguments, 0);
    in = round & 1 ? dx : dy;
    out = round & 1 ? dy : dx;
  }
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  void *others[] = {&dx, &n, &factor};
  factor = 5;
  CHECK(cudaLaunchKernel((void *)addInPlace, dim3(Blocks), dim3(Threads), others,
                         0, 0));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
