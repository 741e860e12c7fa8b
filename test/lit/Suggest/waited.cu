// A wait that follows an upload after other copies is enough for the copy that takes its place.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=NONE --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not one after a kernel, nor after a copy that may run in another stream.
// RUN: sed 's/^    cudaDeviceSynchronize();/    twice<<<256, 256>>>(e);\n&/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest b.patch --report - -c b.cu | FileCheck %s
// RUN: FileCheck --check-prefix=ADDED --input-file=b.patch %s
// RUN: sed 's/cudaMemcpy(e/cudaMemcpyAsync(e/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck %s
// RUN: FileCheck --check-prefix=ADDED --input-file=c.patch %s
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d, *e, value = 3;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  for (int r = 0; r < 3; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(e, &value, sizeof(float), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    twice<<<256, 256>>>(d);
  }
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", h[65535]);
  cudaFree(d);
  cudaFree(e);
  free(h);
}
// CHECK: suggested: upload h once, before line
// NONE-NOT: {{^}}+    cudaDeviceSynchronize();
// ADDED: {{^}}+    cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice);
// ADDED-NEXT: {{^}}+    cudaDeviceSynchronize();
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
