// Standard algorithms on a vector's elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <algorithm>
#include <numeric>

int main() {
  std::vector<int> hx(N);
  std::iota(hx.begin(), hx.end(), 0);
  std::reverse(hx.begin(), hx.end());
  int *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx.data(), Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dx, 0, 4 * 4));
  CHECK(cudaMemcpy(hx.data(), dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%ld\n", std::accumulate(hx.begin(), hx.end(), 0L));
  cudaFree(dx);
}
