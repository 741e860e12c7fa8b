// A function that stays a call reads the host buffer through a variable at file
// scope, after the GPU changed the other one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined
#include "e2e.h"

static float *hx, *dx;

__attribute__((noinline)) static void show(int depth) {
  printf("%.0f\n", sum(hx, N));
  if (depth)
    show(depth - 1);
}

int main() {
  hx = static_cast<float *>(malloc(Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 3.0f);
  CHECK(cudaDeviceSynchronize());
  show(1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
