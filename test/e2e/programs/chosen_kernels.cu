// One kernel after the other is launched through a pointer, and one of two host functions
// is called through another one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

__global__ void copied(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
__global__ void doubled(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}
__global__ void reversed(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[n - 1 - i];
}

static float first(const float *p, int n) { return p[0] + n; }
static float last(const float *p, int n) { return p[n - 1] - n; }

int main() {
  float *hx = (float *)malloc(Bytes), *hy = (float *)malloc(Bytes), *dx, *dy;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&dy, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  void (*kernel)(float *, const float *, int) = nullptr;
  for (int k = 0; k < 4; ++k) {
    switch (k) {
    case 0:
      kernel = copied;
      break;
    case 2:
      kernel = doubled;
      break;
    case 3:
      kernel = reversed;
    }
    float (*look)(const float *, int) = k % 2 ? first : last;
    kernel<<<Blocks, Threads>>>(dy, dx, N);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%d: %.0f %.0f\n", k, look(hy, N), hy[N / 3]);
  }
  cudaFree(dx);
  cudaFree(dy);
  free(hx);
  free(hy);
}
