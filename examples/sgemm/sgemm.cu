//===- sgemm.cu - C = A * B with shared memory tiles ------------*- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single precision matrix product, tiled through shared memory. Every round
// brings a new A, as in inference where B holds the weights, and takes C home.
// All three buffer pairs can share storage: the kernel only reads A and B.
//
//===----------------------------------------------------------------------===//
#include "example.h"
#include <cmath>

constexpr int Tile = 16;

__global__ void sgemm(const float *A, const float *B, float *C, int N) {
  __shared__ float TileA[Tile][Tile];
  __shared__ float TileB[Tile][Tile];
  const int Row = blockIdx.y * Tile + threadIdx.y;
  const int Col = blockIdx.x * Tile + threadIdx.x;
  float Sum = 0.0f;
  for (int K = 0; K < N; K += Tile) {
    TileA[threadIdx.y][threadIdx.x] = A[Row * N + K + threadIdx.x];
    TileB[threadIdx.y][threadIdx.x] = B[(K + threadIdx.y) * N + Col];
    __syncthreads();
#pragma unroll
    for (int I = 0; I < Tile; ++I)
      Sum += TileA[threadIdx.y][I] * TileB[I][threadIdx.x];
    __syncthreads();
  }
  C[Row * N + Col] = Sum;
}

static void fill(float *Matrix, int N, unsigned Seed) {
  Random R(Seed);
  for (int I = 0; I < N * N; ++I)
    Matrix[I] = R.uniform();
}

/// Compares some entries of \p C with the product computed in double.
static bool sampleIsRight(const float *A, const float *B, const float *C,
                          int N) {
  Random R(99);
  for (int Sample = 0; Sample < 32; ++Sample) {
    int Row = R.next() % N, Col = R.next() % N;
    double Sum = 0;
    for (int K = 0; K < N; ++K)
      Sum += static_cast<double>(A[Row * N + K]) * B[K * N + Col];
    if (std::fabs(Sum - C[Row * N + Col]) > 1e-3)
      return false;
  }
  return true;
}

int main(int Argc, char **Argv) {
  Arguments Args = parseArguments(Argc, Argv, "[size] [rounds]");
  const int N = argument(Args, 0, 512);
  const int Rounds = argument(Args, 1, 4);
  if (N % Tile != 0 || N > 8192) {
    std::fprintf(stderr, "sgemm: size must be a multiple of %d, at most 8192\n",
                 Tile);
    return 2;
  }
  const size_t Bytes = static_cast<size_t>(N) * N * sizeof(float);

#ifdef ECHO_HAND_MERGED
  float *hostA, *hostB, *hostC;
  CHECK(cudaMallocManaged(&hostA, Bytes));
  CHECK(cudaMallocManaged(&hostB, Bytes));
  CHECK(cudaMallocManaged(&hostC, Bytes));
  float *devA = hostA, *devB = hostB, *devC = hostC;
#else
  float *hostA = static_cast<float *>(std::malloc(Bytes));
  float *hostB = static_cast<float *>(std::malloc(Bytes));
  float *hostC = static_cast<float *>(std::malloc(Bytes));
  if (!hostA || !hostB || !hostC) {
    std::fprintf(stderr, "sgemm: out of memory\n");
    return 2;
  }
  float *devA, *devB, *devC;
  CHECK(cudaMalloc(&devA, Bytes));
  CHECK(cudaMalloc(&devB, Bytes));
  CHECK(cudaMalloc(&devC, Bytes));
#endif

  Timer Clock;
  fill(hostB, N, 2);
#ifndef ECHO_HAND_MERGED
  CHECK(cudaMemcpy(devB, hostB, Bytes, cudaMemcpyHostToDevice));
#endif
  bool Good = true;
  double Checksum = 0;
  const dim3 Block(Tile, Tile), Grid(N / Tile, N / Tile);
  for (int Round = 0; Round < Rounds; ++Round) {
    fill(hostA, N, 10 + Round);
#ifndef ECHO_HAND_MERGED
    CHECK(cudaMemcpy(devA, hostA, Bytes, cudaMemcpyHostToDevice));
#endif
    sgemm<<<Grid, Block>>>(devA, devB, devC, N);
    CHECK(cudaGetLastError());
#ifdef ECHO_HAND_MERGED
    CHECK(cudaDeviceSynchronize());
#else
    CHECK(cudaMemcpy(hostC, devC, Bytes, cudaMemcpyDeviceToHost));
#endif
    Good = Good && sampleIsRight(hostA, hostB, hostC, N);
    for (int I = 0; I < N * N; I += 7)
      Checksum += hostC[I];
  }
  Clock.print(Args);

  CHECK(cudaFree(devA));
  CHECK(cudaFree(devB));
  CHECK(cudaFree(devC));
#ifndef ECHO_HAND_MERGED
  std::free(hostA);
  std::free(hostB);
  std::free(hostC);
#endif
  return finish("sgemm", Good, Checksum);
}
