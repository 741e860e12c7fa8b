// A static kernel that nothing names is not registered, and does not count, nor
// does what it uses; one that is launched does.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc --device=cpu -w %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu -w -flto %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu -w -fgpu-rdc %s -o %t && %t | FileCheck %s
// RUN: %echo_cc --device=cpu -w -DOTHER %s -o %t && %t | FileCheck --check-prefix=OTHER %s
// RUN: not %echo_cc --device=cpu -w -DLAUNCHED %s -o %t 2>&1 | FileCheck --check-prefix=LAUNCHED %s
// CHECK: done
// OTHER: 7 done
// LAUNCHED: error: {{.*}}foo.bar
#include <cstdio>

static __device__ int value = 3;
static __global__ void unlaunched(int *x) {
  asm volatile("foo.bar;");
  *x = value;
}
#ifdef OTHER
static __global__ void launched(int *x) { *x = 7; }
#endif

int main() {
#ifdef LAUNCHED
  unlaunched<<<1, 1>>>(nullptr);
#endif
#ifdef OTHER
  int *x;
  cudaMallocManaged(&x, sizeof(int));
  launched<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  printf("%d ", *x);
#endif
  printf("done\n");
}
