// Loads and stores with a hint for the caches: CUDA's own overloads for half stay
// beside them, and a pair that such a kernel uses merges.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %precompiled_cc --device=cpu -w --min-bytes=1 %s -o %t --report %t.txt && %t
// RUN: FileCheck %s --input-file=%t.txt
// RUN: %precompiled_cc -w -fsyntax-only -DHALF %s
// RUN: not %precompiled_cc -w -fsyntax-only -DHOST %s 2>&1 | FileCheck %s --check-prefix=HOST
// CHECK: h + {{.*}} d {{.*}} unified
// HOST: error: no matching function for call to '__stcs'
__global__ void k(float *P, float4 *Q) {
  __stcs(P, __ldca(P) + 1.0);
  __stcg(P + 1, __ldlu(P + 1));
  __stwb(P + 2, 5);
  __stcs(Q, float4{1, 2, 3, 4});
}
#ifdef HALF
#include <cuda_fp16.h>
__global__ void other(__half *R) { __stcs(R, __half(2.0f)); }
#endif
int main() {
  float *h = (float *)calloc(4, sizeof(float)), *d;
  float4 *q;
  cudaMalloc(&d, 4 * sizeof(float));
  cudaMalloc(&q, sizeof *q);
  cudaMemset(d, 0, 4 * sizeof(float));
  k<<<1, 1>>>(d, q);
  cudaMemcpy(h, d, 4 * sizeof(float), cudaMemcpyDeviceToHost);
#ifdef HOST
  __stcs(h, 1.0f);
#endif
  return h[0] == 1 && h[2] == 5 ? 0 : 1;
}
