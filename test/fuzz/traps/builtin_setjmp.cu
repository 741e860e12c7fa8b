// The compiler's own setjmp: the function is entered again between the kernel
// and the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined complex-control
#include "e2e.h"

#ifndef __CUDA_ARCH__
#define SETJMP(buffer) __builtin_setjmp(buffer)
#define LONGJMP(buffer) __builtin_longjmp(buffer, 1)
#else // the GPU's compiler looks at host code too
#define SETJMP(buffer) 0
#define LONGJMP(buffer)
#endif

static void *Again[5];
static int Round;

__attribute__((noinline)) static void back() { LONGJMP(Again); }

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  if (SETJMP(Again) != 0)
    printf("again %.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  if (++Round < 3)
    back();
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
