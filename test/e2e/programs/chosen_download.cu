// Results come down from one of two device buffers that change places, into a
// host buffer of their own: no other copy says whose partner that is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da unified
// EXPECT: ho db unified
// ARGS: 1
// ARGS: 2
// ARGS: 3
#include "e2e.h"

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  float *hx = (float *)malloc(Bytes), *ho = (float *)malloc(Bytes), *da, *db;
  fill(hx, N, 1);
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
  CHECK(cudaMemcpy(ho, from, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(ho, N));
  cudaFree(da);
  cudaFree(db);
  free(hx);
  free(ho);
}
