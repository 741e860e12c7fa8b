// As chosen_host, but one of the two host buffers is always there: the host reads
// it when the kernel has written what was copied from the other one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
// ARGS:
// ARGS: 1
// ARGS: 2
#include "e2e.h"

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *h, *d;
  float *made = (float *)malloc(Bytes);
  fill(made, N, 1);
  h = made;
  if (argc > 1) {
    float *given = (float *)malloc(Bytes);
    fill(given, N, 5);
    h = given;
  }
  CHECK(cudaMalloc(&d, Bytes));
  for (int i = 0; i < Rounds; ++i) {
    CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
    CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f %.0f\n", sum(h, N), sum(made, N));
    h[3] += 2;
  }
  cudaFree(d);
  if (h != made)
    free(h);
  free(made);
}
