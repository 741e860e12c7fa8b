// posix_memalign fails, and the variable keeps the old buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined ambiguous-pointer
// EXPECT: hy dx unified
#include "e2e.h"

int main(int argc, char **) {
  float *hx, *dx;
  if (posix_memalign((void **)&hx, 64, Bytes))
    return 1;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  float *old = hx;
  if (posix_memalign((void **)&hx, 64, size_t(argc) << 50) == 0)
    free(old);
  fill(hx, 9, 2);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  float *hy = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(hy, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hy, N));
  CHECK(cudaFree(dx));
  free(hy);
  free(hx);
}
