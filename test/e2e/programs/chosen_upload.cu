// Up into one of two buffers and back from there; later one of them for sure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da unified
// ARGS:
// ARGS: 1
#include "e2e.h"

int main(int argc, char **argv) {
  float *hx = (float *)malloc(Bytes), *da, *db;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  float *chosen = argc > 1 ? da : db;
  fill(hx, N, 1);
  CHECK(cudaMemcpy(chosen, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(chosen, N, 1.0f);
  CHECK(cudaMemcpy(hx, chosen, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  fill(hx, N, 2);
  CHECK(cudaMemcpy(da, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(da, db, N, 3.0f);
  CHECK(cudaMemcpy(hx, da, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(da);
  cudaFree(db);
  free(hx);
}
