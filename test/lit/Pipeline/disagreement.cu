// Files that contradict each other are linked as they were written, with one
// line about it; --no-unify for one file is for all.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc --device=cpu -w -flto -c %s -o main.o
// RUN: %echo_cc --device=cpu -w -flto -c -DOTHER %s -o other.o
// RUN: %echo_cc -flto main.o other.o -o app --report good && FileCheck %s --check-prefix=GOOD --input-file=good
// GOOD: unified
// RUN: %echo_cc --device=cpu -w -flto -fgpu-default-stream=per-thread -c -DOTHER %s -o thread.o
// RUN: %echo_cc -flto main.o thread.o -o mixed --report mixed.txt 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: no pair is merged: {{.*}} differ in --default-stream=per-thread
// RUN: ./mixed | FileCheck %s
// CHECK: 7
// RUN: %echo_cc --device=cpu -w -flto --no-unify -c -DOTHER %s -o plain.o
// RUN: %echo_cc -flto main.o plain.o -o plain && env ECHO_STATS=1 ./plain 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: merged
// PLAIN: 7
// PLAIN-NOT: merged
// Another linker takes the program as it is.
// RUN: not %echo_cc -flto -fuse-ld=no-such-linker main.o other.o -o none 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: invalid linker name
#include <cstdio>
#include <cstdlib>
#ifdef OTHER
void show(int *h) { printf("%d\n", h[0]); }
#else
void show(int *h);
__global__ void fill(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 7;
}

int main() {
  const int n = 1 << 17;
  int *h = (int *)malloc(n * sizeof(int)), *d;
  cudaMalloc(&d, n * sizeof(int));
  fill<<<n / 256, 256>>>(d);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  show(h);
  cudaFree(d);
  free(h);
}
#endif
