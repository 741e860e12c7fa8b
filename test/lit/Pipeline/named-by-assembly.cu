// A link with -flto keeps what inline assembly names: a
// function that it calls with another argument, and a table that it writes.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %echo_cc --device=cpu -w -flto -O2 --min-bytes=1 main.cu other.cpp -o app && ./app | FileCheck main.cu
//--- main.cu
// CHECK: 10 20 7 130816
#include <cstdio>
#include <cstdlib>
extern "C" int scale(int);
extern "C" int table[4];
int scaleByAssembly();
void fill();
int at(int);
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main(int argc, char **) {
  int *h = (int *)malloc(1024), *d;
  cudaMalloc(&d, 1024);
  for (int i = 0; i < 256; ++i)
    h[i] = 2 * i + 1;
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  twice<<<1, 256>>>(d);
  cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += h[i] - 2;
  fill();
  printf("%d %d %d %d\n", scale(1), scaleByAssembly(), at(argc), sum + 256);
  cudaFree(d);
  free(h);
}
//--- other.cpp
extern "C" __attribute__((noinline)) int scale(int n) {
  asm volatile("" ::: "memory");
  return 10 * n;
}
extern "C" int table[4] = {1, 2, 3, 4};
int scaleByAssembly() {
  int result;
  asm volatile("mov $2, %%edi\n\tcall scale"
               : "=a"(result)
               :
               : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "cc",
                 "memory");
  return result;
}
void fill() { asm volatile("movl $7, table+4(%%rip)" ::: "memory"); }
int at(int i) { return table[i]; }
