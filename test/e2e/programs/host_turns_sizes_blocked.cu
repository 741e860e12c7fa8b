// A host buffer of another size each time: where there are no bytes, nothing
// merges and no copy waits, so the kernel may still read dx when the next host
// buffer is filled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: h dx declined instance-mismatch
// EXPECT: few dy unified|guarded|declined
#include "e2e.h"

__global__ void accumulate(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    out[i] += in[i];
}

int main(int argc, char **) {
  size_t counts[3] = {N, size_t(N) * (argc - 1), N};
  float *dx, *dy, *few = (float *)malloc(Bytes);
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  CHECK(cudaMemset(dy, 0, Bytes));
  for (int r = 0; r < 3; ++r) {
    size_t bytes = counts[r] * sizeof(float);
    float *h = (float *)malloc(bytes);
    for (size_t i = 0; i < counts[r]; ++i)
      h[i] = r + 1;
    CHECK(cudaMemcpy(dx, h, bytes, cudaMemcpyHostToDevice));
    accumulate<<<Blocks, Threads>>>(dx, dy);
    CHECK(cudaMemcpy(few, dy, bytes, cudaMemcpyDeviceToHost));
    free(h);
  }
  CHECK(cudaMemcpy(few, dy, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(few, N));
  cudaFree(dx);
  cudaFree(dy);
  free(few);
}
