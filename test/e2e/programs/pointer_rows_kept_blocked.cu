// As pointer_rows, but the array of pointers itself is in a variable that other
// code can reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx declined pointer-escapes
// ARGS: 256
#include "e2e.h"

float **volatile Rows;

int main(int, char **argv) {
  int rows = atoi(argv[1]), columns = N / rows;
  float *hx = new float[N], *dx;
  float **row = new float *[rows];
  Rows = row;
  for (int i = 0; i < rows; ++i)
    row[i] = hx + i * columns;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      row[i][j] = (i + j) % 64;
  CHECK(cudaMalloc(&dx, Bytes));
  CHECK(cudaMemcpy(dx, hx, Bytes, cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, N, 1.0f);
  CHECK(cudaMemcpy(hx, dx, Bytes, cudaMemcpyDeviceToHost));
  printf("%.0f %.0f\n", sum(hx, N), Rows[rows / 2][columns / 2]);
  CHECK(cudaFree(dx));
  delete[] row;
  delete[] hx;
}
