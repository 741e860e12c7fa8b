// A blocking copy writes what kernels printed, a query does not (CUDA's guide,
// "Formatted Output"): what is left of a copy that went does the same.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 --min-bytes=1 --report %t.txt %s -o %t
// RUN: FileCheck --check-prefix=MERGED %s < %t.txt
// RUN: env ECHO_CPU_SCHED=eager %t | FileCheck %s
// RUN: env ECHO_CPU_SCHED=lazy %t | FileCheck %s
// RUN: env ECHO_CPU_DEVICE=orin ECHO_BACKING=mapped %t | FileCheck %s
// MERGED: 1 pair: 1 unified
// CHECK: device
// CHECK-NEXT: host 2
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

__global__ void twice(float *p) {
  if (threadIdx.x == 0)
    printf("device\n");
  p[threadIdx.x] *= 2;
}

int main() {
  const int n = 64;
  float *h = (float *)malloc(n * sizeof(float)), *d;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = 1;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, 64>>>(d);
  usleep(50000); // the kernel is done, on a device that begins at once
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("host %g\n", h[n - 1]);
  cudaFree(d);
  free(h);
}
