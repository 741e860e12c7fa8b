// As held_finds_address, but the kernel is launched when the address is there,
// and nothing waits for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__device__ float *table;
__global__ void use() { table[threadIdx.x] += 1; }

int main() {
  cudaStream_t s, u;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking));
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, u));
  float *address = dx;
  CHECK(cudaMemcpyToSymbolAsync(table, &address, sizeof address, 0,
                                cudaMemcpyHostToDevice, u));
  CHECK(cudaStreamSynchronize(u));
  printf("%.0f\n", sum(hx, N));
  use<<<1, Threads, 0, s>>>();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
