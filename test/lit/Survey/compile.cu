// What echo-cc says of the same file, and a file that does not compile.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t/good %t/bad
// RUN: cp %s %t/good/good.cu
// RUN: cp %S/broken.cu %t/bad/bad.cu
// RUN: %echo_survey %t --compile | FileCheck %s
// CHECK: Compiled by echo-cc {{ *}}surveyed analyzed merged declined
// CHECK: bad/bad.cu {{ *}}1 not compiled: 'helper_of_nobody.h' file not found
// CHECK: good/good.cu {{ *}}2 {{ *}}2 {{ *}}1 {{ *}}1 {{.*}} 1
// CHECK: all that compile {{ *}}2 {{ *}}2 {{ *}}1 {{ *}}1
// CHECK: Files not compiled: 1 of 2
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
int main() {
  const int n = 1 << 20;
  float *good = (float *)malloc(n * sizeof(float)), *bad = (float *)malloc(n * sizeof(float)), *dg, *db;
  cudaMalloc(&dg, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    good[i] = bad[i] = i;
  cudaMemcpy(dg, good, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, bad, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<n / 256, 256>>>(dg, n);
  twice<<<n / 256, 256>>>(db, n);
  cudaMemcpy(good, dg, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", good[7]);
  // The host's copy is still the old one.
  printf("%f\n", bad[7]);
  cudaFree(dg);
  cudaFree(db);
  free(good);
  free(bad);
}
