// A vector that gets its size after construction; whatever the verdict, the
// output must stay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: any
#include "e2e.h"

int main() {
  std::vector<float> hx;
  hx.resize(N);
  for (int i = 0; i < N; ++i)
    hx[i] = i % 10;
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx.data(), N));
  cudaFree(dx);
}
