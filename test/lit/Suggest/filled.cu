// A buffer that an outer loop fills first is uploaded in that loop: what is uploaded before has no value yet, so that a
// merge alone says nothing of it.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -O1 --device=cpu --suggest a.patch --report - a.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=a.patch %s
// RUN: patch -s -p0 < a.patch && %echo_cc -w -O1 --device=cpu --no-unify a.cu -o patched
// RUN: ./plain > plain.txt && ./patched | diff plain.txt -
// By another name of the buffer it is the same.
// RUN: cp %s b.cu && %echo_cc -w -O1 --device=cpu -DALIAS --suggest b.patch --report - b.cu -o plain | FileCheck %s
// RUN: FileCheck --check-prefix=PATCH --input-file=b.patch %s
// RUN: patch -s -p0 < b.patch && %echo_cc -w -O1 --device=cpu -DALIAS --no-unify b.cu -o patched
// RUN: ./plain > plain.txt && ./patched | diff plain.txt -
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void twice(float *x) { x[blockIdx.x * 256 + threadIdx.x] *= 2; }
int main() {
  const size_t bytes = 65536 * sizeof(float);
  float *h = (float *)malloc(bytes), *g = (float *)malloc(bytes), *d;
#ifdef ALIAS
  float *filled = h;
#else
#define filled h
#endif
  cudaMalloc(&d, bytes);
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < 65536; ++i)
      g[i] = i + r;
    memcpy(filled, g, bytes);
    for (int j = 0; j < 2; ++j) {
      cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
      cudaDeviceSynchronize();
      twice<<<256, 256>>>(d);
      cudaDeviceSynchronize();
    }
    cudaMemcpy(g, d, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", g[65535]);
  }
  cudaFree(d);
  free(h);
  free(g);
}
// CHECK: suggested: upload h once, before line
// PATCH: {{^}}+    cudaMemcpy(d{{_}}shared, h, bytes, cudaMemcpyHostToDevice);
// PATCH-NEXT: {{^}}     for (int j = 0;
