// Functions with large variables, of which one copy after the other is made:
// side by side in one frame they pass the end of the stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined shared-call
#include "e2e.h"

#include <cstring>

static void up(float *d, const float *h) {
  char text[3 << 20];
  memset(text, 'u', 100);
  text[100] = 0;
  puts(text);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
}

static void down(float *h, const float *d) {
  char text[3 << 20];
  memset(text, 'd', 100);
  text[100] = 0;
  puts(text);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  for (int round = 0; round < 2; ++round) {
    up(dx, hx);
    addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
    down(hx, dx);
  }
  up(dx, hx);
  down(hx, dx);
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
