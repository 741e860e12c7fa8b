// RUN: %echo_cc --device=cpu --no-unify -O0 %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Grid-stride loops, those that run round by round and those that must not.
#include "Inputs/check.h"

__global__ void plain(int N, int *O) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += blockDim.x * gridDim.x)
    O[I] += I;
}
__global__ void allSigned(int N, int Step, int *O) {
  int First = blockIdx.x * blockDim.x + threadIdx.x;
  for (int I = First; I < N; I += Step)
    O[I] += I;
}
__global__ void sizes(size_t N, int *O) {
  size_t Step = size_t(blockDim.x) * gridDim.x;
  for (size_t I = size_t(blockIdx.x) * blockDim.x + threadIdx.x; I < N;
       I += Step)
    if (I % 3)
      O[I] += I;
}
__global__ void guarded(int N, int Rows, int *O) {
  if (blockIdx.y >= Rows)
    return;
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    O[blockIdx.y * N + I] += I;
}
__global__ void sums(int N, const int *X, int *O) {
  int Sum = 0;
  for (int I = threadIdx.x; I < N; I += blockDim.x)
    Sum += X[I];
  O[threadIdx.x] = Sum;
}
__global__ void leaves(int N, int Stop, int *O) {
  for (int I = threadIdx.x; I < N; I += blockDim.x) {
    if (I / 32 == Stop)
      break;
    O[I] += I;
  }
}
__global__ void carried(int N, int *O) {
  int Local[4] = {0, 0, 0, 0};
  for (int I = threadIdx.x; I < N; I += blockDim.x) {
    Local[I / 32 % 4] += 1;
    O[I] = Local[(I / 32 + 3) % 4];
  }
}
__global__ void chained(int N, int *O) {
  // Each thread reads what it wrote one round before.
  for (int I = threadIdx.x + 32; I < N; I += 32)
    O[I] = O[I - 32] + 1;
}

int main() {
  int *O = managed<int>(1024), *X = managed<int>(1024);
  auto Only = [&](auto Expected) {
    if (cudaDeviceSynchronize() != cudaSuccess)
      return false;
    bool Good = true;
    for (int I = 0; I != 1024; ++I) {
      Good &= O[I] == int(Expected(I));
      O[I] = 0;
      X[I] = 1;
    }
    return Good;
  };
  for (int N : {-3, 0, 1, 31, 32, 33, 100, 1000, 1024}) {
    auto Index = [&](int I) { return I < N ? I : 0; };
    plain<<<2, 32>>>(N, O);
    CHECK(Only(Index));
    allSigned<<<2, 32>>>(N, 64, O);
    CHECK(Only(Index));
    leaves<<<1, 32>>>(N, 3, O);
    CHECK(Only([&](int I) { return I < N && I < 96 ? I : 0; }));
    if (N < 0)
      continue;
    sizes<<<3, 16>>>(N, O);
    CHECK(Only([&](int I) { return I < N && I % 3 ? I : 0; }));
    sums<<<1, 32>>>(N, X, O);
    CHECK(Only([&](int I) { return I < 32 ? (N + 31 - I) / 32 : 0; }));
  }
  guarded<<<dim3(1, 8), 32>>>(128, 5, O);
  CHECK(Only([](int I) { return I < 640 ? I % 128 : 0; }));
  carried<<<1, 32>>>(256, O);
  CHECK(Only([](int I) {
    int Round = I / 32;
    return I < 256 ? (Round == 0 ? 0 : (Round + 3) / 4) : 0;
  }));
  chained<<<1, 32>>>(1024, O);
  CHECK(Only([](int I) { return I / 32; }));
}
