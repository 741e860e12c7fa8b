// Two host buffers share one device buffer. Each could merge with it alone; all
// three together would lose the first result.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha d unified or declined rival|host-write-live-device|device-write-live-host
// EXPECT: hb d unified or declined rival|host-write-live-device|device-write-live-host
// EXPECT: at-most 1
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *d;
  CHECK(cudaMalloc(&d, Bytes));
  iota<<<Blocks, Threads>>>(d, N);
  CHECK(cudaMemcpy(ha, d, Bytes, cudaMemcpyDeviceToHost));
  addInPlace<<<Blocks, Threads>>>(d, N, 5.0f);
  CHECK(cudaMemcpy(hb, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(d);
  free(ha);
  free(hb);
}
