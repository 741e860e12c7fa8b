// The kernel changes the buffer and then fails: the download fails too, and the
// host goes on with what it had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
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
  cudaError_t status = cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost);
  printf("%s\n%.0f\n", cudaGetErrorName(status), sum(hx, N));
  cudaFree(dx);
  free(hx);
}
