// The host buffer is a file in memory: it is no buffer of the heap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: none
#include "e2e.h"

#include <sys/mman.h>
#include <unistd.h>

int main() {
  FILE *file = tmpfile();
  if (!file || ftruncate(fileno(file), Bytes) != 0)
    return 1;
  float *hx = (float *)mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                            fileno(file), 0);
  float *dx, first = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  bool read = pread(fileno(file), &first, sizeof(first), 0) == sizeof(first);
  printf("%d %.0f %.0f\n", read, first, sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  munmap(hx, Bytes);
  fclose(file);
}
