// The host stores what it just read, by functions that clang may leave calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
#include "e2e.h"

__attribute__((noinline)) static float get(const float *p, int depth) {
  return depth ? get(p, depth - 1) : *p;
}
static void put(float *p, float value) { *p = value; }
static void scale(float *p, int n, float by) {
  for (int i = 0; i < n; ++i)
    p[i] *= by;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  float kept = get(&hx[3], 2);
  put(&hx[3], kept);
  scale(hx, N, 1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
