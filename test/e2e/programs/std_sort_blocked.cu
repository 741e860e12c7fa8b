// The host sorts what it uploaded, while the GPU has changed its copy of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
#include "e2e.h"

#include <algorithm>

int main() {
  std::vector<float> hx(N);
  fill(hx.data(), N, 1);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  std::sort(hx.begin(), hx.end());
  printf("%.0f %.0f\n", sum(hx.data(), N), hx[0]);
  cudaFree(dx);
}
