// A stream callback reads the host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-concurrency|pointer-escapes|unmodelled-api
#include "e2e.h"

void CUDART_CB look(void *data) {
  float *values = static_cast<float *>(data);
  values[0] = static_cast<float>(sum(values + 1, N - 1));
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaLaunchHostFunc(s, look, hx));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", hx[0]);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaStreamDestroy(s));
  cudaFree(dx);
  free(hx);
}
