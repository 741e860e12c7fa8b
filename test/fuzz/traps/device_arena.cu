// One device allocation holds the partners of two host buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: no-unified
#include "e2e.h"

int main() {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes), *arena;
  CHECK(cudaMalloc(&arena, 2 * Bytes));
  float *da = arena, *db = arena + N;
  fill(ha, N, 1);
  fill(hb, N, 2);
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  saxpy<<<2 * Blocks, Threads>>>(2 * N, 1.0f, arena, arena);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(arena);
  free(ha);
  free(hb);
}
