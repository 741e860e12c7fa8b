// Two host buffers get results of one device buffer in a loop: each has a second device buffer of its own.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not where the names are taken.
// RUN: sed 's/^  free(h1);/  int d'_shared', d'_shared2', d'_shared3', d'_shared4';\n&/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s && test ! -s b.patch
#include <cstdio>
#include <cstdlib>
__global__ void fill(float *x, float v) { x[blockIdx.x * 256 + threadIdx.x] = v; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h1 = (float *)malloc(bytes), *h2 = (float *)malloc(bytes), *d;
  cudaMalloc(&d, bytes);
  for (int r = 0; r < 3; ++r) {
    fill<<<256, 256>>>(d, r);
    cudaMemcpy(h1, d, bytes, cudaMemcpyDeviceToHost);
    fill<<<256, 256>>>(d, r + 5);
    cudaMemcpy(h2, d, bytes, cudaMemcpyDeviceToHost);
    fill<<<256, 256>>>(d, 9);
    cudaDeviceSynchronize();
    printf("%g %g\n", h1[65535], h2[3]);
  }
  cudaFree(d);
  free(h1);
  free(h2);
}
// CHECK: suggested: copy between h1 and 'd{{_}}shared', and from there on the device
// CHECK: suggested: copy between h2 and 'd{{_}}shared2', and from there on the device
// PATCH: {{^}}+    cudaMemcpy(h1, d{{_}}shared, bytes, cudaMemcpyDeviceToHost);
// PATCH: {{^}}+    cudaMemcpy(h2, d{{_}}shared2, bytes, cudaMemcpyDeviceToHost);
// MERGED: 2 pairs: 2 unified
// NOT: declined
// NOT-NOT: suggested
