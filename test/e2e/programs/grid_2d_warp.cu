// A two-dimensional grid, warp shuffles and votes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"

__global__ void warpSums(float *data, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float value = data[y * width + x];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  unsigned votes = __ballot_sync(0xffffffffu, value > 900.0f);
  if (threadIdx.x == 0)
    data[y * width + x] = value + __popc(votes);
}

int main() {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  dim3 block(32, 4), grid(256 / 32, N / 256 / 4);
  warpSums<<<grid, block>>>(dx, 256);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  double total = 0;
  for (int i = 0; i < N; i += 32)
    total += hx[i];
  printf("%.0f\n", total);
  cudaFree(dx);
  free(hx);
}
