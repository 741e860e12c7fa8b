// The device buffers are never freed: only the first one joins, and the others
// are as the program wrote them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static void use(float *hx, int round) {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, round);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  if (round == 2)
    CHECK(cudaFree(dx));
}

int main() {
  float *hx = (float *)malloc(Bytes);
  for (int round = 0; round < 4; ++round)
    use(hx, round);
  free(hx);
}
