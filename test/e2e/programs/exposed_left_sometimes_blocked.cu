// As exposed, but one of two places that give the device the buffer's
// address does not free it: others may find it there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
#include "e2e.h"

struct Work {
  float *x;
  int count;
};
__global__ void addWork(const Work *work, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < work->count)
    work->x[i] += value;
}
__device__ float *table;
__global__ void addTable(float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    table[i] += value;
}

static void leaves(bool asStruct) {
  float *hx = (float *)malloc(Bytes);
  float *dx;
  Work *work;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMalloc(&work, sizeof(Work)));
  fill(hx, N, 1);
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  if (asStruct) {
    Work on = {dx, N};
    CHECK(cudaMemcpy(work, &on, sizeof(on), cudaMemcpyHostToDevice));
    addWork<<<Blocks, Threads>>>(work, 1.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
    cudaFree(dx);
  } else {
    CHECK(cudaMemcpyToSymbol(table, &dx, sizeof(dx)));
    addTable<<<Blocks, Threads>>>(2.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f\n", sum(hx, N));
  }
  cudaFree(work);
  free(hx);
}

void (*volatile chosen)(bool) = leaves;
int main() {
  chosen(true);
  chosen(false);
}
