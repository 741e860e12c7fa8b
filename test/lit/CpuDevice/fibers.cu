// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O1 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O2 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Barriers, shared memory (static, dynamic, in device functions), warp
// operations: kernels that need fibers.
#include "Inputs/check.h"

template <typename T, int N>
__global__ void reduce(const T *X, T *Sum, int Count) {
  __shared__ T Part[N];
  int T0 = threadIdx.x, I = blockIdx.x * N + T0;
  Part[T0] = I < Count ? X[I] : T(0);
  __syncthreads();
  for (int K = N / 2; K > 0; K >>= 1) {
    if (T0 < K)
      Part[T0] += Part[T0 + K];
    __syncthreads();
  }
  if (T0 == 0)
    atomicAdd(Sum, Part[0]);
}

__device__ int neighbour(int V) {
  __shared__ int Values[64];
  Values[threadIdx.x] = V;
  __syncthreads();
  int R = Values[(threadIdx.x + 1) % 64];
  __syncthreads();
  return R;
}
// Clang registers it with the runtime as it does device variables.
__device__ __shared__ int First;
__global__ void viaFunction(int *O) {
  if (threadIdx.x == 0)
    First = 5;
  __syncthreads();
  O[threadIdx.x] = neighbour(threadIdx.x) + First;
}

__global__ void dynamic(const float *X, float *O) {
  extern __shared__ float Buffer[];
  __shared__ int Before;
  if (threadIdx.x == 0)
    Before = 1;
  Buffer[threadIdx.x] = X[threadIdx.x];
  __syncthreads();
  float Sum = Before;
  for (int I = 0; I < blockDim.x; ++I)
    Sum += Buffer[I];
  O[threadIdx.x] = Sum;
}

__global__ void warp(int *O) {
  int Lane = threadIdx.x, V = Lane;
  for (int K = 16; K; K >>= 1)
    V += __shfl_down_sync(~0u, V, K);
  O[Lane] = V;
  O[32 + Lane] = __ballot_sync(~0u, Lane & 1);
  O[64 + Lane] = __any_sync(~0u, Lane == 7) + __all_sync(~0u, Lane < 32);
  O[96 + Lane] = __reduce_add_sync(~0u, Lane);
  O[128 + Lane] = __shfl_xor_sync(~0u, double(Lane), 1);
  O[160 + Lane] = __syncthreads_count(Lane < 5);
  O[192 + Lane] = __match_any_sync(~0u, Lane / 4);
  O[224 + Lane] = __shfl_sync(~0u, (long long)Lane, 3, 8);
}

int main() {
  const int N = 10000;
  float *X = managed<float>(N), *F = managed<float>(64), Sum = 0;
  int *Y = managed<int>(N), *O = managed<int>(256), IntSum = 0;
  for (int I = 0; I != N; ++I) {
    Sum += X[I] = I % 7;
    IntSum += Y[I] = I % 11;
  }
  reduce<float, 256><<<(N + 255) / 256, 256>>>(X, F, N);
  reduce<int, 128><<<(N + 127) / 128, 128>>>(Y, O, N);
  CHECK(F[0] == Sum && O[0] == IntSum);
  viaFunction<<<3, 64>>>(O);
  CHECK(O[0] == 6 && O[63] == 5 && O[10] == 16);
  dynamic<<<1, 64, 64 * sizeof(float)>>>(X, F);
  CHECK(F[0] == 190 && F[63] == 190);
  warp<<<1, 32>>>(O);
  CHECK(O[0] == 496 && O[32] == int(0xaaaaaaaa) && O[64] == 2);
  CHECK(O[127] == 496 && O[128] == 1 && O[129] == 0 && O[160] == 5);
  CHECK(O[197] == 0xf0 && O[233] == 11);
}
