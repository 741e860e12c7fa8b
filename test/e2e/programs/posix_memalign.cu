// Blocks from posix_memalign and aligned_alloc: one pair made by a helper that
// returns the address, one whose alignment no block of a few pages has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
// EXPECT: hz dz unified
#include "e2e.h"
#include <cerrno>

static int get(float **p, size_t bytes) {
  return posix_memalign(reinterpret_cast<void **>(p), 1024, bytes);
}

int main() {
  float *hx = nullptr, *hy, *dx, *dy, *dz;
  if (get(&hx, Bytes)) {
    std::printf("no memory\n");
    return 3;
  }
  CHECK(cudaMalloc(&dy, Bytes));
  int status = posix_memalign(reinterpret_cast<void **>(&hy), 64, Bytes);
  float *hz = static_cast<float *>(aligned_alloc(size_t(1) << 28, Bytes));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dz, Bytes));
  fill(hx, N, 3);
  for (int step = 0; step < 3; ++step) {
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
    saxpy<<<Blocks, Threads>>>(N, 1.0f, dx, dy);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    std::printf("%d %.0f\n", status, sum(hy, N));
    fill(hx, N, step);
  }
  fill(hz, N, 9);
  CHECK(cudaMemcpy(dz, hz, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dz, N, 1.0f);
  CHECK(cudaMemcpy(hz, dz, Bytes, cudaMemcpyDeviceToHost));
  std::printf("%.0f\n", sum(hz, N));
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  CHECK(cudaFree(dz));
  free(hx);
  free(hy);
  free(hz);
  // What cannot be had leaves the variable as it was.
  float *keeps = nullptr;
  int refused = get(&keeps, SIZE_MAX / 2);
  std::printf("%d %d\n", refused == ENOMEM, keeps == nullptr);
}
