// The array of a launch's arguments has a size that only run time knows, or
// comes from alloca.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

static int count = 3;

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  int n = N;
  float value = 1;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < 3; ++round) {
    void *args[count + round];
    args[0] = &dx;
    args[1] = &n;
    args[2] = &value;
    CHECK(cudaLaunchKernel((void *)addInPlace, dim3(Blocks), dim3(Threads),
                           args, 0, nullptr));
  }
  void **last = (void **)__builtin_alloca(count * sizeof(void *));
  last[0] = &dx;
  last[1] = &n;
  last[2] = &value;
  CHECK(cudaLaunchKernel((void *)addInPlace, dim3(Blocks), dim3(Threads), last,
                         0, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
