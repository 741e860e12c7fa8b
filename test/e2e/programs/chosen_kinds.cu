// Pinned or pageable memory, each with a device buffer of its own, and asynchronous copies
// of either: the host waits for the download into pageable memory, and so sees what the
// stream wrote before into memory of the host. One of the two pairs merges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-most 1
#include "e2e.h"

__global__ void mark(float *to) { to[threadIdx.x] = 5; }

int main(int argc, char **) {
  cudaStream_t s;
  CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  float *marks, *marksThere;
  CHECK(cudaHostAlloc(&marks, 1024, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer((void **)&marksThere, marks, 0));
  marks[0] = 1;
  float *h, *d;
  if (argc > 1) {
    CHECK(cudaMallocHost((void **)&h, Bytes));
    CHECK(cudaMalloc(&d, Bytes));
  } else {
    h = (float *)malloc(Bytes);
    CHECK(cudaMalloc(&d, Bytes));
  }
  fill(h, N, 1);
  CHECK(cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s));
  mark<<<1, 32, 0, s>>>(marksThere);
  CHECK(cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s));
  if (argc > 1)
    CHECK(cudaStreamSynchronize(s));
  printf("%g\n", marks[0]);
  CHECK(cudaStreamSynchronize(s));
  printf("%.0f\n", sum(h, N));
  CHECK(cudaStreamDestroy(s));
  cudaFree(d);
  cudaFreeHost(marks);
  if (argc > 1)
    cudaFreeHost(h);
  else
    free(h);
}
