// The deleter of a smart pointer looks at the host buffer before it frees it,
// at the end of the scope, behind an in-place kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
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
  CHECK(cudaDeviceSynchronize());
  cudaFree(dx);
}
