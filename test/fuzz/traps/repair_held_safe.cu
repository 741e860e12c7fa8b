// Another unit gives the GPU no work: repair waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --repair -pthread
// EXPECT: hx dx unified
// EXTRA: repair_held_safe.extra.cpp
#include "e2e.h"

void hold();
void letGo();

__global__ void scale(const float *in, float *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i] * 2;
}

float work() {
  float *hx = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  hold();
  scale<<<1, 1>>>(dx, dy, N);
  fill(hx, N, 2); // the next data, for which repair would wait
  letGo();
  CHECK(cudaDeviceSynchronize());
  float sample[4];
  CHECK(cudaMemcpy(sample, dy, sizeof sample, cudaMemcpyDeviceToHost));
  cudaFree(dx);
  cudaFree(dy);
  float last = sample[3] + hx[3];
  free(hx);
  return last;
}

int main() { printf("%.0f\n", work()); }
