// Kernels chosen by a switch, and a function of a table that each round fills
// anew, with rows of a device buffer that each round allocates anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
// EXPECT: hy dy unified
#include "e2e.h"

using Step = void (*)(float *, int);
static void addOne(float *row, int n) {
  addInPlace<<<Blocks, Threads>>>(row, n, 1.0f);
}
static void addTwo(float *row, int n) {
  addInPlace<<<Blocks, Threads>>>(row, n, 2.0f);
}
static Step Steps[] = {addOne, nullptr};

__global__ void negate(float *x, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = by - x[i];
}

int main(int argc, char **) {
  if (argc > 0)
    Steps[argc] = addTwo;
  float *hx = (float *)malloc(Bytes), *dx;
  CHECK(cudaMalloc(&dx, Bytes));
  for (int round = 0; round < 4; ++round) {
    auto *kernel = addInPlace;
    switch (round) {
    case 1:
    case 2:
      kernel = negate;
      break;
    }
    fill(hx, N, round);
    CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
    kernel<<<Blocks, Threads>>>(dx, N, 3.0f);
    CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
    printf("%d %.0f\n", round, sum(hx, N));

    float *hy = (float *)malloc(Bytes), *dy;
    CHECK(cudaMalloc(&dy, Bytes));
    fill(hy, N, 10 * round);
    float **rows = (float **)malloc(2 * sizeof(float *));
    Step *todo = (Step *)malloc(2 * sizeof(Step));
    for (int i = 0; i < 2; ++i) {
      rows[i] = dy + i * (N / 2);
      todo[i] = Steps[(i + round) & 1];
    }
    CHECK(cudaMemcpy(dy, hy, Bytes, cudaMemcpyHostToDevice));
    for (int i = 0; i < 2; ++i)
      todo[i](rows[i], N / 2);
    CHECK(cudaMemcpy(hy, dy, Bytes, cudaMemcpyDeviceToHost));
    printf("%.0f %.0f\n", sum(hy, N / 2), sum(hy + N / 2, N / 2));
    free(todo);
    free(rows);
    cudaFree(dy);
    free(hy);
  }
  cudaFree(dx);
  free(hx);
}
