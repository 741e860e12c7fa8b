// A kernel that is called as a function, without <<<>>>, is not launched. As on
// an H100 with nvcc's stub, the error is that the configuration is missing.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t && %t | FileCheck %s
#include <cstdio>

__global__ void set(int *p, int v) { *p = v; }

int main() {
  int *p = nullptr;
  cudaMallocManaged(&p, sizeof(int));
  *p = 1;
  void (*volatile plain)(int *, int) = set;
  plain(p, 2);
  int first = cudaGetLastError(), second = cudaDeviceSynchronize();
  // CHECK: 52 0 1
  printf("%d %d %d\n", first, second, *p);
  set<<<1, 1>>>(p, 3);
  cudaDeviceSynchronize();
  // CHECK: 0 3
  printf("%d %d\n", cudaGetLastError(), *p);
}
