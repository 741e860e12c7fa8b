// One device buffer after the other merges with the host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da unified
// EXPECT: hx db unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *da, *db;
  fill(hx, N, 1);
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMemcpy(da, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(da, N, 1.0f);
  CHECK(cudaMemcpy(hx, da, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(da);
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMemcpy(db, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(db, db, N, 2.0f);
  CHECK(cudaMemcpy(hx, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(db);
  free(hx);
}
