// Two streams with buffers of their own, each waited for before its buffers are
// touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: ha da unified
// EXPECT: hb db unified
#include "e2e.h"

int main() {
  float *ha, *hb, *da, *db;
  cudaStream_t s, t;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreate(&t));
  CHECK(cudaMallocHost(&ha, Bytes));
  CHECK(cudaMallocHost(&hb, Bytes));
  CHECK(cudaMalloc(&da, Bytes));
  CHECK(cudaMalloc(&db, Bytes));
  for (int frame = 0; frame < 3; ++frame) {
    fill(ha, N, frame);
    CHECK(cudaMemcpyAsync(da, ha, Bytes, cudaMemcpyHostToDevice, s));
    addInPlace<<<Blocks, Threads, 0, s>>>(da, N, 1.0f);
    CHECK(cudaMemcpyAsync(ha, da, Bytes, cudaMemcpyDeviceToHost, s));
    fill(hb, N, frame + 10);
    CHECK(cudaMemcpyAsync(db, hb, Bytes, cudaMemcpyHostToDevice, t));
    addInPlace<<<Blocks, Threads, 0, t>>>(db, N, 2.0f);
    CHECK(cudaMemcpyAsync(hb, db, Bytes, cudaMemcpyDeviceToHost, t));
    CHECK(cudaStreamSynchronize(s));
    printf("%.0f\n", sum(ha, N));
    CHECK(cudaStreamSynchronize(t));
    printf("%.0f\n", sum(hb, N));
  }
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(da);
  cudaFree(db);
  cudaFreeHost(ha);
  cudaFreeHost(hb);
}
