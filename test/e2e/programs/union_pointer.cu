// The pointers pass through a union and a copied struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  union Slot {
    float *pointer;
    void *any;
  } slot, copy;
  slot.pointer = hx;
  memcpy(&copy, &slot, sizeof(slot));
  fill((float *)copy.any, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum((float *)copy.any, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum((float *)copy.any, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
