// A vector of a run-time count that nothing bounds: it may be empty, or throw.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded or declined size-mismatch|instance-mismatch|device-write-live-host
#include "e2e.h"

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 90000;
  std::vector<float> hx(n);
  float *dx;
  CHECK(cudaMalloc(&dx, n * sizeof(float)));
  fill(hx.data(), n, 1);
  CHECK(cudaMemcpy(dx, hx.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<(n + 127) / 128, 128>>>(dx, n, 1.0f);
  CHECK(cudaMemcpy(hx.data(), dx, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx.data(), n));
  cudaFree(dx);
}
