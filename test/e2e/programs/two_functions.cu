// Two functions with a pair each; one is safe, the other is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da unified
// EXPECT: hb db declined device-write-live-host
#include "e2e.h"

static void safe() {
  float *ha = (float *)malloc(Bytes);
  float *da;
  CHECK(cudaMalloc(&da, Bytes));
  fill(ha, N, 1);
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(da, N, 1.0f);
  CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(ha, N));
  cudaFree(da);
  free(ha);
}

static void unsafe() {
  float *hb = (float *)malloc(Bytes);
  float *db;
  CHECK(cudaMalloc(&db, Bytes));
  fill(hb, N, 2);
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(db, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hb, N));
  CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hb, N));
  cudaFree(db);
  free(hb);
}

int main() {
  safe();
  unsafe();
}
