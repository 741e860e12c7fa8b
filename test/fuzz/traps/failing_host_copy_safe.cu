// As failing_host_copy, but the C library copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <cassert>

__global__ void addChecked(float *data, int n, float limit) {
  for (int i = 0; i < n; ++i) {
    data[i] += 1;
    assert(data[i] < limit);
  }
}

int main() {
  float *hx = (float *)malloc(Bytes), *other = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  fill(other, N, 2);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addChecked<<<1, 1>>>(dx, N, 60);
  cudaDeviceSynchronize();
  memcpy(hx, other, Bytes);
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
  free(other);
}
