// The process writes to its own memory through a file, at an address that is a
// number, while the kernel reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-to-integer
// EXPECT: hy dy unified
#include "e2e.h"

#include <fcntl.h>
#include <unistd.h>

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  float news[16] = {5, 6, 7, 8};
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  int memory = open("/proc/self/mem", O_RDWR);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  if (pwrite(memory, news, sizeof(news), (off_t)hx) != sizeof(news))
    memcpy(hx, news, sizeof(news)); // where there is no such file
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
