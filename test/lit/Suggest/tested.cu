// Calls whose results are tested by an `if`, at once or by the next statement, are written again with their tests.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=IF --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DKEPT --suggest b.patch --report - b.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=KEPT --input-file=b.patch %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DKEPT --report - b.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not where a success does something, a failure leaves the loop, or nothing tests what is kept.
// RUN: sed '/cudaMemcpy(d, h/s/HostToDevice) != cudaSuccess)/HostToDevice) == cudaSuccess) puts("once"); else/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=NOT %s && test ! -s c.patch
// RUN: sed 's/return 2;/break;/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=NOT %s && test ! -s d.patch
// RUN: sed 's/if (e) return 2;/;/' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu -DKEPT --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=NOT %s && test ! -s e.patch
// A buffer that main leaves to its end, and one that is freed if it is there; not one that another function leaves.
// RUN: sed '/^  if (d)/d' %s > f.cu && cp f.cu g.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest f.patch --report - f.cu -o plain | FileCheck %s
// RUN: patch -s -p0 < f.patch && %echo_cc -w -O1 --device=cpu f.cu -o merged && ./plain > plain.txt && ./merged | diff plain.txt -
// RUN: sed 's/^int main() {/int work() {/' g.cu > h.cu && echo 'int main() { return work(); }' >> h.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest h.patch --report - -c h.cu | FileCheck --check-prefix=NOT %s && test ! -s h.patch
// Not where a label stands before the frees: the new buffer may not be there.
// RUN: sed -e 's/return 1;/goto end;/' -e '/^  if (d)/s/^/end:;\n/' %s > i.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest i.patch --report - -c i.cu | FileCheck --check-prefix=NOT %s && test ! -s i.patch
#include <cstdio>
#include <cstdlib>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *d = nullptr;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
#ifdef KEPT
  cudaError_t e = cudaMalloc(&d, bytes);
  if (e != cudaSuccess)
    return 1;
#else
  if (cudaSuccess != cudaMalloc(&d, bytes))
    return 1;
#endif
  for (int r = 0; r < 3; ++r) {
#ifdef KEPT
    e = cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    if (e) return 2;
#else
    if (cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
      return 2;
#endif
    twice<<<256, 256>>>(d);
  }
  if (cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost))
    return 3;
  printf("%g\n", h[65535]);
  if (d) cudaFree(d);
  free(h);
  return 0;
}
// CHECK: declined   S1 device-write-live-host
// CHECK: suggested: upload h once, before line
// IF: {{^}}+  float *d{{_}}shared = nullptr;
// IF-NEXT: {{^}}+  if (cudaSuccess != cudaMalloc(&d{{_}}shared, bytes))
// IF-NEXT: {{^}}+    return 1;
// IF: {{^}}+  if (cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
// IF-NEXT: {{^}}+    return 2;
// IF: {{^}}+  if (d{{_}}shared) cudaFree(d{{_}}shared);
// KEPT: {{^}}+  float *d{{_}}shared = nullptr;
// KEPT-NEXT: {{^}}+  e = cudaMalloc(&d{{_}}shared, bytes);
// KEPT-NEXT: {{^}}+  if (e != cudaSuccess)
// KEPT-NEXT: {{^}}+    return 1;
// KEPT: {{^}}+  e = cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// KEPT-NEXT: {{^}}+  if (e) return 2;
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// NOT: declined   S1 device-write-live-host
// NOT-NOT: suggested
