// A copy of n << 2 bytes has bytes where another of n * 4 has, and waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d unified|guarded
// ARGS: a b c
#include "e2e.h"

__global__ void twice(const int *d, int *o, int n) {
  int i = threadIdx.x;
  if (i < n)
    o[i] = d[i] * 2;
}

int main(int argc, char **) {
  size_t n = argc;
  int *h = (int *)malloc(n * 4), r[4], x[4], *d, *o, *e;
  CHECK(cudaMalloc(&d, n * 4));
  CHECK(cudaMalloc(&o, 64));
  if (cudaMalloc(&e, n << 2))
    return 1;
  for (size_t i = 0; i < n; ++i)
    h[i] = i + 1;
  CHECK(cudaMemcpy(d, h, n * 4, cudaMemcpyHostToDevice));
  twice<<<1, 32>>>(d, o, n);
  CHECK(cudaMemcpy(x, e, n << 2, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; ++i)
    h[i] = -1;
  CHECK(cudaMemcpy(r, o, 16, cudaMemcpyDeviceToHost));
  printf("%d %d %d %d\n", r[0], r[1], r[2], h[0] + h[3]);
  CHECK(cudaFree(d));
  CHECK(cudaFree(o));
  CHECK(cudaFree(e));
  free(h);
}
