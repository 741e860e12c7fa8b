// The device part of a pair is in a function of its own; the host buffer comes from its caller.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && ./patched | diff plain.txt -
// What the loop itself does not show is not taken from one call: another one may give other buffers.
// RUN: sed 's/^    ++round;/    other[r] = 5;/' %s > b.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest b.patch --report - b.cu -o plain | FileCheck --check-prefix=STAYS %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu --no-unify b.cu -o patched && ./plain > plain.txt && ./patched | diff plain.txt -
// RUN: sed 's/^    ++round;/    change(r);/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    write<<<1, 1>>>(other);/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    memset(other, 0, 4);/' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    cudaMemcpy(other, d, 4, cudaMemcpyDeviceToHost);/' %s > f.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest f.patch --report - -c f.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    Writer w;/' %s > h.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest h.patch --report - -c h.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    base->put(r);/' %s > i.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest i.patch --report - -c i.cu | FileCheck --check-prefix=STAYS %s
// Copies in one function and the allocation in another: no suggestion.
// RUN: sed -e 's/^  cudaMalloc.*/  allocate(\&d, bytes);/' %s > g.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest g.patch --report - -c g.cu | FileCheck --check-prefix=NOT %s && test ! -s g.patch
#include <cstdio>
#include <cstdlib>
#include <cstring>
float *global;
struct Writer {
  ~Writer() { global[1] = 7; }
};
struct Base {
  virtual int put(int r) { return r; }
};
struct Derived : Base {
  int put(int r) override { return global[r] = 8; }
};
Base *base = new Derived;
void change(int r) { global[r] = 6; }
__global__ void write(float *x) { *x = 1; }
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
void allocate(float **p, size_t bytes) { cudaMalloc(p, bytes); }
void run(float *h, float *other, size_t bytes) {
  float *d;
  int round = 0;
  cudaMalloc(&d, bytes);
  for (int r = 0; r < 3; ++r) {
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    twice<<<256, 256>>>(d);
    ++round;
  }
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
  printf("%d %g %g\n", round, h[0], h[65535]);
  cudaFree(d);
}
int main(int argc, char **) {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *other = (float *)malloc(bytes);
  global = (float *)malloc(bytes);
  for (int i = 0; i < 65536; ++i)
    h[i] = other[i] = global[i] = i;
  run(h, other, bytes);
  if (argc > 9)
    run(global, global, bytes);
  printf("%g\n", h[65535]);
  free(h);
  free(other);
}
// CHECK: device-write-live-host, by run
// CHECK: suggested: upload {{h|the host buffer}} once, before line
// PATCH: {{^}}+  cudaMalloc(&d{{_}}shared, bytes);
// PATCH-NEXT: {{^}}+  cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// PATCH: {{^}}+    cudaMemcpy(d, d{{_}}shared, bytes, cudaMemcpyDeviceToDevice);
// PATCH: {{^}}+  cudaFree(d{{_}}shared);
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// STAYS-NOT: once, before line
// NOT-NOT: suggested
