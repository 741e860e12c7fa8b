// The destructor of what was thrown resets the device, where it is caught.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h d declined device-reset
#include "e2e.h"

struct Failure {
  int code;
  explicit Failure(int code) : code(code) {}
  ~Failure() { cudaDeviceReset(); }
};

__attribute__((noinline)) static void fail(int depth) {
  if (depth)
    fail(depth - 1);
  throw Failure(depth);
}

int main() {
  float *h = (float *)malloc(Bytes), *d;
  CHECK(cudaMalloc(&d, Bytes));
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  try {
    fail(3);
  } catch (const Failure &f) {
    printf("%d\n", f.code);
  }
  printf("%.0f\n", sum(h, N));
  free(h);
}
