// Two device buffers change places, and what a kernel leaves out goes from the
// one to the other: no name says which of them a copy inside of the device
// reads, and which it writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx da unified
// EXPECT: ho db unified
// ARGS: 1
// ARGS: 2
// ARGS: 3
#include "e2e.h"

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1, Half = N / 2;
  float *hx = (float *)malloc(Bytes), *ho = (float *)malloc(Bytes), *da, *db;
  fill(hx, N, 1);
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  CHECK(cudaMemcpy(da, hx, Bytes, cudaMemcpyHostToDevice));
  float *from = Rounds & 1 ? da : db, *to = Rounds & 1 ? db : da;
  CHECK(cudaMemcpy(db, da, Bytes, cudaMemcpyDeviceToDevice));
  for (int i = 0; i < Rounds; ++i) {
    scale<<<Blocks, Threads>>>(from, to, Half, 3.0f);
    CHECK(cudaMemcpy(to + Half, from + Half, Bytes - Half * sizeof(float),
                     cudaMemcpyDeviceToDevice));
    float *old = from;
    from = to;
    to = old;
  }
  CHECK(cudaMemcpy(ho, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(ho, N));
  cudaFree(da);
  cudaFree(db);
  free(hx);
  free(ho);
}
