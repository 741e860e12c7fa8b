// The alignment is no power of two: the allocation fails, and the program goes
// on with the block that it had.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"
#include <cerrno>

int main() {
  float *hy = static_cast<float *>(calloc(N, sizeof(float))), *dy;
  int status = posix_memalign(reinterpret_cast<void **>(&hy), 96, Bytes);
  CHECK(cudaMalloc(&dy, Bytes));
  iota<<<Blocks, Threads>>>(dy, N);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  std::printf("%d %.0f\n", status == EINVAL, sum(hy, N));
  cudaFree(dy);
  free(hy);
}
