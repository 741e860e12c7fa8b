// A pair that is declined for one call of its function and merges for another: with the change it merges for both.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && ./patched | diff plain.txt -
// Not where the kernel waits: with a second buffer the pair would merge for no call.
// RUN: sed 's/twice(float \*x) {/& while (*(volatile float *)x < 0);/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=NOT %s && test ! -s b.patch
// Nor does an upload leave its loop where the pair is not proved for each call: the loop writes memory.
// RUN: sed 's/cudaMalloc(&d, bytes)/cudaMalloc(\&d, more)/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=STAYS %s
#include <cstdio>
#include <cstdlib>
__global__ void look(const float *x, float *y) { *y = *x; }
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
void run(bool changes, size_t bytes, size_t more, float *other) {
  float *h = (float *)malloc(bytes), *d, *y;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&y, 4);
  cudaMalloc(&d, bytes);
  for (int r = 0; r < 3; ++r) {
    other[r] = 1;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    if (changes)
      twice<<<256, 256>>>(d);
    else
      look<<<1, 1>>>(d, y);
  }
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", h[65535]);
  cudaFree(d);
  cudaFree(y);
  free(h);
}
int main(int argc, char **) {
  const size_t bytes = 65536 * sizeof(float);
  float other[3];
  run(false, bytes, bytes, other);
  run(true, bytes, bytes + argc, other);
}
// CHECK: declined {{.*}}device-write-live-host
// CHECK: suggested: upload h once, before line
// CHECK: h + {{.*}}d {{.*}}unified
// PATCH: {{^}}+  cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// MERGED-NOT: declined
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// NOT: declined
// NOT-NOT: suggested
// STAYS-NOT: once, before line
// STAYS: suggested: copy between h and
// STAYS-NOT: once, before line
