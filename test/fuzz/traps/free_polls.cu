// Host buffers are freed while a kernel waits for what the host writes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

__global__ void waits(volatile int *flag, int *out) {
  while (*flag == 0)
    ;
  *out = 7;
}

static double total;

// More pairs of a size than are kept free.
#define MAKE(k)                                                                \
  float *h##k = (float *)malloc(Bytes), *d##k;                                 \
  CHECK(cudaMalloc(&d##k, Bytes));                                             \
  CHECK(cudaMemsetAsync(d##k, 0, Bytes, 0));                                   \
  addInPlace<<<Blocks, Threads>>>(d##k, N, k);                                 \
  CHECK(cudaMemcpy(h##k, d##k, Bytes, cudaMemcpyDeviceToHost));                \
  total += sum(h##k, N);
#define DROP_DEVICE(k) CHECK(cudaFree(d##k));
#define DROP_HOST(k) free(h##k);
#define ALL(X)                                                                 \
  X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)                                 \
  X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17)

int main() {
  int *flag, *out, seen = 0;
  CHECK(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMalloc(&out, sizeof(int)));
  *flag = 0;
  ALL(MAKE)
  printf("%.0f\n", total);
  ALL(DROP_DEVICE)
  waits<<<1, 1>>>(flag, out);
  ALL(DROP_HOST)
  *(volatile int *)flag = 1;
  CHECK(cudaMemcpy(&seen, out, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d\n", seen);
  CHECK(cudaFree(out));
}
