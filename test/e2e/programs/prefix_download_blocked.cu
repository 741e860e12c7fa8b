// As prefix_download, but what comes back is less each time: behind it the host
// still has what came before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined device-write-live-host
// ARGS: 60000
#include "e2e.h"

int main(int argc, char **argv) {
  int count = argc == 2 ? atoi(argv[1]) : 0;
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 3; ++round) {
    iota<<<Blocks, Threads>>>(dx, N);
    addInPlace<<<Blocks, Threads>>>(dx, N, round);
    CHECK(cudaMemcpy(hx, dx, (count - round) * sizeof(float),
                     cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, count - 2));
  }
  cudaFree(dx);
  free(hx);
}
