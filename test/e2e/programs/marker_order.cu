// A legacy-stream download orders two blocking streams; when it goes, the order must
// stay: the second stream's kernel may not overtake the first's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified or declined copy-in-flight|host-read-in-flight|device-write-live-host
#include "e2e.h"

__global__ void slowAdd(float *data, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 50; ++k)
    if (i < n)
      data[i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  cudaStream_t s, t;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  slowAdd<<<Blocks, Threads, 0, s>>>(dy, N, 1.0f);
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice)); // s before t
  saxpy<<<Blocks, Threads, 0, t>>>(N, 1.0f, dy, dx);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
