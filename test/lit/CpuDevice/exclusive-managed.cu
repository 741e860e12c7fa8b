// Where the host must not touch managed memory while the GPU works, a pair is
// managed if its host side rests then, also if it is allocated then, and mapped
// if the host fills it one line too early.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t.quiet
// RUN: %echo_cc -w --device=cpu -O2 -DEARLY %s -o %t.early
// RUN: env ECHO_CPU_SCHED=lazy ECHO_VERBOSE=1 ECHO_CPU_ATTR=concurrentManagedAccess=0,pageableMemoryAccessUsesHostPageTables=0 %t.quiet 2>&1 | FileCheck --check-prefixes=CHECK,QUIET %s
// RUN: env ECHO_CPU_SCHED=lazy ECHO_VERBOSE=1 ECHO_CPU_ATTR=concurrentManagedAccess=0,pageableMemoryAccessUsesHostPageTables=0 %t.early 2>&1 | FileCheck --check-prefixes=CHECK,EARLY %s
#include <cstdio>
#include <cstdlib>

__global__ void add(float *x, int n, float what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += what;
}

int main() {
  const int n = 1 << 16;
  const size_t bytes = n * sizeof(float);
  float *hx = (float *)calloc(n, sizeof(float)), *dx, *dy;
  cudaMalloc(&dx, bytes);
  for (int round = 0; round < 3; ++round) {
    hx[round] = 1;
    cudaMemcpy(dx, hx, bytes, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(dx, n, 1.0f);
    float *hy = (float *)malloc(bytes);
    cudaMalloc(&dy, bytes);
#ifndef EARLY
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < n; ++i)
      hy[i] = i % 7;
    cudaMemcpy(dy, hy, bytes, cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(dy, n, 2.0f);
    cudaMemcpy(hy, dy, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(hx, dx, bytes, cudaMemcpyDeviceToHost);
    printf("%g %g\n", hx[round], hy[9]);
    cudaFree(dy);
    free(hy);
  }
  cudaFree(dx);
  free(hx);
}
// CHECK-DAG: hx + {{.*}} dx: merged (managed)
// QUIET-DAG: hy + {{.*}} dy: merged (managed)
// EARLY-DAG: hy + {{.*}} dy: merged (mapped)
// CHECK: 4 pairs merged
// CHECK-COUNT-3: 2 4
