// As capture_caller, but the function waits and frees: no graph could use its
// buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: table dt unified
// EXPECT: hx dx unified or declined unknown-call
#include "e2e.h"

__attribute__((noinline)) static void addTable(float *out, cudaStream_t s) {
  float *table, *dt;
  CHECK(cudaMallocHost(&table, Bytes));
  CHECK(cudaMalloc(&dt, Bytes));
  fill(table, N, 3);
  CHECK(cudaMemcpyAsync(dt, table, Bytes, cudaMemcpyHostToDevice, s));
  addInPlace<<<Blocks, Threads, 0, s>>>(dt, N, 1.0f);
  saxpy<<<Blocks, Threads, 0, s>>>(N, 2.0f, dt, out);
  CHECK(cudaStreamSynchronize(s));
  cudaFree(dt);
  cudaFreeHost(table);
}

int main() {
  float *hx = (float *)malloc(Bytes), *dx;
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemset(dx, 0, Bytes));
  CHECK(cudaDeviceSynchronize());
  addTable(dx, s);
  addTable(dx, s);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaStreamDestroy(s);
  cudaFree(dx);
  free(hx);
}
