// The result goes to a second host buffer and is compared with the input: the
// input cannot share storage with what the kernel overwrites; the result can.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host|rival
// EXPECT: hr dx unified
#include "e2e.h"

int main() {
  float *hx = (float *)malloc(Bytes), *hr = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hr, dx, Bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < N; ++i)
    wrong += hr[i] != hx[i] + 1.0f;
  printf("%d\n", wrong);
  cudaFree(dx);
  free(hx);
  free(hr);
}
