// Blocks with an alignment that the program chose merge where the alignment is
// a constant that allocators grant; the address may come out by a parameter.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"
#include <malloc.h>
#include <mm_malloc.h>
#include <new>
#include <vector>

#define ALIGNED(N) SAFE(N) UNSAFE(alignment)

// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} 1.00 MiB unified
void parameter(size_t alignment) {
  float *h, *d;
  posix_memalign((void **)&h, ALIGNED(1024), Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  FREE;
}

// The failure is a path of its own, on which the pointer keeps its value.
// OK: p + {{.*}} n*4 B unified 1 copy removed {{.*}}, by get [[#@LINE+3]]:{{[0-9]+}}
static float *get(size_t n, size_t alignment) {
  void *p = nullptr;
  if (posix_memalign(&p, ALIGNED(64), n * sizeof(float)))
    return nullptr;
  return (float *)p;
}
float helper(size_t n, size_t alignment) {
  float *h = get(n, alignment), *d, seen = 0;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < 3; ++i) {
    writeOnly<<<1, 256>>>(d);
    cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
    seen += h[i];
  }
  FREE;
  return seen;
}

// OK: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} 1.00 MiB unified
void result(size_t alignment) {
  float *h = (float *)aligned_alloc(ALIGNED(4096), Bytes), *d;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  FREE;
}

// OK: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} n B unified
void old(size_t n, size_t alignment) {
  float *h = (float *)memalign(ALIGNED(32), n), *d;
  cudaMalloc(&d, n);
  memset(h, 0, n);
  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
  FREE;
}

// The header's own body asks posix_memalign.
// OK: [[#@LINE+3]]:{{[0-9]+}} + {{.*}} 1.00 MiB unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined
void vectorUnits(size_t alignment) {
  float *h = (float *)_mm_malloc(Bytes, ALIGNED(32)), *d;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  _mm_free(h);
  cudaFree(d);
}

// OK: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} n*4 B unified
void operatorNew(size_t n, std::align_val_t alignment) {
  float *h = new (ALIGNED(std::align_val_t(64))) float[n], *d;
  cudaMalloc(&d, n * sizeof(float));
  memset(h, 0, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  operator delete[](h, ALIGNED(std::align_val_t(64)));
  cudaFree(d);
}

// Allocators refuse these: the program must see it.
// OK: [[#@LINE+2]]:{{[0-9]+}} h + {{.*}} 1.00 MiB unified
void noPowerOfTwo() {
  float *h = (float *)aligned_alloc(SAFE(64) UNSAFE(96), Bytes), *d;
  cudaMalloc(&d, Bytes);
  if (h)
    memset(h, 0, Bytes);
  UP;
  FREE;
}

// OK: [[#@LINE+3]]:{{[0-9]+}} h + {{.*}} 1.00 MiB unified
void lessThanAPointer() {
  float *h = nullptr, *d;
  posix_memalign((void **)&h, SAFE(8) UNSAFE(4), Bytes);
  cudaMalloc(&d, Bytes);
  UP;
  FREE;
}

// An element type that needs more than operator new gives.
struct alignas(128) Line {
  float values[32];
};
// OK: [[#@LINE+3]]:{{[0-9]+}} lines + {{.*}} n*128 B unified
// BAD: [[#@LINE+2]]:{{[0-9]+}} lines + {{.*}} declined S3 pointer-compared
void vectorOfLines(size_t n, int *flag) {
  std::vector<Line> lines(n);
  Line *d;
  cudaMalloc(&d, n * sizeof(Line));
  cudaMemcpy(d, lines.data(), n * sizeof(Line), cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>((float *)d, flag);
  UNSAFE(*flag = (float *)lines.data() == (float *)flag;)
  cudaFree(d);
}

// OK: 9 pairs: 9 unified
// BAD-NOT: unified
// BAD: 2 pairs: 2 declined
