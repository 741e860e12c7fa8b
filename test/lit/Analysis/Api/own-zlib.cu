// A program's own function by a name of zlib's, in another unit: echort finds
// that it is no library's, and the pair stays apart.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: clang-22 -O1 -c own.c -o own.o
// RUN: %echo_cc --device=cpu -w -O2 --min-bytes=1 main.cu own.o -o app
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./app 2>&1 | FileCheck main.cu
//--- own.c
unsigned long crc32(unsigned long seed, const unsigned char *data, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    seed = seed * 31 + data[i];
    ((unsigned char *)data)[i] = 0;
  }
  return seed;
}
//--- main.cu
// CHECK: the program has a function 'crc32' of its own
// CHECK: split:
// CHECK: 130816
#include <cstdio>
#include <cstdlib>
extern "C" unsigned long crc32(unsigned long, const unsigned char *, unsigned);
__global__ void add(int *x) { x[threadIdx.x] += 1; }
int main() {
  int *h = (int *)malloc(2048), *d, sum = 0;
  cudaMalloc(&d, 2048);
  for (int i = 0; i < 512; ++i)
    h[i] = i - 1;
  cudaMemcpy(d, h, 2048, cudaMemcpyHostToDevice);
  unsigned long seed = crc32(1, (unsigned char *)h, 2048);
  add<<<1, 512>>>(d);
  cudaMemcpy(h, d, 2048, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i)
    sum += h[i];
  printf("%d\n", sum);
  cudaFree(d);
  free(h);
  return seed == 0;
}
