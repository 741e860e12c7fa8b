// As swapped, with pinned memory and a stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx in unified
// ARGS: 3
// ARGS: 4
#include "e2e.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2;
  float *hx, *in, *out;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&hx, Bytes));
  CHECK(cudaMalloc(&in, Bytes));
  CHECK(cudaMalloc(&out, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpyAsync(in, hx, Bytes, cudaMemcpyHostToDevice, stream));
  for (int i = 0; i < rounds; ++i) {
    scale<<<Blocks, Threads, 0, stream>>>(in, out, N, 2.0f);
    float *swap = in;
    in = out;
    out = swap;
  }
  CHECK(cudaMemcpyAsync(hx, in, Bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("%.0f\n", sum(hx, N));
  cudaFree(in);
  cudaFree(out);
  CHECK(cudaFreeHost(hx));
  CHECK(cudaStreamDestroy(stream));
}
