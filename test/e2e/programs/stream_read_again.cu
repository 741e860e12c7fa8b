// A size that a stream puts into a local variable is read again behind other streams' work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: hx dx unified
#include "e2e.h"
#include <iostream>
#include <sstream>

int main() {
  int count = 0, other = 0;
  std::istringstream in("70001 50000");
  in >> count;
  float *hx = (float *)malloc(count * sizeof(float)), *dx;
  in >> other;
  std::cout << "elements: " << other << std::endl;
  CHECK(cudaMalloc(&dx, count * sizeof(float)));
  fill(hx, 50000, 1);
  CHECK(cudaMemcpy(dx, hx, count * sizeof(float), cudaMemcpyHostToDevice));
  addInPlace<<<Blocks, Threads>>>(dx, 50000, 2.0f);
  CHECK(cudaMemcpy(hx, dx, count * sizeof(float), cudaMemcpyDeviceToHost));
  printf("%.0f\n", sum(hx, 50000));
  cudaFree(dx);
  free(hx);
}
