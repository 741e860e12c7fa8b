// Allocators of another unit may write a variable; the library's do not, which
// only the finished program shows. A variable that no other unit can name is
// written by none.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o unit.o
// RUN: %echo_cc -w --device=cpu -O2 -DOWN -c %s -o private.o
// RUN: clang-22 -c %S/Inputs/own-heap.cpp -o new.o
// RUN: clang-22 -c -DOWN_MALLOC %S/Inputs/own-heap.cpp -o malloc.o
// RUN: %echo_cc --device=cpu unit.o -o system
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./system 2>&1 | FileCheck --check-prefix=MERGED %s
// RUN: %echo_cc --device=cpu unit.o new.o -o new
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./new 2>&1 | FileCheck --check-prefix=NEW %s
// RUN: %echo_cc --device=cpu unit.o malloc.o -o malloc
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./malloc 2>&1 | FileCheck --check-prefix=MALLOC %s
// RUN: %echo_cc --device=cpu private.o new.o -o private
// RUN: env ECHO_VERBOSE=1 ECHO_BACKING=mapped ./private 2>&1 | FileCheck --check-prefix=MERGED %s
// MERGED: merged (mapped)
// NEW: has a function '_Znwm' of its own
// MALLOC: has a function 'malloc' of its own
#include <cstdio>
#include <cstdlib>
#include <new>
__global__ void update(float *inout) { inout[threadIdx.x] += 1; }
#ifdef OWN
static size_t mine = 1;
void set(size_t n) { mine = n; }
size_t scale;
#else
size_t scale = 1;
#define mine scale
#endif
int main() {
  constexpr size_t Bytes = 1 << 20;
  float *h = (float *)calloc(mine * Bytes, 1), *d;
  void *other = operator new(12345);
  const size_t all = mine * Bytes;
  cudaMalloc(&d, all);
  cudaMemcpy(d, h, all, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, all, cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  operator delete(other);
  free(h);
  cudaFree(d);
}
