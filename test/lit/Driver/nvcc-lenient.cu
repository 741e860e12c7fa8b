// What nvcc and its host compiler take with a warning or without one is no error
// in a command in nvcc's language. In clang's it is.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -arch=sm_90 -std=c++17 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %precompiled_cc -w -arch=sm_90 -Werror all-warnings -DQUIET -std=c++17 -c %s -o %t.o
// RUN: not %precompiled_cc --offload-arch=sm_90 -std=c++17 -fsyntax-only %s 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: not %precompiled_cc -arch=sm_90 -std=c++17 -Werror=c++11-narrowing -c %s -o %t.o 2>&1 | FileCheck --check-prefix=STRICT %s
// CHECK: warning: non-constant-expression cannot be narrowed
// CLANG-DAG: error: non-constant-expression cannot be narrowed
// CLANG-DAG: error: invalid suffix on literal
// CLANG-DAG: error: a template argument list is expected
// CLANG-DAG: error: use of undeclared identifier 'typeof'
// STRICT: error: non-constant-expression cannot be narrowed
#include <cstdio>
struct Pair {
  unsigned x, y;
};
struct T {
  template <class X> __device__ int id(X x) { return x; }
};
template <class X> __device__ int call(X x) { return x.template id(1); }
#define FORMAT "d"
template <int N> __global__ void k(int *o, Pair p) {
#pragma unroll(N)
  for (int i = 0; i < N; ++i)
    o[i] = p.x;
#ifndef QUIET
  unsigned a[] = {o[0], o[1]};
  o[2] = a[1] + call(T());
#endif
}
int main() {
  int n = 2;
  size_t s = 3;
#ifndef QUIET
  Pair p{n, s};
  dim3 g{s / 3, n};
  typeof(n) m = n;
  printf("%"FORMAT"\n", m);
#else
  Pair p{2, 3};
  dim3 g;
#endif
  k<3><<<g, 1>>>(nullptr, p);
}
