// As chosen_download, but the host still reads what it put into the result before
// the kernels: they would destroy that.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da unified
// ARGS: 1
// ARGS: 2
// ARGS: 3
#include "e2e.h"

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  float *hx = (float *)malloc(Bytes), *ho = (float *)malloc(Bytes), *da, *db;
  fill(hx, N, 1);
  fill(ho, N, 5);
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMemcpy(da, hx, Bytes, cudaMemcpyHostToDevice));
  float *from = da, *to = db;
  for (int i = 0; i < Rounds; ++i) {
    scale<<<Blocks, Threads>>>(from, to, N, 3.0f);
    float *old = from;
    from = to;
    to = old;
  }
  printf("%.0f\n", sum(ho, N));
  CHECK(cudaMemcpy(ho, from, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(ho, N));
  cudaFree(da);
  cudaFree(db);
  free(hx);
  free(ho);
}
