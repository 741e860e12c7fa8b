// A kernel that works in place gets a copy of what one upload left on the device.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// RUN: env ECHO_CPU_SCHED=lazy ./patched | diff plain.txt -
// An upload stays in the loop where the host writes there, and where another buffer is uploaded later.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DWRITES --suggest b.patch --report - b.cu -o plain | FileCheck --check-prefix=INSIDE %s
// RUN: FileCheck --check-prefix=INSIDE-PATCH --input-file=b.patch %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DWRITES --report - b.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// RUN: cp %s c.cu && %echo_cc -w -O1 --device=cpu -DOTHER --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=OTHER %s
// A kernel that gets one of two buffers changes neither pointer; a choice that is assigned to does.
// RUN: cp %s d.cu && %echo_cc -w -O1 --device=cpu -DPICKS --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=PICKS %s
// RUN: cp %s e.cu && %echo_cc -w -O1 --device=cpu -DPICKS -DSETS --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=SETS %s
#include <cstdio>
#include <cstdlib>
#define CHECK(call) do { if (call) { printf("error\n"); exit(1); } } while (0)
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *g = (float *)malloc(bytes), *d;
  for (int i = 0; i < 65536; ++i)
    h[i] = g[i] = i;
#ifdef PICKS
  float *e;
  CHECK(cudaMalloc((void **)&e, bytes));
#endif
  CHECK(cudaMalloc((void **)&d, bytes));
  for (int r = 0; r < 3; ++r) {
#ifdef SETS
    (r % 2 ? e : d) = d;
#endif
#ifdef WRITES
    h[r] = 7;
#endif
    CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
#ifdef PICKS
    twice<<<256, 256>>>(r % 2 ? e : d);
#else
    twice<<<256, 256>>>(d);
#endif
#ifdef OTHER
    h = g;
#endif
  }
  CHECK(cudaMemcpy(g, d, bytes, cudaMemcpyDeviceToHost));
  printf("%g %g\n", g[1], g[65535]);
  CHECK(cudaFree(d));
  free(h);
#ifndef OTHER
  free(g);
#endif
}
// CHECK: suggested: upload h once, before line 33, to 'd{{_}}shared', and from there on the device
// PATCH: +  float *d{{_}}shared;
// PATCH-NEXT: +  CHECK(cudaMalloc((void **)&d{{_}}shared, bytes));
// PATCH-NEXT: +  CHECK(cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice));
// PATCH-NEXT: {{^}}   for (int r = 0;
// PATCH: {{^}}-    CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
// PATCH-NEXT: {{^}}+    CHECK(cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice));
// PATCH-NEXT: {{^}}+    CHECK(cudaDeviceSynchronize());
// PATCH: {{^}}+  CHECK(cudaFree(d{{_}}shared));
// MERGED: + {{.*}} d{{_}}shared {{.*}} 1 copy removed
// INSIDE: suggested: copy between h and 'd{{_}}shared', and from there on the device
// INSIDE-PATCH: {{^}}+    CHECK(cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice));
// INSIDE-PATCH-NEXT: {{^}}+    CHECK(cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice));
// OTHER-NOT: upload h once
// PICKS: suggested: upload h once
// SETS-NOT: upload h once
