// new[] of a run-time count that nothing bounds, next to count * size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded or declined size-mismatch
#include "e2e.h"

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 90000;
  float *hx = new float[n];
  float *dx;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  fill(hx, n, 1);
  CHECK(cudaMemcpy(dx, hx, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<(n + 127) / 128, 128>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx, dx, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, n));
  cudaFree(dx);
  delete[] hx;
}
