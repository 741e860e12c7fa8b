// What runs at the program's end reads the host buffer, behind an in-place
// kernel: an exit handler and the destructor of a static object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

static const float *Last;
static void atEnd() { printf("handler %.0f\n", sum(Last, N)); }

struct Holder {
  ~Holder() { printf("object %.0f\n", sum(kept, N)); }
  const float *kept = nullptr;
};
static Holder Object;

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  Last = Object.kept = hx;
  atexit(atEnd);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  cudaFree(dx);
}
