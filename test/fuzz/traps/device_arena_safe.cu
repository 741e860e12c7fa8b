// As device_arena, but with two allocations, and not read in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da unified
// EXPECT: hb db unified
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *da, *db;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  fill(ha, N, 1);
  fill(hb, N, 2);
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  saxpy<<<Blocks, Threads>>>(N, 1.0f, da, da);
  saxpy<<<Blocks, Threads>>>(N, 1.0f, db, db);
  CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(da);
  cudaFree(db);
  free(ha);
  free(hb);
}
