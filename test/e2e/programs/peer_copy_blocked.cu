// A CUDA call that Echo does not model takes the device buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unmodelled-api
// EXPECT: hz dz declined unmodelled-api
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes);
  float *dx, *dz;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyPeer(dz, 0, dx, 0, Bytes));
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hz, N));
  cudaFree(dx);
  cudaFree(dz);
  free(hx);
  free(hz);
}
