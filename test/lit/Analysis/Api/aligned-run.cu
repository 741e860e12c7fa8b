// At run time a merged block has the alignment that the program asked for, or
// the pair stays apart. An allocator with an out-parameter and no result.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %echo_cc -w --device=cpu -O2 -DOTHER -c %s -o other.o
// RUN: %echo_cc -w --device=cpu -O2 -c %s -o main.o --report report.txt --model=%S/Inputs/aligned.model
// RUN: FileCheck --check-prefix=REPORT --input-file=report.txt %s
// RUN: %echo_cc -w --device=cpu main.o other.o -o aligned
// RUN: env ECHO_BACKING=system ECHO_VERBOSE=1 ./aligned 2>&1 | FileCheck %s
// RUN: env ECHO_BACKING=managed ECHO_VERBOSE=1 ./aligned 2>&1 | FileCheck %s
// RUN: env ECHO_BACKING=mapped ECHO_VERBOSE=1 ./aligned 2>&1 | FileCheck %s
// RUN: env ECHO_BACKING=split ./aligned | FileCheck --check-prefix=SPLIT %s
// REPORT: 3 pairs: 3 unified
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" size_t misalignment(const void *p, size_t alignment) noexcept;
extern "C" void my_new(float **p, size_t bytes) noexcept;
extern "C" void my_delete(float *p) noexcept;
#ifdef OTHER
size_t misalignment(const void *p, size_t alignment) noexcept {
  return (uintptr_t)p & (alignment - 1);
}
void my_new(float **p, size_t bytes) noexcept { *p = (float *)malloc(bytes); }
void my_delete(float *p) noexcept { free(p); }
#else
constexpr size_t Bytes = 1 << 20;
__global__ void increment(float *x) { x[threadIdx.x] += threadIdx.x; }

// CHECK-DAG: : split: the memory is not aligned as the program asks
// CHECK-DAG: huge 0: 0 255
// SPLIT: huge 0: 0 255
void huge() {
  float *h, *d;
  int status = posix_memalign((void **)&h, size_t(1) << 30, Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  increment<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("huge %d: %zu %.0f\n", status, misalignment(h, size_t(1) << 30), h[255]);
  cudaFree(d);
  free(h);
}

// CHECK-DAG: : merged
// CHECK-DAG: page 0: 0 255
// SPLIT: page 0: 0 255
void page() {
  float *h, *d;
  cudaMalloc(&d, Bytes);
  int status = posix_memalign((void **)&h, 4096, Bytes);
  memset(h, 0, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  increment<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("page %d: %zu %.0f\n", status, misalignment(h, 4096), h[255]);
  free(h);
  cudaFree(d);
}

// CHECK-DAG: : merged
// CHECK-DAG: mine 255
// SPLIT: mine 255
void mine() {
  float *h, *d;
  my_new(&h, Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  cudaMemcpy(d, h, Bytes, cudaMemcpyHostToDevice);
  increment<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  printf("mine %.0f\n", h[255]);
  my_delete(h);
  cudaFree(d);
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  huge();
  page();
  mine();
}
#endif
