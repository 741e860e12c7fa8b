// Two files have kernels of one name; the other file's writes what this one's
// only reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: same_name.extra.cu
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// EXPECT: ha da declined device-write-live-host
// EXPECT: hb db unified
#include "e2e.h"

static __global__ void work(float *data, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = data[i] * 2;
}

void other();

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  work<<<Blocks, Threads>>>(dx, dy, N);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
  other();
}
