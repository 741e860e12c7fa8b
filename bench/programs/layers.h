//===- layers.h - Layers of networks for inference --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions run in cuDNN, with batch normalization folded into weights and
// bias; bias, shortcut and ReLU, and pooling are kernels of this file. Weights
// are generated on the device. All memory here is the device's alone: the
// buffers of pairs are the caller's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_LAYERS_H
#define ECHO_BENCH_LAYERS_H

#include "convolution.h"
#include <algorithm>
#include <deque>
#include <vector>

/// Values += bias of their channel (+ Shortcut), then ReLU if wanted.
static __global__ void addBias(float *Values, const float *Bias,
                               const float *Shortcut, int Plane, int Channels,
                               int Count, bool Relu) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float Value = Values[I] + Bias[I / Plane % Channels];
  if (Shortcut != nullptr)
    Value = (Value + Shortcut[I]) * 0.7f;
  Values[I] = Relu && Value < 0 ? 0 : Value;
}

/// Maximum of 3x3 with stride 2 and padding 1, plane by plane.
static __global__ void maxPool(const float *In, float *Out, int Planes,
                               int Height, int Width, int OutHeight,
                               int OutWidth) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Planes * OutHeight * OutWidth)
    return;
  const int X = I % OutWidth, Y = I / OutWidth % OutHeight;
  const float *Plane =
      In + static_cast<size_t>(I / (OutWidth * OutHeight)) * Height * Width;
  float Most = -1e30f;
  for (int J = 2 * Y - 1; J <= 2 * Y + 1; ++J)
    for (int K = 2 * X - 1; K <= 2 * X + 1; ++K)
      if (J >= 0 && J < Height && K >= 0 && K < Width)
        Most = fmaxf(Most, Plane[J * Width + K]);
  Out[I] = Most;
}

inline int blocks(size_t Count) {
  return static_cast<int>((Count + 255) / 256);
}

/// The shape after maxPool.
inline Shape pooled(Shape S) {
  S.Height = (S.Height - 1) / 2 + 1;
  S.Width = (S.Width - 1) / 2 + 1;
  return S;
}

/// A convolution with bias.
struct Layer {
  Convolution Conv;
  float *devBias = nullptr;
};

/// The layers of one network, and what they share: cuDNN's handle, workspace,
/// and four buffers, each as large as the largest result.
class Network {
public:
  void open() { CHECK(cudnnCreate(&Handle)); }

  /// A layer whose weights and bias are generated; it lives as long as this.
  const Layer &add(const Shape &In, const Filter &F) {
    Layer &L = Layers.emplace_back();
    L.Conv.create(Handle, In, F, ++Seed);
    L.devBias = bench::generated(static_cast<size_t>(F.Channels), ++Seed, 0.1f);
    WorkspaceBytes = std::max(WorkspaceBytes, L.Conv.workspace());
    note(In);
    note(L.Conv.output());
    return L;
  }

  /// After the last add().
  void allocate() {
    for (float *&devBuffer : devBuffers)
      CHECK(cudaMalloc(&devBuffer, Largest * sizeof(float)));
    if (WorkspaceBytes != 0)
      CHECK(cudaMalloc(&devWorkspace, WorkspaceBytes));
  }

  float *buffer(int Index) const { return devBuffers[Index]; }

  void run(const Layer &L, const float *devIn, float *devOut,
           const float *devShortcut, bool Relu) const {
    const Shape &Out = L.Conv.output();
    L.Conv.run(Handle, devIn, devOut, devWorkspace);
    addBias<<<blocks(Out.count()), 256>>>(devOut, L.devBias, devShortcut,
                                          Out.Height * Out.Width, Out.Channels,
                                          static_cast<int>(Out.count()), Relu);
  }

  void destroy() {
    for (Layer &L : Layers) {
      L.Conv.destroy();
      CHECK(cudaFree(L.devBias));
    }
    for (float *devBuffer : devBuffers)
      CHECK(cudaFree(devBuffer));
    CHECK(cudaFree(devWorkspace));
    CHECK(cudnnDestroy(Handle));
  }

private:
  void note(const Shape &S) { Largest = std::max(Largest, S.count()); }

  cudnnHandle_t Handle = nullptr;
  std::deque<Layer> Layers;
  float *devBuffers[4] = {nullptr, nullptr, nullptr, nullptr};
  void *devWorkspace = nullptr;
  size_t Largest = 0, WorkspaceBytes = 0;
  unsigned Seed = 0;
};

#endif
