// As sums_again_ok, but a sum needs the next element, which is as the host left it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
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
      hx[i] += k * hx[(i + 1) % N];
  }
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaFree(dx));
  free(hx);
}
