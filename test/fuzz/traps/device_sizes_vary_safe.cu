// As device_sizes_vary, but all rounds have one size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d guarded
// ARGS: 65536 65536
#include "e2e.h"

int main(int, char **argv) {
  int all = atoi(argv[1]), part = atoi(argv[2]);
  float *h = (float *)malloc(all * sizeof(float)), *d;
  for (int round = 0; round < 3; ++round) {
    int n = part;
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    iota<<<Blocks, Threads>>>(d, n);
    CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(h, all));
    addInPlace<<<Blocks, Threads>>>(d, n, 1.0f);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d));
  }
  free(h);
}
