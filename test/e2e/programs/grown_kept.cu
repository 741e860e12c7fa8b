// A smaller buffer was to replace the host buffer, and does not. An asynchronous
// copy of pageable memory has read it when the call returns: echort waits for
// one that CUDA would read later, whichever buffer it allocated last.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: at-least 1
// ARGS: 1
#include "e2e.h"

int main(int, char **argv) {
  int keep = atoi(argv[1]);
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  float *e, *d, *h = nullptr;
  CHECK(cudaMalloc(&e, Bytes));
  size_t bytes = Bytes;
  for (int i = 0; i < 2; ++i) {
    float *other = (float *)malloc(bytes);
    if (i == keep) {
      free(other);
    } else {
      free(h);
      h = other;
      fill(h, N, 3);
    }
    bytes = 64;
  }
  CHECK(cudaMalloc(&d, Bytes));
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(d, N, 1.0f);
  CHECK(cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost));
  scale<<<Blocks, Threads, 0, s>>>(e, e, N, 0.0f);
  CHECK(cudaMemcpyAsync(e, h, Bytes, cudaMemcpyHostToDevice, s));
  h[0] = 12345;
  h[N - 1] = 777;
  CHECK(cudaStreamSynchronize(s));
  std::vector<float> out(N);
  CHECK(cudaMemcpy(out.data(), e, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(out.data(), N), sum(h, N));
  cudaFree(d);
  cudaFree(e);
  free(h);
}
