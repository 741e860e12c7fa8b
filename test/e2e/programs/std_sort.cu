// Sorting before the upload and behind the download, through its body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

#include <algorithm>

int main() {
  std::vector<float> hx(N);
  fill(hx.data(), N, 1);
  std::sort(hx.begin(), hx.end(), [](float a, float b) { return a > b; });
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  std::sort(hx.begin(), hx.begin() + N / 2);
  printf("%.0f %.0f\n", sum(hx.data(), N), hx[0]);
  cudaFree(dx);

  float *hy = (float *)malloc(Bytes), *dy;
  fill(hy, N, 2);
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  std::sort(hy, hy + N);
  printf("%.0f %.0f\n", sum(hy, N), hy[N / 2]);
  cudaFree(dy);
  free(hy);
}
