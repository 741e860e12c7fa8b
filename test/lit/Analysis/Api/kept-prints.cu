// Between the call that keeps an address and the free, a function that only
// prints leaves the GPU alone: of std::endl the compiler has a copy, but the
// library's own runs.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} -O0 --report %t.ok0 && FileCheck --input-file=%t.ok0 --check-prefix=OK %s
// RUN: %{cc} --report %t.bad -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} --report %t.own -DOWN && FileCheck --input-file=%t.own --check-prefix=BAD %s
// OK: h + {{.*}} unified
// BAD: h + {{.*}} declined S3 pointer-escapes
#include "Inputs/library.h"
#include <iostream>
#include <locale>

#ifdef OWN // what a stream calls then is the program's
struct Facet : std::ctype<char> {
  char do_widen(char c) const override { return c; }
};
std::locale own() { return std::locale(std::cout.getloc(), new Facet); }
#endif

void elsewhere();
__attribute__((noinline)) void report(double time) {
  std::cout << time << " ms" << std::endl;
  UNSAFE(elsewhere();)
}
const float two = 2;

int main() {
  float *d;
  float *h = (float *)malloc(Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  float **arrays, *in[2] = {d, d};
  cudaMalloc(&arrays, sizeof(in));
  cudaMemcpy(arrays, in, sizeof(in), cudaMemcpyHostToDevice);
  cublasSgemmBatched(handle, 0, 0, 8, 8, 8, &two, arrays, 8, arrays, 8, &two,
                     arrays, 8, 2);
  report(1.5);
  cudaDeviceSynchronize();
  DOWN;
  LOOK;
  FREE;
}
