// A lambda that captured the pointer by reference lets it name another buffer:
// the download does not overwrite what was uploaded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host|rival|ambiguous-pointer
// EXPECT: hz dx unified or declined
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hz = (float *)malloc(Bytes), *dx;
  float *first = hx;
  CHECK(cudaMalloc(&dx, Bytes));
  auto next = [&] { hx = hz; };
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  next();
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(first, N), sum(hz, N));
  cudaFree(dx);
  free(first);
  free(hz);
}
