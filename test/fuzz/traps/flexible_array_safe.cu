// The last array of a struct has no elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: None None unified
#include "e2e.h"

struct Table {
  long Size;
  float *More[];
};
struct Pair {
  float *Host, *Device;
};

int main(int argc, char **) {
  float *other = (float *)malloc(Bytes);
  fill(other, N, 2);
  auto *T = (Table *)malloc(sizeof(Table) + 2 * sizeof(float *));
  auto *P = (Pair *)(T + 1);
  P->Host = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&P->Device, Bytes));
  fill(P->Host, N, 1);
  CHECK(cudaMemcpy(P->Device, P->Host, Bytes, cudaMemcpyHostToDevice));
  float *first = P->Host;
  T->Size = argc;
  addInPlace<<<Blocks, Threads>>>(P->Device, N, 3.0f);
  CHECK(cudaMemcpy(P->Host, P->Device, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f %.0f\n", sum(P->Host, N), sum(other, N), sum(first, N));
  cudaFree(P->Device);
  free(first);
  free(other);
  free(T);
}
