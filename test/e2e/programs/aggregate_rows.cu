// Device pointers in an array inside a class that the kernel gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

struct Rows {
  Rows(int n) : count(n) {}
  Rows(const Rows &other) { *this = other; } // a kernel gets it by reference
  Rows &operator=(const Rows &) = default;
  float *row[4] = {};
  int count;
};
__global__ void addRow(Rows r, int which, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < r.count)
    r.row[which][i] += value;
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  Rows rows(N);
  for (int r = 0; r < 4; ++r)
    rows.row[r] = r % 2 ? dx : dy;
  addRow<<<Blocks, Threads>>>(rows, hx[0] > 0 ? 1 : 2, 2.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
}
