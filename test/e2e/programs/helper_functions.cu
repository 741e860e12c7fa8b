// Allocation, upload, launch and release in functions of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: all-unified
#include "e2e.h"

float *makeHost(size_t bytes) {
  float *p = (float *)malloc(bytes);
  if (!p)
    exit(3);
  return p;
}
float *makeDevice(size_t bytes) {
  float *p;
  CHECK(cudaMalloc(&p, bytes));
  return p;
}
void upload(float *to, const float *from, size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
void download(float *to, const float *from, size_t bytes) {
  CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
void release(float *host, float *device) {
  CHECK(cudaFree(device));
  free(host);
}

int main() {
  float *hx = makeHost(Bytes);
  float *dx = makeDevice(Bytes);
  fill(hx, N, 1);
  upload(dx, hx, Bytes);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  download(hx, dx, Bytes);
  printf("%.0f\n", sum(hx, N));
  release(hx, dx);
}
