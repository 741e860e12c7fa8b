// As kernel_asserts, but the host looks at its buffer only where the download
// succeeded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXIT: 9
#include "e2e.h"

#include <cassert>

__global__ void addChecked(float *data, int n, float limit) {
  for (int i = 0; i < n; ++i) {
    data[i] += 1;
    assert(data[i] < limit);
  }
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addChecked<<<1, 1>>>(dx, N, 60);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
