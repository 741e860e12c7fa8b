// Buffers under the threshold are left alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx skipped too-small
#include "e2e.h"

int main() {
  const int n = 1024;
  float *hx = (float *)malloc(n * sizeof(float));
  fill(hx, n, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  CHECK(cudaMemcpy(dx, hx, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<n / Threads, Threads>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx, dx, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, n));
  cudaFree(dx);
  free(hx);
}
