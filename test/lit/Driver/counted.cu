// What is compiled to count what runs, by passes behind Echo's, is what clang
// makes of it. A function with other instructions is not put into its callers,
// one that is optimized not into those that are not.
// REQUIRES: cuda-toolkit
// RUN: bash -c "for f in -fsanitize-coverage=func,trace-pc-guard --coverage; do %echo_cc -w --device=cpu -O0 --min-bytes=1 \$f -c %s -o %t.o --report %t.txt 2>&1 | FileCheck --check-prefix=NOTE %s && %echo_cc -w --device=cpu -O0 --no-unify --min-bytes=1 \$f -c %s -o %t.plain.o --report %t.txt && cmp %t.o %t.plain.o || exit 1; done"
// RUN: %precompiled_cc -w --device=cpu -O0 --min-bytes=1 -c %s -o %t.o --report - | FileCheck --check-prefix=MERGED %s
// RUN: %precompiled_cc -w --device=cpu -O0 --min-bytes=1 -DOTHER -c %s -o %t.o --report - | FileCheck --check-prefix=APART %s
// RUN: %precompiled_cc -w --device=cpu -O2 --min-bytes=1 -DOPTIMIZED -c %s -o %t.o --report - | FileCheck --check-prefix=MERGED %s
// RUN: %precompiled_cc -w --device=cpu -O2 --min-bytes=1 -DOPTIMIZED -DALONE -c %s -o %t.o --report - | FileCheck --check-prefix=APART %s
// NOTE: note: '{{.*}}' is compiled to count what runs: no pair of it merges
// MERGED: 1 unified
// APART-NOT: unified
#include <cstdlib>
#ifndef OPTIMIZED
__attribute__((noinline))
#endif
float *make(size_t n) { return (float *)malloc(n); }
__global__ void add(float *x) { x[threadIdx.x] += 1; }
#ifdef OTHER
__attribute__((target("fma")))
#elif defined(ALONE)
__attribute__((optnone))
#endif
int main() {
  float *h = make(1024), *d;
  cudaMalloc(&d, 1024);
  for (int i = 0; i < 256; ++i)
    h[i] = i;
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  add<<<1, 256>>>(d);
  cudaMemcpy(h, d, 1024, cudaMemcpyDeviceToHost);
  float sum = h[3];
  cudaFree(d);
  free(h);
  return sum != 4;
}
