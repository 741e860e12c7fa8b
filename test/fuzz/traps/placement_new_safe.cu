// As placement_new, but the object is made anew behind the download.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

#include <new>

struct Grid {
  explicit Grid(int seed) { fill(cells, N, seed); }
  float cells[N];
};

int main() {
  void *hx = malloc(Bytes);
  float *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  Grid *grid = new (hx) Grid(1);
  CHECK(cudaMemcpy(dx, grid, sizeof(Grid), cudaMemcpyHostToDevice));
  scale<<<Blocks, Threads>>>(dx, dy, N, 2.0f);
  CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
  grid = new (hx) Grid(2);
  printf("%.0f %.0f\n", sum(grid->cells, N), sum(hy, N));
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
