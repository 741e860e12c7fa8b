// Verdicts as remarks at the host allocation, and in the optimization record.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -O2 -c %s -o %t.o -Rpass=echo -Rpass-missed=echo 2>&1 | FileCheck %s
// RUN: %echo_cc -w -O0 -c %s -o %t.o -Rpass=echo -Rpass-missed=echo 2>&1 | FileCheck %s
// RUN: %echo_cc -w -O2 -c %s -o %t.o -foptimization-record-file=%t.yaml && FileCheck --check-prefix=YAML --input-file=%t.yaml %s
// RUN: %echo_cc -w -O2 -c %s -o %t.o 2>&1 | count 0
#include <cstdio>
#include <cstdlib>
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
int main() {
  const int n = 1 << 20;
  float *h, *d;
  // CHECK: remarks.cu:[[@LINE+2]]:16: remark: 'h' and 'd' are one buffer: 2 copies removed ({{[0-9]+}}:3 H2D, {{[0-9]+}}:3 D2H), 1 wait kept at {{[0-9]+}}:3 [-Rpass=echo]
  // CHECK-NEXT: [[@LINE+1]] |
  h = (float *)malloc(n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; i++)
    h[i] = i;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", h[5]);
  cudaFree(d);
  free(h);
  // CHECK: remarks.cu:[[@LINE+1]]:23: remark: 's' and 't' stay apart: under 200 KiB [-Rpass-missed=echo]
  float *s = (float *)malloc(1024), *t;
  cudaMalloc(&t, 1024);
  for (int i = 0; i < 256; i++)
    s[i] = i;
  cudaMemcpy(t, s, 1024, cudaMemcpyHostToDevice);
  scale<<<1, 256>>>(t, 256);
  cudaMemcpy(s, t, 1024, cudaMemcpyDeviceToHost);
  printf("%f\n", s[5]);
  cudaFree(t);
  free(s);
}
// YAML: --- !Passed
// YAML-NEXT: Pass: echo
// YAML-NEXT: Name: unified
// YAML-NEXT: DebugLoc: { File: {{.*}}remarks.cu
// YAML: --- !Missed
// YAML-NEXT: Pass: echo
// YAML-NEXT: Name: too-small
