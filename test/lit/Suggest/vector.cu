// An upload from a vector, or from an object with functions that only read, leaves its loop.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --report - a.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt - && ./patched | diff plain.txt -
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DOBJECT --suggest b.patch --report - b.cu -o plain | FileCheck %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DOBJECT --report - b.cu -o merged | FileCheck --check-prefix=MERGED %s
// RUN: ./plain > plain.txt && env ECHO_CPU_SCHED=lazy ./merged | diff plain.txt -
// Not where the vector changes in the loop, or an element of one decides about the size.
// RUN: sed 's/^    ++round;/    h[r] = 7;/' %s > c.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest c.patch --report - -c c.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed 's/^    ++round;/    h.resize(65536 + r);/' %s > d.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest d.patch --report - -c d.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed -e 's/^    ++round;/    sizes[0] = 65536;/' -e '/^    cudaMemcpy/s/BYTES/(sizes.front() * 4)/' %s > e.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest e.patch --report - -c e.cu | FileCheck --check-prefix=STAYS %s
// Not where a function of the object may change it, nor where a reference to a number that decides does so.
// RUN: sed "s/{ return n; }/{ return n++ ? 65536 : 1; }/" %s > f.cu
// RUN: %echo_cc -w -O1 --device=cpu -DOBJECT --suggest f.patch --report - -c f.cu | FileCheck --check-prefix=STAYS %s
// RUN: sed -e 's/^    ++round;/    ++seen;/' -e '/^    cudaMemcpy/s/BYTES/(round ? BYTES : 0)/' %s > g.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest g.patch --report - -c g.cu | FileCheck --check-prefix=STAYS %s
#include <cstdio>
#include <vector>
struct Image {
  std::vector<float> pixels;
  size_t n = 65536;
  float *data() { return pixels.data(); }
  size_t size() { return n; }
  float &operator[](size_t i) { return pixels[i]; }
};
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
#define BYTES h.size() * sizeof(float)
int main() {
#ifdef OBJECT
  Image h;
  h.pixels.resize(65536);
#else
  std::vector<float> h(65536);
#endif
  std::vector<size_t> sizes(1, 65536);
  int round = 1;
  int &seen = round;
  for (int i = 0; i < 65536; ++i)
    h[i] = i;
  float *d;
  cudaMalloc(&d, BYTES);
  for (int r = 0; r < 3; ++r) {
    cudaMemcpy(d, h.data(), BYTES, cudaMemcpyHostToDevice);
    twice<<<256, 256>>>(d);
    ++round;
  }
  cudaMemcpy(h.data(), d, BYTES, cudaMemcpyDeviceToHost);
  printf("%g %d\n", h[65535], seen);
  cudaFree(d);
}
// CHECK: declined   S1 device-write-live-host
// CHECK: suggested: upload {{h|the host buffer}} once, before line
// PATCH: {{^}}+  cudaMemcpy(d{{_}}shared, h.data(), BYTES, cudaMemcpyHostToDevice);
// PATCH-NEXT: {{^}}   for (int r = 0;
// PATCH: {{^}}+    cudaMemcpy(d, d{{_}}shared, BYTES, cudaMemcpyDeviceToDevice);
// MERGED: + {{.*}} d{{_}}shared {{.*}} removed
// STAYS-NOT: once, before line
