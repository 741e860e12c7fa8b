// nvcc's atomic builtins, with and without a scope.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -c %s -o %t.o
// RUN: %echo_cc -w -O2 --device=cpu %s -o %t && %t | FileCheck %s
// RUN: not %echo_cc -w -DWRONG -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
// CHECK: 14 1 5 2.5 3 6 2 7 1
// WRONG: error: {{.*}}pointer to integer
#include <cstdio>
__global__ void k(int *i, float *f, unsigned long long *u) {
  int old = __nv_atomic_load_n(&i[0], __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_add(&i[0], old, __NV_ATOMIC_SEQ_CST,
                        __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(&i[1], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(&i[2], 5, __NV_ATOMIC_RELEASE);
  __nv_atomic_fetch_add(f, 1.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_min(&u[0], 3ull, __NV_ATOMIC_ACQ_REL);
  __nv_atomic_fetch_max(&u[1], 6ull, __NV_ATOMIC_ACQUIRE,
                        __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_and(&u[2], 2ull, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
  __nv_atomic_fetch_or(&u[3], 5ull, __NV_ATOMIC_RELAXED);
  int expected = 0;
  u[4] = __nv_atomic_compare_exchange_n(
      &i[3], &expected, 9, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
      __NV_THREAD_SCOPE_DEVICE);
#ifdef WRONG
  struct S {
  } s;
  __nv_atomic_fetch_add(&s, 1, __NV_ATOMIC_RELAXED);
#endif
}
int main() {
  int *i, hi[4] = {7, 2, 0, 0};
  float *f, hf = 1;
  unsigned long long *u, hu[5] = {9, 2, 3, 2, 0};
  cudaMalloc(&i, sizeof hi);
  cudaMalloc(&f, sizeof hf);
  cudaMalloc(&u, sizeof hu);
  cudaMemcpy(i, hi, sizeof hi, cudaMemcpyHostToDevice);
  cudaMemcpy(f, &hf, sizeof hf, cudaMemcpyHostToDevice);
  cudaMemcpy(u, hu, sizeof hu, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(i, f, u);
  cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hf, f, sizeof hf, cudaMemcpyDeviceToHost);
  cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost);
  printf("%d %d %d %g %llu %llu %llu %llu %llu\n", hi[0], hi[1], hi[2], hf,
         hu[0], hu[1], hu[2], hu[3], hu[4]);
}
