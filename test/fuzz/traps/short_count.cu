// The host's size goes through 16 bits and is smaller than the device's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified|guarded or declined
#include "e2e.h"

int main(int argc, char **) {
  unsigned count = 5 * 65536 / 4 + argc - 1; // of blocks of 16 bytes
  unsigned short kept = count;
  float *hx = (float *)malloc(kept * size_t(16)), *dx;
  CHECK(cudaMalloc(&dx, count * size_t(16)));
  fill(hx, kept * 4, 1);
  CHECK(cudaMemset(dx, 0, count * size_t(16)));
  CHECK(cudaMemcpy(dx, hx, kept * size_t(16), cudaMemcpyHostToDevice));
  addInPlace<<<(count * 4 + 127) / 128, 128>>>(dx, count * 4, 1.0f);
  CHECK(cudaMemcpy(hx, dx, kept * size_t(16), cudaMemcpyDeviceToHost));
  printf("%u %.0f\n", kept, sum(hx, kept * 4));
  cudaFree(dx);
  free(hx);
}
