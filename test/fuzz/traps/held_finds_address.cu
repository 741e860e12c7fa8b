// A host function holds a stream; the kernel behind it finds the buffer's
// address, which comes to the device later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
#include "e2e.h"

#include <atomic>

static std::atomic<bool> go;

static void hold(void *) {
  while (!go)
    ;
}

__device__ float *table;
__global__ void use() { table[threadIdx.x] += 1; }

int main() {
  cudaStream_t s, u;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&u, cudaStreamNonBlocking));
  CHECK(cudaLaunchHostFunc(s, hold, nullptr));
  use<<<1, Threads, 0, s>>>();
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(dx, hx, Bytes, cudaMemcpyHostToDevice, u));
  float *address = dx;
  CHECK(cudaMemcpyToSymbolAsync(table, &address, sizeof address, 0,
                                cudaMemcpyHostToDevice, u));
  CHECK(cudaStreamSynchronize(u));
  go = true;
  CHECK(cudaDeviceSynchronize());
  printf("%.0f\n", sum(hx, N));
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, N));
  cudaFree(dx);
  free(hx);
}
