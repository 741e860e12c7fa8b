// One host buffer and one of two device buffers, of which only one is allocated, before the
// host buffer. The copy that the host waits for fails: then it waits all the same where
// either pair merged, as the kernel reads what the host writes next.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h first unified
// EXPECT: h second unified
// EXPECT: out to declined
// ARGS: 1
#include "e2e.h"

float *volatile unknown; // stays null

int main(int argc, char **argv) {
  float *d, *to, *given = unknown, seen = 1;
  CHECK(cudaMalloc(&to, Bytes));
  CHECK(cudaMemset(to, 0, Bytes));
  if (argc > 2)
    unknown = to;
  if (argc > 1) {
    float *first;
    CHECK(cudaMalloc(&first, Bytes));
    d = first;
    puts("first");
  } else {
    float *second;
    CHECK(cudaMalloc(&second, Bytes));
    d = second;
    puts("second");
  }
  float *h = (float *)malloc(Bytes), *out = (float *)malloc(Bytes);
  fill(h, N, 1);
  CHECK(cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice));
  saxpy<<<Blocks, Threads>>>(N, 1.0f, d, to);
  cudaMemcpy(&seen, given, sizeof(float), cudaMemcpyDeviceToHost);
  cudaGetLastError();
  fill(h, N, 5);
  CHECK(cudaMemcpy(out, to, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(out, N), sum(h, N));
  cudaFree(d);
  cudaFree(to);
  free(h);
  free(out);
}
