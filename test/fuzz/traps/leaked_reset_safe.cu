// As leaked_reset, and both are freed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 1
#include "e2e.h"

__attribute__((noinline)) static void leaks(size_t n) {
  float *h = (float *)malloc(n * sizeof(float)), *d;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  fill(h, n, 1);
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<(n + 255) / 256, 256>>>(d, n, 1.0f);
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, n));
  CHECK(cudaFree(d));
  free(h);
}

// The sizes differ: split.
__attribute__((noinline)) static void apart(size_t n, size_t more) {
  float *h = (float *)malloc((n + more) * sizeof(float)), *d;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  fill(h, n, 2);
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<(n + 255) / 256, 256>>>(d, n, 1.0f);
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(h, n));
  CHECK(cudaFree(d));
  free(h);
}

int main(int argc, char **) {
  size_t n = 1000000;
  for (int k = 0; k < 3; ++k)
    leaks(n);
  CHECK(cudaDeviceReset());
  for (int k = 0; k < 4; ++k)
    apart(n, 2000 * argc);
}
