// Host buffers that realloc ends and makes: behind a pair's life, before it, and
// in each round of a loop.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// EXPECT: hz dz unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes);
  fill(hx, N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  float *small = (float *)malloc(64), *hy;
  fill(small, 16, 3);
  float *grown = (float *)realloc(hx, 2 * Bytes);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  fill(grown + N, N, 2);
  printf("%.0f\n", sum(grown, 2 * N));
  cudaFree(dx);

  hy = (float *)realloc(small, Bytes);
  fill(hy + 16, N - 16, 4);
  float *dy;
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  cudaFree(dy);
  hy = (float *)realloc(hy, 64);
  printf("%.0f\n", sum(hy, 16));
  free(hy);

  float *hz = nullptr;
  for (int i = 1; i <= 3; ++i) {
    hz = (float *)realloc(hz, i * Bytes);
    fill(hz + (i - 1) * N, N, i);
    float *dz;
    CHECK(cudaMalloc(&dz, i * Bytes));
    CHECK(cudaMemcpy(dz, hz, i * Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<i * Blocks, Threads>>>(dz, i * N, 1.0f);
    CHECK(cudaMemcpy(hz, dz, i * Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hz, i * N));
    cudaFree(dz);
  }
  free(hz);
  free(grown);
}
