// As function_table, but one of the functions that run time may choose, and does
// choose, is a kernel that writes what the host still has; and the rows are
// in a table that outlives the round, whose first one uses those of the last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
// EXPECT: hy dy declined instance-mismatch
#include "e2e.h"

__global__ void look(float *x, int n, float by) {
  if (x[0] == by)
    printf("seen %.0f\n", by);
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int round = 0; round < 3; ++round) {
    auto *kernel = round == 1 ? addInPlace : look;
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    kernel<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
    printf("%d %.0f\n", round, sum(hx, N));
  }
  float *rows[2] = {nullptr, nullptr};
  float *old = nullptr;
  for (int round = 0; round < 3; ++round) {
    float *hy = (float *)malloc(Bytes), *dy;
    CHECK(cudaMalloc(&dy, Bytes));
    fill(hy, N, round);
    CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
    rows[round & 1] = dy;
    if (rows[1 - (round & 1)])
      addInPlace<<<Blocks, Threads>>>(rows[1 - (round & 1)], N, 1.0f);
    CHECK(cudaDeviceSynchronize());
    printf("%.0f\n", sum(hy, N));
    if (old)
      printf("old %.0f\n", sum(old, N));
    free(old);
    old = hy;
  }
  free(old);
  cudaFree(rows[0]);
  cudaFree(rows[1]);
  cudaFree(dx);
  free(hx);
}
