// RUN: %echo_cc --device=cpu --no-unify -O0 -g %s -o %t && %t
// RUN: %echo_cc --device=cpu --no-unify -O3 %s -o %t && %t
// REQUIRES: cuda-toolkit, cpu-device
// Guards of every shape: exactly the threads that pass must run.
#include "Inputs/check.h"
#include <climits>

__global__ void below(int N, int *O) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    O[I] += 1;
}
__global__ void earlyReturn(size_t N, int *O) {
  size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (I >= N)
    return;
  if (threadIdx.x == 3)
    return;
  O[I] += 1;
}
__global__ void interior(int N, int *O) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I > 0 && I < N - 1)
    O[I] += 1;
}
__global__ void plane(int W, int H, int *O) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X < 1 || Y < 1 || X >= W - 1 || Y >= H - 1)
    return;
  O[Y * W + X] += 1;
}
__global__ void onlyOne(int *O) {
  if (threadIdx.x == 5)
    O[threadIdx.x] += 1;
}
__global__ void reversed(int N, int *O) {
  int I = N - 1 - int(blockIdx.x * blockDim.x + threadIdx.x);
  if (I >= 3)
    O[I] += 1;
}
__global__ void quads(int N, int *O) {
  int I = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (I + 3 < N)
    for (int K = 0; K != 4; ++K)
      O[I + K] += 1;
}
__global__ void wrapping(unsigned Start, unsigned N, int *O) {
  unsigned I =
      Start + blockIdx.x * blockDim.x + threadIdx.x; // wraps on purpose
  if (I < N)
    O[I] += 1;
}
__global__ void stride(int N, int *O) {
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += blockDim.x * gridDim.x)
    O[I] += 1;
}
// What comes before a branch that looks like a guard runs in all threads.
__device__ int First;
__global__ void before(int *O) {
  O[threadIdx.x] += 1;
  if (!threadIdx.x)
    First = 7;
}

int main() {
  int *O = managed<int>(1024);
  auto Only = [&](auto Expected) {
    if (cudaDeviceSynchronize() != cudaSuccess)
      return false;
    bool Good = true;
    for (int I = 0; I != 1024; ++I) {
      Good &= O[I] == int(Expected(I));
      O[I] = 0;
    }
    return Good;
  };
  for (int N : {-5, 0, 1, 63, 64, 65, 200, 256}) {
    below<<<4, 64>>>(N, O);
    CHECK(Only([&](int I) { return I < N; }));
    interior<<<4, 64>>>(N, O);
    CHECK(Only([&](int I) { return I > 0 && I < N - 1; }));
    reversed<<<4, 64>>>(N, O);
    CHECK(Only([&](int I) { return I >= 3 && I < N; }));
    quads<<<1, 64>>>(N, O);
    CHECK(Only([&](int I) { return N > 0 && I < N / 4 * 4; }));
    stride<<<2, 32>>>(N, O);
    CHECK(Only([&](int I) { return I < N; }));
  }
  below<<<4, 64>>>(INT_MAX, O);
  CHECK(Only([&](int I) { return I < 256; }));
  below<<<4, 64>>>(INT_MIN, O);
  CHECK(Only([&](int I) { return false; }));
  earlyReturn<<<4, 64>>>(200, O);
  CHECK(Only([&](int I) { return I < 200 && I % 64 != 3; }));
  earlyReturn<<<4, 64>>>(~size_t(0), O);
  CHECK(Only([&](int I) { return I < 256 && I % 64 != 3; }));
  plane<<<dim3(3, 5), dim3(16, 8)>>>(31, 33, O);
  CHECK(Only([&](int I) {
    int X = I % 31, Y = I / 31;
    return X > 0 && X < 30 && Y > 0 && Y < 32;
  }));
  onlyOne<<<3, 64>>>(O);
  CHECK(Only([&](int I) { return I == 5 ? 3 : 0; }));
  before<<<1, 64>>>(O);
  CHECK(Only([&](int I) { return I < 64; }));
  wrapping<<<4, 64>>>(-100u, 50, O);
  CHECK(Only([&](int I) { return I < 50; }));
}
