// As custom_deleter, but a download comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

#include <memory>

struct Goodbye {
  void operator()(float *h) const {
    printf("%.0f\n", sum(h, N));
    free(h);
  }
};

int main() {
  std::unique_ptr<float[], Goodbye> hx((float *)malloc(Bytes));
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx.get(), N, 1);
  CHECK(cudaMemcpy(dx, hx.get(), Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx.get(), dx, Bytes, cudaMemcpyDeviceToHost));
  cudaFree(dx);
}
