// The two sizes are not the same when the program runs: what the guard compares
// at the allocation must keep the buffers apart, or hold both.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded or declined
#include "e2e.h"

int main(int argc, char **) {
  size_t host = Bytes * argc, device = Bytes * (argc + 2);
  float *hx = (float *)malloc(host), *dx;
  CHECK(cudaMalloc(&dx, device));
  fill(hx, N, 1);
  CHECK(cudaMemset(dx, 0, device));
  CHECK(cudaMemcpy(dx, hx, host, cudaMemcpyHostToDevice));
  addInPlace<<<3 * Blocks, Threads>>>(dx, 3 * N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, host, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
