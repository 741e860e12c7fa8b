// Launches spelled with blanks in their brackets, and a member of a dependent
// type without the word `template`, as nvcc takes them. Columns stay.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc -w --device=cpu -O1 %s -o %t && %t
// RUN: %precompiled_cc -w -arch=sm_90 -c %s -o %t.o
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DOTHER %s 2>&1 | FileCheck %s
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DSHIFT %s 2>&1 | FileCheck --check-prefix=SHIFT %s
// CHECK: :[[#@LINE+21]]:35: error: no member named 'Missing'
// CHECK-NOT: error:
// SHIFT: :[[#@LINE+24]]:16: error: expected expression
#include <cstdio>

template <typename T> struct Scale {
  template <int N> static __device__ T by(T X) { return X * N; }
};
template <typename T> __device__ T twice(T X) { return Scale<T>::by<2>(X); }

__global__ void set(int *P) { *P = 1; }
template <typename T> __global__ void scale(T *P) { *P = twice<T>(*P); }

struct Empty {
} E;
int main() {
  int *D, H = 0;
  cudaMalloc(&D, sizeof H);
  set<< <1, 1 >>>(D);
  scale<int><<<1, 1>> >(D);
#ifdef OTHER
  scale<int> << <1, 1 >> > (D); E.Missing = 1;
#else
  scale<int> << <1, 1	>> > (D);
#endif
#ifdef SHIFT
  H = H >> 1 > > 2;
#endif
  cudaMemcpy(&H, D, sizeof H, cudaMemcpyDeviceToHost);
  cudaFree(D);
  return H == 4 ? 0 : 1;
}
