// swapcontext and setcontext: the function goes back to before the kernel, and
// then reads the host buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined complex-control
#include "e2e.h"

#include <ucontext.h>

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  static ucontext_t here;
  static volatile int again = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  swapcontext(&here, &here);
  if (again) {
    printf("%.0f\n", sum(hx, N));
    exit(0);
  }
  again = 1;
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  setcontext(&here);
  abort();
}
