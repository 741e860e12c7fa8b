//===- kernels.cu - The measured loops as kernels -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barrier-free kernels as programs write them: a guard, one element a thread.
//
//===----------------------------------------------------------------------===//
#include "kernels.h"
#include <cuda_runtime.h>

__global__ void saxpy(int N, float A, const float *X, float *Y) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    saxpyAt(I, A, X, Y);
}

__global__ void stencil(int N, const float *In, float *Out) {
  int X = blockIdx.x * blockDim.x + threadIdx.x;
  int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X > 0 && Y > 0 && X < N - 1 && Y < N - 1)
    stencilAt(X, Y, N, In, Out);
}

__global__ void forces(int N, const Body *B, Force *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    forceAt(I, N, B, Out);
}

template <typename T> static T *managed(int Count) {
  T *P = nullptr;
  if (cudaMallocManaged(&P, Count * sizeof(T)) != cudaSuccess)
    std::exit(2);
  return P;
}

static void wait() {
  if (cudaDeviceSynchronize() != cudaSuccess)
    std::exit(2);
}

int main() {
  auto *X = managed<float>(SaxpyN), *Y = managed<float>(SaxpyN);
  for (int I = 0; I < SaxpyN; ++I)
    X[I] = Y[I] = startValue(I);
  measure(
      "saxpy",
      [=] {
        saxpy<<<(SaxpyN + 255) / 256, 256>>>(SaxpyN, 0.5f, X, Y);
        wait();
      },
      Y, SaxpyN);

  constexpr int Cells = StencilN * StencilN;
  auto *In = managed<float>(Cells), *Out = managed<float>(Cells);
  for (int I = 0; I < Cells; ++I)
    In[I] = Out[I] = startValue(I);
  dim3 Block(32, 8), Grid(StencilN / 32, StencilN / 8);
  measure(
      "stencil",
      [=] {
        stencil<<<Grid, Block>>>(StencilN, In, Out);
        wait();
      },
      Out, Cells);

  auto *Bodies = managed<Body>(BodiesN);
  auto *Forces = managed<Force>(BodiesN);
  for (int I = 0; I < BodiesN; ++I)
    Bodies[I] = startBody(I);
  measure(
      "nbody",
      [=] {
        forces<<<(BodiesN + 127) / 128, 128>>>(BodiesN, Bodies, Forces);
        wait();
      },
      &Forces[0].X, BodiesN * 3);
}
