// As record_no_work, but the wait is for the stream of the kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: seen dy unified
#include "e2e.h"

int main() {
  std::vector<float> seen(N);
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  cudaStream_t s;
  cudaEvent_t e;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaEventRecord(e, s));
  CHECK(cudaStreamSynchronize(0));
  fill(hx, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(seen.data(), dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(seen.data(), N));
  CHECK(cudaEventDestroy(e));
  CHECK(cudaStreamDestroy(s));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
