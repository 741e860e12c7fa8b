// -cuda makes a C++ file from which any compiler makes the object: with a merged
// pair, for the CPU device too. Of two sources it makes none.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s a.cu
// RUN: %echo_cc -w -cuda -g -O1 -arch=sm_90 -lineinfo a.cu && g++ -g -c a.cu.cpp.ii -o a.o
// RUN: %echo_cc a.o -o a
// RUN: %echo_cc -w -cuda -flto --device=cpu -O1 a.cu -o b.ii && %clangxx22 -c b.ii -o b.o
// RUN: %echo_cc --device=cpu b.o -o b && env ECHO_STATS=1 ./b 2>&1 | FileCheck %s
// RUN: %echo_cc -w --device=cpu -cuda a.cu -o - | FileCheck --check-prefix=TEXT %s
// RUN: not %echo_cc -w --device=cpu -cuda a.cu --no-such 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: cp a.cu c.cu && not %echo_cc -w -cuda a.cu c.cu 2>&1 | FileCheck --check-prefix=TWO %s
// CHECK-DAG: 7 )echo
// CHECK-DAG: 1 pair merged
// TEXT: asm(R"echo0(
// TEXT: )echo0");
// WRONG: error: unknown argument '--no-such'
// TWO: error: -cuda makes one file: name one source, or the output with -o
#include <cstdio>
#include <cstdlib>
__global__ void k(int *p) { p[threadIdx.x] += 7; }
int main() {
  const size_t Size = 1 << 20;
  int *h = (int *)calloc(Size, 1), *d;
  cudaMalloc(&d, Size);
  cudaMemcpy(d, h, Size, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(d);
  cudaMemcpy(h, d, Size, cudaMemcpyDeviceToHost);
  try {
    throw 1;
  } catch (int i) {
    printf("%d ", h[3]);
    puts(")echo");
  }
  cudaFree(d);
  free(h);
}
