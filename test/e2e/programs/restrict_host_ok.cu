// Host parameters marked __restrict__: true of the program, not of the merged
// buffers. The host's writes must stay where they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -fno-exceptions
// EXPECT: hx dx unified
#include "e2e.h"

static void frames(float *__restrict__ h, float *__restrict__ d, int n) {
  for (int i = 0; i < n; ++i) {
    h[0] = static_cast<float>(i);
    cudaMemset(d, 0, Bytes);
    addInPlace<<<Blocks, Threads>>>(d, N, 7.0f);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
}

int main(int argc, char **) {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  frames(hx, dx, 3 + argc);
  printf("%.0f %.0f\n", hx[0], sum(hx, N));
  cudaFree(dx);
  free(hx);
}
