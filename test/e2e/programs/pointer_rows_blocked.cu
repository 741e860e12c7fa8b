// As pointer_rows, but a row is written between upload and kernel, and the host
// reads that: the device must not see it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined host-write-live-device
// ARGS: 256
#include "e2e.h"

int main(int, char **argv) {
  int rows = atoi(argv[1]), columns = N / rows;
  float *hx = new float[N], *dx;
  float **row = new float *[rows];
  for (int i = 0; i < rows; ++i)
    row[i] = hx + i * columns;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      row[i][j] = (i + j) % 64;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  row[rows / 2][0] = 99;
  float seen = sum(row[rows / 2], columns);
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f %.0f\n", seen, sum(hx, N), row[rows / 2][columns / 2]);
  CHECK(cudaFree(dx));
  delete[] row;
  delete[] hx;
}
