// A kernel copies the uploaded buffer to a second one, which comes down over
// the host buffer; the first is read once more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device|device-write-live-host|rival
// EXPECT: hx dy unified or declined
#include "e2e.h"

__global__ void copyAll(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < 2; ++i) {
    copyAll<<<Blocks, Threads>>>(dx, dy, N);
    addInPlace<<<Blocks, Threads>>>(dy, N, 1.0f);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(hx, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
