// A function that looks at a device buffer brings its own host buffer each time:
// they take turns in the device buffer's block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h dx unified
#include "e2e.h"

static void show(const char *what, const float *d) {
  float *h = (float *)malloc(Bytes);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  printf("%s %.0f\n", what, sum(h, N));
  free(h);
}

int main() {
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  show("zero", dx);
  for (int round = 0; round < 3; ++round) {
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    show("round", dx);
  }
  scale<<<Blocks, Threads>>>(dx, dx, N, 2.0f);
  show("twice", dx);
  CHECK(cudaFree(dx));
}
