// The library's operator delete[] calls the program's operator delete, which counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

#include <new>

static int Deleted;

void operator delete(void *memory) noexcept {
  Deleted += memory != nullptr;
  free(memory);
}

int main() {
  float *hx = new float[N];
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  delete[] hx;
  printf("%d\n", Deleted > 0);
}
