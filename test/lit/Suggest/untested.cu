// A copy that overwrites a buffer only if another one was allocated: the allocations are tested.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// The file's own check is taken where it ends the program.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DOWN --suggest b.patch --report - -c b.cu | FileCheck --check-prefix=CHECK %s
// RUN: FileCheck --check-prefix=OWN --input-file=b.patch %s
// Never one that does more: it prints, counts, or looks at something else.
// RUN: sed 's/if (e)/puts("call"); if (e)/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu -DOWN --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=CHECK %s
// RUN: FileCheck --check-prefix=IF --input-file=c.patch %s
// RUN: sed 's/if (e)/++calls; if (e)/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu -DOWN --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=CHECK %s
// RUN: FileCheck --check-prefix=IF --input-file=d.patch %s
// RUN: sed 's/if (e)/if (calls)/' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu -DOWN --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=CHECK %s
// RUN: FileCheck --check-prefix=IF --input-file=e.patch %s
// Nor one that would take a variable of the call for its own.
// RUN: sed 's/d.1., bytes)/d[1], e)/; s/^  int s = 0;/  (void)e;\n&/; s/^int main(.*/&\n  const size_t e = 65536 * sizeof(float);/' %s > i.cu
// RUN: %echo_cc -w -O1 --device=cpu -DOWN --suggest i.patch --report - -c i.cu | FileCheck --check-prefix=CHECK %s
// RUN: FileCheck --check-prefix=IF --input-file=i.patch %s
// No suggestion where a test does not help: the kernel may read what the host has not written yet.
// RUN: cp %s f.cu && %echo_cc -w -O1 --device=cpu -DREADS --suggest f.patch --report - -c f.cu | FileCheck --check-prefix=NOT %s
// RUN: test ! -s f.patch
// Nor where an allocation is no statement of a block, or is made by a macro.
// RUN: sed 's/^  cudaMalloc(&d.1., bytes);/  if (argc)\n    cudaMalloc(\&d[1], bytes);/' %s > g.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest g.patch --report - -c g.cu | FileCheck --check-prefix=NOT %s
// RUN: sed 's/^  cudaMalloc(&d.1., bytes);/  ALLOCATE(d[1]);/' %s > h.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest h.patch --report - -c h.cu | FileCheck --check-prefix=NOT %s
#include <cstdio>
#include <cstdlib>
int calls;
#define ALLOCATE(pointer) cudaMalloc(&pointer, bytes)
#define TEST(call)                                                             \
  do {                                                                         \
    cudaError_t e = call;                                                      \
    if (e) {                                                                   \
      printf("%s\n", cudaGetErrorString(e));                                   \
      exit(2);                                                                 \
    }                                                                          \
  } while (0)
__global__ void step(const float *x, float *y) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  y[i] = x[i] * 0.5f;
}
int main(int argc, char **) {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d[2];
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  cudaMalloc(&d[0], bytes); // one
  cudaMalloc(&d[1], bytes);
  cudaMemcpy(d[0], h, bytes, cudaMemcpyHostToDevice);
#ifdef READS
  h[1] = 5;
#endif
  int s = 0;
  for (int i = 0; i < argc; ++i) {
    step<<<256, 256>>>(d[s], d[1 - s]);
    s = 1 - s;
  }
#ifdef READS
  printf("%g\n", h[65535]);
#endif
#ifdef OWN
  TEST(cudaDeviceSynchronize());
#endif
  cudaMemcpy(h, d[s], bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", h[65535]);
  cudaFree(d[0]);
  cudaFree(d[1]);
  free(h);
}
// CHECK: declined   S1 device-write-live-host
// CHECK: suggested: test what the allocations of lines
// PATCH: {{^}}+  if (cudaMalloc(&d[0], bytes) != cudaSuccess) { // one
// PATCH-NEXT: {{^}}+    fprintf(stderr, "cannot allocate d[0]\n");
// PATCH-NEXT: {{^}}+    return 1;
// PATCH-NEXT: {{^}}+  }
// PATCH: {{^}}+  if (cudaMalloc(&d[1], bytes) != cudaSuccess) {
// MERGED: unified
// OWN: {{^}}+  TEST(cudaMalloc(&d[0], bytes)); // one
// OWN: {{^}}+  TEST(cudaMalloc(&d[1], bytes));
// IF: {{^}}+  if (cudaMalloc(&d[0], bytes) != cudaSuccess) { // one
// NOT: declined
// NOT-NOT: suggested
