//===- conv2d.cu - 3x3 convolution layer over batches of images -*- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution layer with bias and ReLU; the weights are in constant memory.
// The host prepares the next batch while the GPU works on this one. That is why
// the input pair must keep its copy: merged, the host would write what the
// kernel still reads. The output pair can share storage.
//
//===----------------------------------------------------------------------===//
#include "example.h"
#include <cmath>

constexpr int Channels = 8;
constexpr int Filters = 8;
constexpr int Side = 3;

__constant__ float Weights[Filters][Channels][Side][Side];
__constant__ float Bias[Filters];

__global__ void convolve(const float *In, float *Out, int Width, int Height) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  const int F = blockIdx.z;
  if (X >= Width || Y >= Height)
    return;
  float Sum = Bias[F];
  for (int C = 0; C < Channels; ++C)
    for (int J = 0; J < Side; ++J) {
      const int Row = Y + J - 1;
      if (Row < 0 || Row >= Height)
        continue;
      for (int I = 0; I < Side; ++I) {
        const int Col = X + I - 1;
        if (Col >= 0 && Col < Width)
          Sum += Weights[F][C][J][I] * In[(C * Height + Row) * Width + Col];
      }
    }
  Out[(F * Height + Y) * Width + X] = Sum > 0.0f ? Sum : 0.0f;
}

/// One output value computed on the host.
static float reference(const float *In, const float *W, const float *B,
                       int Width, int Height, int F, int X, int Y) {
  double Sum = B[F];
  for (int C = 0; C < Channels; ++C)
    for (int J = 0; J < Side; ++J)
      for (int I = 0; I < Side; ++I) {
        int Row = Y + J - 1, Col = X + I - 1;
        if (Row < 0 || Row >= Height || Col < 0 || Col >= Width)
          continue;
        Sum += static_cast<double>(W[((F * Channels + C) * Side + J) * Side + I]) *
               In[(C * Height + Row) * Width + Col];
      }
  return Sum > 0 ? static_cast<float>(Sum) : 0.0f;
}

static void makeImage(float *Image, int Count, unsigned Seed) {
  Random R(Seed);
  for (int I = 0; I < Count; ++I)
    Image[I] = R.uniform();
}

int main(int Argc, char **Argv) {
  Arguments Args = parseArguments(Argc, Argv, "[width=height] [batches]");
  const int Width = argument(Args, 0, 384), Height = Width;
  const int Batches = argument(Args, 1, 6);
  if (Width < 8 || Width > 4096) {
    std::fprintf(stderr, "conv2d: width must be 8 to 4096\n");
    return 2;
  }
  const int InCount = Channels * Width * Height;
  const int OutCount = Filters * Width * Height;
  const size_t InBytes = InCount * sizeof(float);
  const size_t OutBytes = OutCount * sizeof(float);

  float hostWeights[Filters * Channels * Side * Side], hostBias[Filters];
  makeImage(hostWeights, Filters * Channels * Side * Side, 5);
  makeImage(hostBias, Filters, 6);
  CHECK(cudaMemcpyToSymbol(Weights, hostWeights, sizeof(hostWeights)));
  CHECK(cudaMemcpyToSymbol(Bias, hostBias, sizeof(hostBias)));

  float *hostIn = new float[InCount];
  float *devIn;
  CHECK(cudaMalloc(&devIn, InBytes));
#ifdef ECHO_HAND_MERGED
  float *hostOut;
  CHECK(cudaMallocManaged(&hostOut, OutBytes));
  float *devOut = hostOut;
#else
  float *hostOut = new float[OutCount];
  float *devOut;
  CHECK(cudaMalloc(&devOut, OutBytes));
#endif
  float *first = new float[InCount]; // kept for the check of batch 0
  makeImage(first, InCount, 100);

  Timer Clock;
  const dim3 Block(32, 4);
  const dim3 Grid((Width + 31) / 32, (Height + 3) / 4, Filters);
  bool Good = true;
  double Checksum = 0;
  makeImage(hostIn, InCount, 100);
  for (int Batch = 0; Batch < Batches; ++Batch) {
    CHECK(cudaMemcpy(devIn, hostIn, InBytes, cudaMemcpyHostToDevice));
    convolve<<<Grid, Block>>>(devIn, devOut, Width, Height);
    CHECK(cudaGetLastError());
    if (Batch + 1 < Batches) // while the GPU works
      makeImage(hostIn, InCount, 101 + Batch);
#ifdef ECHO_HAND_MERGED
    CHECK(cudaDeviceSynchronize());
#else
    CHECK(cudaMemcpy(hostOut, devOut, OutBytes, cudaMemcpyDeviceToHost));
#endif
    if (Batch == 0) {
      Random R(7);
      for (int Sample = 0; Sample < 64 && Good; ++Sample) {
        int F = R.next() % Filters, X = R.next() % Width, Y = R.next() % Height;
        float Want = reference(first, hostWeights, hostBias, Width, Height, F, X, Y);
        Good = std::fabs(Want - hostOut[(F * Height + Y) * Width + X]) < 1e-3f;
      }
    }
    for (int I = 0; I < OutCount; I += 11)
      Checksum += hostOut[I];
  }
  Clock.print(Args);

  CHECK(cudaFree(devIn));
  CHECK(cudaFree(devOut));
  delete[] hostIn;
  delete[] first;
#ifndef ECHO_HAND_MERGED
  delete[] hostOut;
#endif
  return finish("conv2d", Good, Checksum);
}
