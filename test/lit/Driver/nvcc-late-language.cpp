// nvcc's -x is about the inputs before it, too, and leaves objects what they are.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s a.cpp && cp %s b.cpp
// RUN: %echo_cc -Werror --device=cpu a.cpp -x cu -o a && ./a | FileCheck --check-prefix=CUDA %s
// RUN: %echo_cc -Werror --device=cpu -c -DPART b.cpp -o b.o && %echo_cc -Werror --device=cpu -DCALLS b.o a.cpp -x cu -o ab
// RUN: ./ab | FileCheck --check-prefixes=PART,CUDA %s
// RUN: cp a.cpp c.cu && %echo_cc --device=cpu -Xcompiler -g c.cu -x c++ -o c && ./c | FileCheck --check-prefix=PLAIN %s
// As before in clang's words.
// RUN: %echo_cc --device=cpu a.cpp -x cuda -o d 2>&1 | FileCheck --check-prefix=CLANG %s
// RUN: ./d | FileCheck --check-prefix=PLAIN %s
// PART: plain part
// CUDA: CUDA 7
// PLAIN: plain
// CLANG: warning: '-x cuda' after last input file has no effect
#include <cstdio>
#ifdef PART
void part() { printf("plain part\n"); }
#elif defined(__CUDACC__)
void part();
__global__ void set(int *p) { *p = 7; }
int main() {
#ifdef CALLS
  part();
#endif
  int h = 0, *d;
  cudaMalloc(&d, sizeof h);
  set<<<1, 1>>>(d);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("CUDA %d\n", h);
}
#else
int main() { printf("plain\n"); }
#endif
