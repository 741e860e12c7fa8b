// As turns_blocked, but the first buffer is used again: only the second merges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da declined
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
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMemcpy(db, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(db, db, N, 2.0f);
  addInPlace<<<Blocks, Threads>>>(da, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(db);
  CHECK(cudaMemcpy(hx, da, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(da);
  free(hx);
}
