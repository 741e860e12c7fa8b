// As late_failure, but the wait is for the download.
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
  float *hx, *dx;
  cudaStream_t s, t;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  double before = sum(hx, N);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addChecked<<<1, 1, 0, s>>>(dx, N, 60);
  cudaMemcpyAsync(hx, dx, Bytes, cudaMemcpyDeviceToHost, s);
  if (cudaStreamSynchronize(s) != cudaSuccess) {
    printf("as before: 1\n"); // it failed already
    return 0;
  }
  cudaStreamSynchronize(s);
  printf("as before: %d\n", sum(hx, N) == before);
  cudaFree(dx);
  cudaFreeHost(hx);
}
