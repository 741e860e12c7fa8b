// The program's own read, which the C++ library calls, keeps the buffer's address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined unknown-call
#include "e2e.h"

#include <fstream>
#include <unistd.h>

static const float *Kept;
extern "C" ssize_t __read(int fd, void *to, size_t bytes);

extern "C" ssize_t read(int fd, void *to, size_t bytes) {
  if (bytes >= Bytes / 2)
    Kept = (const float *)to;
  return __read(fd, to, bytes);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  std::ifstream in("/dev/zero", std::ios::binary);
  in.read((char *)hx, Bytes);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", Kept ? sum(Kept, 100) : -1);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
