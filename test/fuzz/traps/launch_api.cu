// The launch goes through cudaLaunchKernel, with the arguments in an array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int n = N;
  float value = 1;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  void *args[] = {&dx, &n, &value};
  CHECK(cudaLaunchKernel((void *)addInPlace, dim3(Blocks), dim3(Threads), args,
                         0, nullptr));
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
