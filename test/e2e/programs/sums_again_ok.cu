// The host computes what the GPU computed: it overwrites the buffer element after
// element, and each sum grows where it lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < N; ++i) {
    hx[i] = 0;
    for (int k = 0; k < 4; ++k)
      hx[i] += k * i;
  }
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaFree(dx));
  free(hx);
}
