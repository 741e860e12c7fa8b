// qsort gives the comparison pointers into the buffer, and it keeps one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

static const float *Kept;

static int compare(const void *a, const void *b) {
  float x = *static_cast<const float *>(a), y = *static_cast<const float *>(b);
  if (!Kept || x < *Kept)
    Kept = static_cast<const float *>(a);
  return (x > y) - (x < y);
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  qsort(hx, N, sizeof(float), compare);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 7.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", *Kept);
  cudaFree(dx);
  free(hx);
}
