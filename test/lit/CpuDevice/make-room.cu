// What echort keeps for the next pair is given back before an allocation of the
// program's own that needs it; one that fits nowhere fails as written.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O2 %s -o %t.merged
// RUN: %echo_cc -w --device=cpu -O2 -DASK --no-unify %s -o %t.plain
// RUN: env ECHO_CPU_MEMORY=64M %t.plain | FileCheck %s
// RUN: env ECHO_CPU_MEMORY=64M ECHO_BACKING=managed ECHO_VERBOSE=1 %t.merged 2>&1 | FileCheck --check-prefixes=KEPT,CHECK %s
// A unit that asks how much is left has no managed blocks.
// RUN: %echo_cc -w --device=cpu -O2 -DASK %s -o %t.asks
// RUN: env ECHO_CPU_MEMORY=64M ECHO_BACKING=mapped ECHO_VERBOSE=1 %t.asks 2>&1 | FileCheck --check-prefixes=MAPPED,CHECK %s
// RUN: env ECHO_CPU_MEMORY=64M ECHO_CPU_DEVICE=orin ECHO_VERBOSE=1 %t.asks 2>&1 | FileCheck --check-prefixes=MAPPED,CHECK %s
// RUN: env ECHO_CPU_MEMORY=64M ECHO_BACKING=managed ECHO_VERBOSE=1 %t.asks 2>&1 | FileCheck --check-prefixes=APART,CHECK %s
// The question stands before each, but not in a unit without merged pairs.
// RUN: %echo_cc -w --device=cpu -O0 -DASK -mllvm -echo-share-calls=false -S -emit-llvm %s -o %t.ll
// RUN: FileCheck --check-prefix=ASKS --input-file=%t.ll %s
// RUN: FileCheck --check-prefix=OBSERVES --input-file=%t.ll %s
// RUN: %echo_cc -w --device=cpu -O0 -DASK --no-unify -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
#include <cstdio>
#include <cstdlib>

__global__ void add(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

// ASKS-LABEL: define {{.*}}others
// ASKS: call ptr @echort_acquire(ptr null, i32 1, i64 52428800, ptr null, i32 0)
// ASKS-NEXT: call i32 @cudaMalloc(
// ASKS: call ptr @echort_acquire(ptr null, i32 1, i64 83886080, ptr null, i32 0)
// ASKS-NEXT: call i32 @cudaMallocManaged(
// NONE-NOT: echort_acquire
static void others() {
  void *large = nullptr, *toolarge = nullptr;
  int first = cudaMalloc(&large, 50 << 20);
  int second = cudaMallocManaged(&toolarge, 80 << 20);
  printf("%d %d %d\n", first, second, cudaGetLastError());
  cudaFree(large);
}

// OBSERVES-LABEL: define {{.*}}asksv()
// OBSERVES: call void @echort_observe_memory()
// OBSERVES-NEXT: call i32 @cudaMemGetInfo(
// OBSERVES-NOT: echort_
// OBSERVES: call i32 @cudaGetDevice(
static size_t asks() {
  size_t free = 0, total = 0;
#ifdef ASK
  cudaMemGetInfo(&free, &total);
#endif
  int device = 0;
  cudaGetDevice(&device);
  return free;
}

static void pair(int n) {
  float *h = (float *)malloc(n * sizeof(float)), *d;
  cudaMalloc(&d, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i % 3;
  cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d, n);
  cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[n - 1]);
  cudaFree(d);
  free(h);
}

int main() {
  size_t before = asks();
  pair(5 << 20);
  printf("%s\n", before == asks() ? "none kept" : "kept");
  others();
  pair(5 << 20);
}
// KEPT: merged (managed)
// MAPPED: merged (mapped)
// APART: split: the program asks how much memory is left
// CHECK: 2
// CHECK: none kept
// CHECK: 0 2 2
// CHECK: 2
