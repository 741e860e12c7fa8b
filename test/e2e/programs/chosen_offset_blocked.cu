// As chosen_upload, but the other buffer is used from its ninth element on: where
// the bytes go depends on the choice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da declined ambiguous-pointer
// ARGS:
// ARGS: 1
#include "e2e.h"

int main(int argc, char **argv) {
  float *hx = (float *)malloc(Bytes), *da, *db;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(da, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(da, db, N, 3.0f);
  CHECK(cudaMemcpy(hx, argc > 1 ? da : db + 8, Bytes - 32, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(da);
  cudaFree(db);
  free(hx);
}
