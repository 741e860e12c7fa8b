// Braces assigned to a vector of CUDA's halves, which nvcc takes in device code.
// Other classes are the program's own, or not zero then.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -arch=sm_90 -S --cuda-device-only %s -o - | FileCheck %s
// RUN: not %precompiled_cc -w -arch=sm_90 -fsyntax-only -DOWN %s 2>&1 | FileCheck --check-prefix=OWN %s
// CHECK: .entry zero
// CHECK-DAG: st.{{.*}}global{{.*}}b32 {{.*}}, 0;
// CHECK-DAG: cvt.rn.f16.s32
// OWN: error: use of overloaded operator '=' is ambiguous (with operand types 'Own' and 'void')
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Raw {
  int x;
};
struct Own {
  int x = 1;
  __device__ Own() {}
  __device__ Own &operator=(const Own &);
  __device__ Own &operator=(const Raw &);
};
template <class T> __device__ T none(T x) {
  T a[2] = {x, x};
  a[threadIdx.x & 1 ? 1 : 1] = {};
  return a[1];
}
extern "C" __global__ void zero(half2 *p, __nv_bfloat162 *q, int *i) {
  half2 x = p[1];
  x = {};
  *p = x;
  *q = none(q[1]);
  *i = none(i[1]);
  p[2] = {half(p->x), 1};
#ifdef OWN
  Own o;
  o = {}; // 1 or 0?
#endif
}
