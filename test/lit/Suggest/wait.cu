// A wait before a write that meets work in flight, outside of the loop that writes.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// A wait does not help a pair whose buffer others can see, too.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DSEEN --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=SEEN %s
// RUN: test ! -s b.patch
// Nor one whose sizes cannot be equal, as it merges in no run; where they may be, it does.
// RUN: sed 's/malloc(bytes)/malloc(argc * bytes)/; s/cudaMalloc(&d, bytes)/cudaMalloc(\&d, 2 * argc * bytes)/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=SEEN %s
// RUN: test ! -s c.patch
// RUN: sed 's/malloc(bytes)/malloc(argc * bytes)/; s/cudaMalloc(&d, bytes)/cudaMalloc(\&d, argc * room)/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck %s
#include <cstdio>
#include <cstdlib>
#ifdef SEEN
extern float *seen;
#endif
__global__ void sum(const float *x, float *y) {
  for (int i = 0; i < 65536; ++i)
    *y += x[i];
}
int main(int argc, char **argv) {
  const int room = argc > 1 ? atoi(argv[1]) : 4;
  const int bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d, *y, result[2] = {};
#ifdef SEEN
  seen = h;
#endif
  cudaMalloc(&d, bytes);
  cudaMalloc(&y, 2 * sizeof(float));
  cudaMemcpy(y, result, 2 * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < 65536; ++i)
    h[i] = 1;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(d, y);
  for (int i = 0; i < 65536; ++i)
    h[i] = 2;
  cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(d, y + 1);
  cudaMemcpy(result, y, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", result[0], result[1]);
  cudaFree(d);
  cudaFree(y);
  free(h);
}
// CHECK: declined   S2 host-write-in-flight
// CHECK: suggested: wait for the GPU before line [[#]]
// CHECK-NOT: suggested
// PATCH: {{^}}   sum<<<1, 1>>>(d, y);
// PATCH-NEXT: {{^}}+  cudaDeviceSynchronize();
// PATCH-NEXT: {{^}}   for (int i = 0;
// MERGED: 2 copies removed
// SEEN: declined
// SEEN-NOT: suggested
