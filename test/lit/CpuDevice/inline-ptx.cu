// RUN: %echo_cc --device=cpu --no-unify -O0 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O2 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Inline PTX that is translated: arithmetic, predicates, memory, registers,
// shuffles.
#include "Inputs/check.h"

__global__ void values(int *O, const float *X) {
  int A, B, C, D;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(A) : "r"(3), "r"(4), "r"(5));
  asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.s32 %0, 10, 20, p; }"
      : "=r"(B) : "r"(-1), "r"(1));
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(C) : "r"(0xabcd));
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(D) : "l"(X));
  O[0] = A, O[1] = B, O[2] = C, O[3] = D;
  unsigned Lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(Lane));
  asm volatile("st.global.u32 [%0], %1;" ::"l"(O + 4), "r"(Lane + 7) : "memory");
}
__global__ void scan(int *O) {
  int V = 1;
  for (int K = 1; K < 32; K *= 2)
    asm volatile("{ .reg .s32 r; .reg .pred p;"
                 " shfl.sync.up.b32 r|p, %0, %1, 0, -1; @p add.s32 %0, %0, r; }"
                 : "+r"(V) : "r"(K));
  O[threadIdx.x] = V;
}
// A division whose predicate is false does not happen, and none traps.
__global__ void divide(int *O, int Zero, int Minus) {
  int A = 7, B, C, D, E;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p div.u32 %0, 100, %1; }"
               : "+r"(A) : "r"(Zero));
  asm volatile("div.s32 %0, %1, %2;" : "=r"(B) : "r"(7), "r"(Minus));
  asm volatile("rem.s32 %0, %1, %2;" : "=r"(C) : "r"(7), "r"(Minus));
  asm volatile("div.s32 %0, %1, %2;" : "=r"(D) : "r"(1 << 31), "r"(Minus));
  asm volatile("rem.s32 %0, %1, %2;" : "=r"(E) : "r"(-7), "r"(Minus * 3));
  O[0] = A, O[1] = B, O[2] = C, O[3] = D, O[4] = E;
}

int main() {
  int *O = managed<int>(32);
  float *X = managed<float>(1);
  X[0] = 1.0f;
  values<<<1, 1>>>(O, X);
  CHECK(O[0] == 17 && O[1] == 10 && O[2] == 0xbc && O[3] == 0x3f800000);
  CHECK(O[4] == 7);
  divide<<<1, 1>>>(O, 0, -1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(O[0] == 7 && O[1] == -7 && O[2] == 0 && O[3] == 1 << 31 && O[4] == -1);
  scan<<<1, 32>>>(O);
  for (int I = 0; I != 32; ++I)
    CHECK(O[I] == I + 1);
}
