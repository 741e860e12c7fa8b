// longjmp leads back to a read of the host buffer: no edge of the function says
// that the kernel before it comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined complex-control
#include "e2e.h"

#include <csetjmp>

static jmp_buf Again;
__attribute__((noinline, noreturn)) static void back() { longjmp(Again, 1); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  if (setjmp(Again)) {
    printf("%.0f\n", sum(hx, N));
    cudaFree(dx);
    free(hx);
    return 0;
  }
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  back();
}
