//===- fcn_resnet.h - FCN-ResNet50 and 101 for inference --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layers of the segmentation network FCN with a dilated ResNet as backbone
// (output stride 8), batch normalization folded into weights and bias. Weights
// are generated on the device. Convolutions run in cuDNN; bias, shortcut and
// ReLU, pooling and upsampling are kernels of this file. All memory here is the
// device's alone: the pair buffers are the caller's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_FCN_RESNET_H
#define ECHO_BENCH_FCN_RESNET_H

#include "convolution.h"
#include <algorithm>
#include <vector>

constexpr int Classes = 21;

/// (value - mean) / deviation per channel, as the network was trained.
static __global__ void normalize(const float *Image, float *Out, int Plane) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= 3 * Plane)
    return;
  const float Mean[3] = {0.485f, 0.456f, 0.406f};
  const float Deviation[3] = {0.229f, 0.224f, 0.225f};
  const int Channel = I / Plane;
  Out[I] = ((Image[I] + 1) * 0.5f - Mean[Channel]) / Deviation[Channel];
}

/// Values += bias of their channel (+ Shortcut), then ReLU if wanted.
static __global__ void addBias(float *Values, const float *Bias,
                               const float *Shortcut, int Plane, int Channels,
                               bool Relu) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Plane * Channels)
    return;
  float Value = Values[I] + Bias[I / Plane];
  if (Shortcut != nullptr)
    Value = (Value + Shortcut[I]) * 0.7f;
  Values[I] = Relu && Value < 0 ? 0 : Value;
}

/// Maximum of 3x3 with stride 2 and padding 1.
static __global__ void maxPool(const float *In, float *Out, int Channels,
                               int Height, int Width, int OutHeight,
                               int OutWidth) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Channels * OutHeight * OutWidth)
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

/// Bilinear interpolation to the picture's size, corners not aligned.
static __global__ void upsample(const float *In, float *Out, int Height,
                                int Width, int OutHeight, int OutWidth) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Classes * OutHeight * OutWidth)
    return;
  const int X = I % OutWidth, Y = I / OutWidth % OutHeight;
  const float *Plane =
      In + static_cast<size_t>(I / (OutWidth * OutHeight)) * Height * Width;
  const float Fx = fmaxf((X + 0.5f) * Width / OutWidth - 0.5f, 0.0f);
  const float Fy = fmaxf((Y + 0.5f) * Height / OutHeight - 0.5f, 0.0f);
  const int X0 = static_cast<int>(Fx), Y0 = static_cast<int>(Fy);
  const int X1 = X0 + 1 < Width ? X0 + 1 : X0;
  const int Y1 = Y0 + 1 < Height ? Y0 + 1 : Y0;
  const float Wx = Fx - X0, Wy = Fy - Y0;
  const float Top =
      Plane[Y0 * Width + X0] * (1 - Wx) + Plane[Y0 * Width + X1] * Wx;
  const float Low =
      Plane[Y1 * Width + X0] * (1 - Wx) + Plane[Y1 * Width + X1] * Wx;
  Out[I] = Top * (1 - Wy) + Low * Wy;
}

inline int blocks(size_t Count) {
  return static_cast<int>((Count + 255) / 256);
}

/// A convolution with bias.
struct Layer {
  Convolution Conv;
  float *devBias = nullptr;

  void run(cudnnHandle_t Handle, const float *devIn, float *devOut,
           const float *devShortcut, bool Relu, void *devWorkspace) const {
    const Shape &Out = Conv.output();
    Conv.run(Handle, devIn, devOut, devWorkspace);
    addBias<<<blocks(Out.count()), 256>>>(devOut, devBias, devShortcut,
                                          Out.Height * Out.Width, Out.Channels,
                                          Relu);
  }
};

/// Three convolutions around which the input, or its projection, goes.
struct Bottleneck {
  Layer Reduce, Middle, Expand, Project;
  bool Projects = false;
};

class FcnResNet {
public:
  /// \p Depth is 50 or 101. Side lengths below 32 leave nothing of the picture.
  void create(int Depth, int Height, int Width) {
    CHECK(cudnnCreate(&Handle));
    Shape S{1, 3, Height, Width};
    note(S);
    add(First, S, Filter{64, 7, 2, 3, 1});
    S = First.Conv.output();
    S.Height = (S.Height - 1) / 2 + 1;
    S.Width = (S.Width - 1) / 2 + 1;
    Pooled = S;
    // From the third stage on dilation takes the place of the stride; the
    // first block of a stage still has the dilation of the stage before.
    const int Counts[4] = {3, 4, Depth == 101 ? 23 : 6, 3};
    const int Strides[4] = {1, 2, 1, 1}, Dilations[5] = {1, 1, 1, 2, 4};
    for (int Stage = 0; Stage < 4; ++Stage)
      for (int I = 0; I < Counts[Stage]; ++I)
        addBlock(S, 64 << Stage, I == 0 ? Strides[Stage] : 1,
                 Dilations[I == 0 ? Stage : Stage + 1], I == 0);
    add(Head, S, Filter{512, 3, 1, 1, 1});
    add(Classify, Head.Conv.output(), Filter{Classes, 1, 1, 0, 1});
    for (float *&devBuffer : devBuffers)
      CHECK(cudaMalloc(&devBuffer, Largest * sizeof(float)));
    if (WorkspaceBytes != 0)
      CHECK(cudaMalloc(&devWorkspace, WorkspaceBytes));
  }

  /// From the normalized picture, in input(), to \p devScores, one plane of
  /// the size of the picture per class.
  void run(float *devScores, int Height, int Width) {
    float *devX = devBuffers[0], *devA = devBuffers[1], *devB = devBuffers[2];
    float *devOther = devBuffers[3];
    First.run(Handle, devX, devA, nullptr, true, devWorkspace);
    const Shape &F = First.Conv.output();
    maxPool<<<blocks(Pooled.count()), 256>>>(
        devA, devX, F.Channels, F.Height, F.Width, Pooled.Height, Pooled.Width);
    for (const Bottleneck &B : Blocks) {
      const float *devShortcut = devX;
      B.Reduce.run(Handle, devX, devA, nullptr, true, devWorkspace);
      B.Middle.run(Handle, devA, devB, nullptr, true, devWorkspace);
      if (B.Projects) {
        B.Project.run(Handle, devX, devA, nullptr, false, devWorkspace);
        devShortcut = devA;
      }
      B.Expand.run(Handle, devB, devOther, devShortcut, true, devWorkspace);
      std::swap(devX, devOther);
    }
    Head.run(Handle, devX, devA, nullptr, true, devWorkspace);
    Classify.run(Handle, devA, devB, nullptr, false, devWorkspace);
    const Shape &S = Classify.Conv.output();
    upsample<<<blocks(static_cast<size_t>(Classes) * Height * Width), 256>>>(
        devB, devScores, S.Height, S.Width, Height, Width);
    CHECK(cudaGetLastError());
  }

  float *input() const { return devBuffers[0]; }

  void destroy() {
    remove(First);
    remove(Head);
    remove(Classify);
    for (Bottleneck &B : Blocks) {
      remove(B.Reduce);
      remove(B.Middle);
      remove(B.Expand);
      if (B.Projects)
        remove(B.Project);
    }
    for (float *devBuffer : devBuffers)
      CHECK(cudaFree(devBuffer));
    CHECK(cudaFree(devWorkspace));
    CHECK(cudnnDestroy(Handle));
  }

private:
  void note(const Shape &S) { Largest = std::max(Largest, S.count()); }

  void add(Layer &L, const Shape &In, const Filter &F) {
    L.Conv.create(Handle, In, F, ++Seed);
    L.devBias = bench::generated(static_cast<size_t>(F.Channels), ++Seed, 0.1f);
    WorkspaceBytes = std::max(WorkspaceBytes, L.Conv.workspace());
    note(L.Conv.output());
  }

  void addBlock(Shape &S, int Width, int Stride, int Dilation, bool Projects) {
    Blocks.emplace_back();
    Bottleneck &B = Blocks.back();
    B.Projects = Projects;
    add(B.Reduce, S, Filter{Width, 1, 1, 0, 1});
    add(B.Middle, B.Reduce.Conv.output(),
        Filter{Width, 3, Stride, Dilation, Dilation});
    if (Projects)
      add(B.Project, S, Filter{4 * Width, 1, Stride, 0, 1});
    add(B.Expand, B.Middle.Conv.output(), Filter{4 * Width, 1, 1, 0, 1});
    S = B.Expand.Conv.output();
  }

  static void remove(Layer &L) {
    L.Conv.destroy();
    CHECK(cudaFree(L.devBias));
  }

  cudnnHandle_t Handle = nullptr;
  Layer First, Head, Classify;
  std::vector<Bottleneck> Blocks;
  Shape Pooled;
  float *devBuffers[4] = {nullptr, nullptr, nullptr, nullptr};
  void *devWorkspace = nullptr;
  size_t Largest = 0, WorkspaceBytes = 0;
  unsigned Seed = 0;
};

#endif
