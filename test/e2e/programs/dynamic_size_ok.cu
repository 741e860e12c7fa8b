// Both sizes are the same run-time expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded
#include "e2e.h"

int main(int argc, char **argv) {
  int side = argc > 1 ? atoi(argv[1]) : 300;
  int n = side * side;
  size_t bytes = n * sizeof(float);
  float *hx = (float *)malloc(bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, bytes));
  fill(hx, n, 1);
  CHECK(cudaMemcpy(dx, hx, bytes, cudaMemcpyHostToDevice));
  addInPlace<<<(n + 127) / 128, 128>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx, dx, bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, n));
  cudaFree(dx);
  free(hx);
}
