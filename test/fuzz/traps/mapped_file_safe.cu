// As mapped_file, but the buffer is of the heap and the file a copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

#include <unistd.h>

int main() {
  FILE *file = tmpfile();
  if (!file)
    return 1;
  float *hx = (float *)malloc(Bytes), *dx, first = 0;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  fwrite(hx, sizeof(float), N, file);
  fflush(file);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  bool read = pread(fileno(file), &first, sizeof(first), 0) == sizeof(first);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%d %.0f %.0f\n", read, first, sum(hx, N));
  cudaFree(dx);
  free(hx);
  fclose(file);
}
