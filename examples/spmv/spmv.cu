//===- spmv.cu - Conjugate gradients with a CSR matrix ----------*- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Solves the 5-point Poisson problem for several right hand sides. The matrix
// is uploaded once in CSR form; per right hand side the vector goes up and the
// solution comes back. Dot products are reduced per block on the GPU and summed
// by the host. All buffers of matrix and vectors can share storage; the partial
// sums are too small.
//
//===----------------------------------------------------------------------===//
#include "example.h"
#include <cmath>
#include <vector>

constexpr int BlockSize = 256;
constexpr int DotBlocks = 64;

__global__ void multiply(const int *RowStart, const int *Column,
                         const double *Value, const double *X, double *Y,
                         int Rows) {
  const int Row = blockIdx.x * blockDim.x + threadIdx.x;
  if (Row >= Rows)
    return;
  double Sum = 0;
  for (int I = RowStart[Row]; I < RowStart[Row + 1]; ++I)
    Sum += Value[I] * X[Column[I]];
  Y[Row] = Sum;
}

__global__ void dotPartial(const double *A, const double *B, double *Partial,
                           int Count) {
  __shared__ double Sums[BlockSize];
  double Sum = 0;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Count;
       I += gridDim.x * blockDim.x)
    Sum += A[I] * B[I];
  Sums[threadIdx.x] = Sum;
  __syncthreads();
  for (int Half = BlockSize / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Sums[threadIdx.x] += Sums[threadIdx.x + Half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Partial[blockIdx.x] = Sums[0];
}

/// Y += Factor * X
__global__ void addScaled(double *Y, const double *X, double Factor,
                          int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Y[I] += Factor * X[I];
}

/// Y = X + Factor * Y
__global__ void scaleAndAdd(double *Y, const double *X, double Factor,
                            int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Y[I] = X[I] + Factor * Y[I];
}

static double dot(const double *DevA, const double *DevB, double *DevPartial,
                  int Count) {
  double Partial[DotBlocks];
  dotPartial<<<DotBlocks, BlockSize>>>(DevA, DevB, DevPartial, Count);
  CHECK(cudaMemcpy(Partial, DevPartial, sizeof(Partial),
                   cudaMemcpyDeviceToHost));
  double Sum = 0;
  for (int I = 0; I < DotBlocks; ++I)
    Sum += Partial[I];
  return Sum;
}

/// The 5-point stencil on a \p Side x \p Side grid; returns its entry count.
static int buildMatrix(int *RowStart, int *Column, double *Value, int Side) {
  int Entries = 0;
  auto put = [&](int Col, double Entry) {
    Column[Entries] = Col;
    Value[Entries++] = Entry;
  };
  for (int Y = 0; Y < Side; ++Y)
    for (int X = 0; X < Side; ++X) {
      const int Row = Y * Side + X;
      RowStart[Row] = Entries;
      if (Y > 0)
        put(Row - Side, -1);
      if (X > 0)
        put(Row - 1, -1);
      put(Row, 4.05);
      if (X + 1 < Side)
        put(Row + 1, -1);
      if (Y + 1 < Side)
        put(Row + Side, -1);
    }
  RowStart[Side * Side] = Entries;
  return Entries;
}

/// Largest difference between A*x and b, computed on the host.
static double residual(const int *RowStart, const int *Column,
                       const double *Value, const double *X, const double *B,
                       int Rows) {
  double Worst = 0;
  for (int Row = 0; Row < Rows; ++Row) {
    double Sum = -B[Row];
    for (int I = RowStart[Row]; I < RowStart[Row + 1]; ++I)
      Sum += Value[I] * X[Column[I]];
    Worst = std::fmax(Worst, std::fabs(Sum));
  }
  return Worst;
}

int main(int Argc, char **Argv) {
  Arguments Args =
      parseArguments(Argc, Argv, "[grid side] [right hand sides] [iterations]");
  const int Side = argument(Args, 0, 256);
  const int Systems = argument(Args, 1, 4);
  const int Limit = argument(Args, 2, 150);
  if (Side < 4 || Side > 4096) {
    std::fprintf(stderr, "spmv: grid side must be 4 to 4096\n");
    return 2;
  }
  const int Rows = Side * Side;
  const size_t VectorBytes = Rows * sizeof(double);
  const size_t StartBytes = (Rows + 1) * sizeof(int);
  const size_t ColumnBytes = 5 * Rows * sizeof(int);
  const size_t ValueBytes = 5 * Rows * sizeof(double);

  double *devR, *devP, *devQ, *devPartial;
  CHECK(cudaMalloc(&devR, VectorBytes));
  CHECK(cudaMalloc(&devP, VectorBytes));
  CHECK(cudaMalloc(&devQ, VectorBytes));
  CHECK(cudaMalloc(&devPartial, DotBlocks * sizeof(double)));
#ifdef ECHO_HAND_MERGED
  int *rowStart, *column;
  double *value, *rhs, *solution;
  CHECK(cudaMallocManaged(&rowStart, StartBytes));
  CHECK(cudaMallocManaged(&column, ColumnBytes));
  CHECK(cudaMallocManaged(&value, ValueBytes));
  CHECK(cudaMallocManaged(&rhs, VectorBytes));
  CHECK(cudaMallocManaged(&solution, VectorBytes));
  int *devStart = rowStart, *devColumn = column;
  double *devValue = value, *devB = rhs, *devX = solution;
#else
  std::vector<int> startStore(Rows + 1), columnStore(5 * Rows);
  std::vector<double> valueStore(5 * Rows), rhsStore(Rows), solutionStore(Rows);
  int *rowStart = startStore.data(), *column = columnStore.data();
  double *value = valueStore.data(), *rhs = rhsStore.data();
  double *solution = solutionStore.data();
  int *devStart, *devColumn;
  double *devValue, *devB, *devX;
  CHECK(cudaMalloc(&devStart, StartBytes));
  CHECK(cudaMalloc(&devColumn, ColumnBytes));
  CHECK(cudaMalloc(&devValue, ValueBytes));
  CHECK(cudaMalloc(&devB, VectorBytes));
  CHECK(cudaMalloc(&devX, VectorBytes));
#endif

  Timer Clock;
  const int Entries = buildMatrix(rowStart, column, value, Side);
#ifndef ECHO_HAND_MERGED
  CHECK(cudaMemcpy(devStart, rowStart, StartBytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(devColumn, column, ColumnBytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(devValue, value, ValueBytes, cudaMemcpyHostToDevice));
#endif

  const int Blocks = (Rows + BlockSize - 1) / BlockSize;
  bool Good = true;
  double Checksum = 0;
  int Iterations = 0;
  for (int System = 0; System < Systems; ++System) {
    Random R(3 + System);
    for (int I = 0; I < Rows; ++I)
      rhs[I] = R.uniform();
#ifndef ECHO_HAND_MERGED
    CHECK(cudaMemcpy(devB, rhs, VectorBytes, cudaMemcpyHostToDevice));
#endif
    // x = 0, r = p = b
    CHECK(cudaMemset(devX, 0, VectorBytes));
    CHECK(cudaMemcpy(devR, devB, VectorBytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(devP, devB, VectorBytes, cudaMemcpyDeviceToDevice));
    double Norm = dot(devR, devR, devPartial, Rows);
    const double Goal = Norm * 1e-16;
    for (int I = 0; I < Limit && Norm > Goal; ++I, ++Iterations) {
      multiply<<<Blocks, BlockSize>>>(devStart, devColumn, devValue, devP, devQ,
                                      Rows);
      const double Alpha = Norm / dot(devP, devQ, devPartial, Rows);
      addScaled<<<Blocks, BlockSize>>>(devX, devP, Alpha, Rows);
      addScaled<<<Blocks, BlockSize>>>(devR, devQ, -Alpha, Rows);
      const double Next = dot(devR, devR, devPartial, Rows);
      scaleAndAdd<<<Blocks, BlockSize>>>(devP, devR, Next / Norm, Rows);
      Norm = Next;
    }
    CHECK(cudaGetLastError());
#ifdef ECHO_HAND_MERGED
    CHECK(cudaDeviceSynchronize());
#else
    CHECK(cudaMemcpy(solution, devX, VectorBytes, cudaMemcpyDeviceToHost));
#endif
    Good = Good && residual(rowStart, column, value, solution, rhs, Rows) < 1e-4;
    for (int I = 0; I < Rows; I += 3)
      Checksum += std::fabs(solution[I]);
  }
  Clock.print(Args);
  std::printf("spmv: %d rows, %d entries, %d iterations\n", Rows, Entries,
              Iterations);

  CHECK(cudaFree(devStart));
  CHECK(cudaFree(devColumn));
  CHECK(cudaFree(devValue));
  CHECK(cudaFree(devB));
  CHECK(cudaFree(devX));
  CHECK(cudaFree(devR));
  CHECK(cudaFree(devP));
  CHECK(cudaFree(devQ));
  CHECK(cudaFree(devPartial));
  return finish("spmv", Good, Checksum);
}
