// A kernel polls a flag that the host raises later: a wait that repair adds
// before that would never end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --repair
// EXPECT: hx dx declined host-write-in-flight
#include "e2e.h"

__global__ void scaleWhenTold(volatile int *flag, const float *in, float *out,
                              int n) {
  while (!*flag)
    ;
  for (int i = 0; i < n; ++i)
    out[i] = in[i] * 2;
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  int *flag;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  scaleWhenTold<<<1, 1, 0, s>>>(flag, dx, dy, N);
  fill(hx, N, 2); // the next data, for which repair would wait
  *(volatile int *)flag = 1;
  CHECK(cudaStreamSynchronize(s));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  saxpy<<<Blocks, Threads, 0, s>>>(N, 2.0f, dx, dy);
  CHECK(cudaStreamSynchronize(s));
  float sample[4];
  CHECK(cudaMemcpy(sample, dy, sizeof sample, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sample[3], sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  cudaFree(dy);
  cudaFreeHost(flag);
  free(hx);
}
