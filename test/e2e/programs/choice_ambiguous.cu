// The kernel gets one of two buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da declined ambiguous-pointer|device-write-live-host
// EXPECT: hb db declined ambiguous-pointer|device-write-live-host
#include "e2e.h"

int main(int argc, char **) {
  float *ha = (float *)malloc(Bytes), *hb = (float *)malloc(Bytes);
  float *da, *db;
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  fill(ha, N, 1);
  fill(hb, N, 2);
  CHECK(cudaMemcpy(da, ha, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, hb, Bytes, cudaMemcpyHostToDevice));
  float *d = argc > 1 ? da : db;
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaDeviceSynchronize());
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  CHECK(cudaMemcpy(ha, da, Bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(hb, db, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(ha, N), sum(hb, N));
  cudaFree(da);
  cudaFree(db);
  free(ha);
  free(hb);
}
