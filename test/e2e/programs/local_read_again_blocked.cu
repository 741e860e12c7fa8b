// As local_read_again, but the function puts another size there in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx guarded
#include "e2e.h"

int main() {
  int count = 0, other = 0;
  if (sscanf("70001 5", "%d %d", &count, &other) != 2)
    return 2;
  float *hx = (float *)malloc(count * sizeof(float)), *dx;
  if (sscanf("50000", "%d", &count) != 1)
    return 2;
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, 50000, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, 50000, 2.0f);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, 50000));
  cudaFree(dx);
  free(hx);
}
