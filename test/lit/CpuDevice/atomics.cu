// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O1 -fsanitize=thread %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Atomics of every kind and scope.
#include "Inputs/check.h"

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
  CHECK(F[0] == 128 && F[1] == 256 && F[2] == 3 && D[0] == 64);
}
