// Two host buffers are linked to one device buffer. The first is read at the
// end, the second is filled while the device buffer holds the first's content.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha dx declined device-write-live-host
// EXPECT: hb dx declined host-write-live-device
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(ha, N, 1);
  CHECK(cudaMemcpy(dx, ha, Bytes, cudaMemcpyHostToDevice));
  fill(hb, N, 2);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  printf("%.0f\n", sum(hb, N));
  CHECK(cudaMemcpy(hb, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(dx);
  free(ha);
  free(hb);
}
