// A host thread reads the buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

#include <thread>

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  double total = 0;
  std::thread reader([&] { total = sum(hx, N); });
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  reader.join();
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", total, sum(hx, N));
  cudaFree(dx);
  free(hx);
}
