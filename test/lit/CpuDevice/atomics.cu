// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O1 -fsanitize=thread %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Atomics of every kind and scope.
#include "Inputs/check.h"
#include <cuda_fp16.h>

__global__ void integers(int *I, unsigned *U, unsigned long long *L) {
  atomicAdd(I, 1);
  atomicSub(I + 1, 2);
  atomicMax(I + 2, (int)threadIdx.x);
  atomicMin(I + 3, -(int)threadIdx.x);
  atomicExch(I + 4, 7);
  atomicCAS(I + 5, 0, threadIdx.x + 1);
  atomicAdd_system(I + 6, 1);
  atomicAdd_block(I + 7, 1);
  atomicMin_system(I + 8, -5);
  atomicInc(U, 9);
  atomicDec(U + 1, 9);
  atomicAnd(U + 2, ~(1u << (threadIdx.x % 32)));
  atomicOr(U + 3, 1u << (threadIdx.x % 32));
  atomicXor(U + 4, threadIdx.x);
  atomicInc_block(U + 5, 1000);
  atomicAdd(L, 1ull << 33);
  atomicMax(L + 1, (unsigned long long)threadIdx.x);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
}

__global__ void floats(float *F, double *D) {
  atomicAdd(F, 0.5f);
  atomicAdd_system(F + 1, 1.0f);
  atomicAdd(D, 0.25);
  atomicExch(F + 2, 3.0f);
}
__global__ void halves(__half *H, __half2 *P) {
  atomicAdd(H, __float2half(0.5f));
  atomicAdd(P, __floats2half2_rn(1, 2));
}
// As inline PTX.
__global__ void written(int *I, unsigned *U, unsigned long long *L, float *F) {
  int Old;
  asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(Old) : "l"(I), "r"(2) : "memory");
  atomicMax(I + 1, Old);
  asm volatile("red.relaxed.gpu.global.max.s32 [%0+8], %1;" ::"l"(I), "r"((int)threadIdx.x - 70) : "memory");
  asm volatile("red.min.s32 [%0], %1;" ::"l"(I + 3), "r"(-(int)threadIdx.x) : "memory");
  asm volatile("atom.inc.u32 %0, [%1], 9;" : "=r"(Old) : "l"(U) : "memory");
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(U + 1), "r"(threadIdx.x - 5) : "memory");
  asm volatile("red.or.b32 [%0], %1;" ::"l"(U + 2), "r"(1u << (threadIdx.x % 32)) : "memory");
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(L), "l"(1ull << 33) : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(F), "f"(0.25f) : "memory");
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(Old) : "l"(I + 4), "r"(0), "r"(threadIdx.x + 1) : "memory");
}

int main() {
  int *I = managed<int>(9);
  unsigned *U = managed<unsigned>(6);
  auto *L = managed<unsigned long long>(2);
  float *F = managed<float>(3);
  double *D = managed<double>(1);
  U[2] = ~0u;
  integers<<<4, 64>>>(I, U, L);
  floats<<<4, 64>>>(F, D);
  CHECK(I[0] == 256 && I[1] == -512 && I[2] == 63 && I[3] == -63);
  CHECK(I[4] == 7 && I[5] > 0 && I[6] == 256 && I[7] == 256 && I[8] == -5);
  CHECK(U[0] == 6 && U[2] == 0 && U[3] == ~0u && U[4] == 0 && U[5] == 256);
  CHECK(L[0] == 256ull << 33 && L[1] == 63);
  __half *H = managed<__half>(1);
  __half2 *P = managed<__half2>(1);
  halves<<<4, 64>>>(H, P);
  CHECK(__half2float(*H) == 128 && __low2float(*P) == 256 && __high2float(*P) == 512);
  int *I2 = managed<int>(5);
  unsigned *U2 = managed<unsigned>(3);
  auto *L2 = managed<unsigned long long>(1);
  float *F2 = managed<float>(1);
  I2[2] = -100;
  written<<<4, 64>>>(I2, U2, L2, F2);
  CHECK(I2[0] == 512 && I2[1] == 510 && I2[2] == -7 && I2[3] == -63 && I2[4] > 0);
  CHECK(U2[0] == 6 && U2[1] == ~0u && U2[2] == ~0u && *L2 == 256ull << 33 && *F2 == 64);
  CHECK(F[0] == 128 && F[1] == 256 && F[2] == 3 && D[0] == 64);
}
