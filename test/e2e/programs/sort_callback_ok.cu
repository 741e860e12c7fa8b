// qsort gives the comparison pointers into the buffer, and it keeps none: the
// buffer is sorted again between two uploads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

static float Least = 1e30f;

static int compare(const void *a, const void *b) {
  float x = *static_cast<const float *>(a), y = *static_cast<const float *>(b);
  Least = x < Least ? x : Least;
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
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  hx[0] += 1000;
  qsort(hx, N, sizeof(float), compare);
  float key = hx[N / 2];
  const void *found = bsearch(&key, hx, N, sizeof(float), compare);
  printf("%.0f %.0f %.0f %d\n", Least, hx[0], hx[N - 1], found != nullptr);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", hx[N / 3]);
  cudaFree(dx);
  free(hx);
}
