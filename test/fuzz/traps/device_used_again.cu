// One device buffer serves two host buffers one after the other, and both are
// read at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha dx declined device-write-live-host
// EXPECT: hb dx declined device-write-live-host|host-write-live-device
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(ha, N, 1);
  fill(hb, N, 2);
  CHECK(cudaMemcpy(dx, ha, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(ha, dx, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(dx, hb, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 5.0f);
  CHECK(cudaMemcpy(hb, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(dx);
  free(ha);
  free(hb);
}
