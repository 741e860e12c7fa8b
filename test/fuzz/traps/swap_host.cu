// Two host buffers change places in every round: what was uploaded to one
// device buffer is read on the host under the other name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

#include <utility>

int main(int argc, char **) {
  float *now = (float *)malloc(Bytes), *last = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(last, N, 0);
  for (int i = 0; i < 3 + argc; ++i) {
    fill(now, N, i);
    CHECK(cudaMemcpy(dx, now, Bytes, cudaMemcpyHostToDevice));
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    CHECK(cudaDeviceSynchronize());
    printf("%.0f %.0f\n", sum(now, N), sum(last, N));
    std::swap(now, last);
  }
  CHECK(cudaMemcpy(now, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(now, N));
  cudaFree(dx);
  free(now);
  free(last);
}
