// What -D names with up to three letters does not reach the parameters of headers
// that nvcc would not include; it holds for the program, and for what it includes.
// A longer name reaches them: the program may rename what they declare.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -arch=sm_90 -DN=3 -DP=4 '-DF(x)=x+N' -Dreal=float -DMAX -UQ -DcudaMalloc=cudaMalloc2 -DRENAMED -include %S/Inputs/asks-n.h %s -o %t && %t
// RUN: %echo_cc -w -arch=sm_90 -DN=7 -DP=4 '-DF(x)=x+N' -UN -DN=3 -Dreal=float -DMAX -DNDEBUG -DFALSE -save-temps=obj -include %S/Inputs/asks-n.h %s -o %t && not %t
// RUN: not %echo_cc -w -arch=sm_90 -DN=3 -UN -DP=4 '-DF(x)=x' -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: use of undeclared identifier 'N'
#include <cassert>
#include <cstdio>
__global__ void k(real *p) { *p = N; }
#ifdef RENAMED
cudaError_t (*renamed)(void **, size_t) = cudaMalloc2;
extern "C" cudaError_t cudaMalloc2(void **, size_t) { return cudaSuccess; }
#endif
int main() {
#if !defined(MAX) || P != 4 || !defined(HEADER_SAW_N)
#error "a macro is lost"
#endif
#ifdef FALSE
  assert(false);
#endif
  return sizeof(real) != 4 || F(1) != 4 || N != 3
#ifdef FALSE
         || true
#endif
      ;
}
