// The program's own operator new, of another unit, counts: what the variable
// said before an allocation is not what it says behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXTRA: own_function.extra.cpp
// EXPECT: hx dx unified|guarded|declined
#include "e2e.h"

#include <new>

extern size_t Allocated;
struct Large {
  double Data[5000];
};

int main() {
  float *hx = (float *)malloc(Allocated * Bytes), *dx;
  memset(hx, 0, Allocated * Bytes);
  // Not a new expression, which the compiler may leave out.
  auto *L = static_cast<Large *>(operator new(sizeof(Large)));
  L->Data[7] = 2;
  const size_t more = Allocated * Bytes;
  CHECK(cudaMalloc(&dx, more));
  CHECK(cudaMemset(dx, 0, more));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, (int)(more / sizeof(float)), 3.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %g %zu\n", sum(hx, N), L->Data[7], Allocated);
  operator delete(L);
  cudaFree(dx);
  free(hx);
}
