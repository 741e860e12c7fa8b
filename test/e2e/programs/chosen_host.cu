// The host buffer is one of two, of which only one is allocated: the other one
// stands in no copy's way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: given d unified|guarded
// EXPECT: made d unified|guarded
// ARGS:
// ARGS: 1
// ARGS: 2
#include "e2e.h"

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *h, *d;
  if (argc > 1) {
    float *given = (float *)malloc(Bytes);
    fill(given, N, 5);
    h = given;
  } else {
    float *made = (float *)malloc(Bytes);
    fill(made, N, 1);
    h = made;
  }
  CHECK(cudaMalloc(&d, Bytes));
  for (int i = 0; i < Rounds; ++i) {
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, N));
    h[3] += 2;
  }
  cudaFree(d);
  free(h);
}
