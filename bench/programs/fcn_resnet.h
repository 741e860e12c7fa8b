//===- fcn_resnet.h - FCN-ResNet50 and 101 for inference --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The segmentation network FCN with a dilated ResNet as backbone (output
// stride 8), upsampled to the picture's size. Its pair buffers are the
// caller's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_FCN_RESNET_H
#define ECHO_BENCH_FCN_RESNET_H

#include "resnet.h"

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

class FcnResNet {
public:
  /// \p Depth is 50 or 101. Side lengths below 32 leave nothing of the picture.
  void create(int Depth, int Height, int Width) {
    Net.open();
    Backbone.create(Net, Shape{1, 3, Height, Width},
                    Trunk{Filter{64, 7, 2, 3, 1},
                          {3, 4, Depth == 101 ? 23 : 6, 3},
                          true,
                          true});
    Head = &Net.add(Backbone.output(3), Filter{512, 3, 1, 1, 1});
    Classify = &Net.add(Head->Conv.output(), Filter{Classes, 1, 1, 0, 1});
    Net.allocate();
  }

  /// From the normalized picture, in input(), to \p devScores, one plane of
  /// the size of the picture per class.
  void run(float *devScores, int Height, int Width) const {
    Backbone.run(input(), [&](int Stage, const float *devX, float *devA,
                              float *devB) {
      if (Stage != 3)
        return;
      Net.run(*Head, devX, devA, nullptr, true);
      Net.run(*Classify, devA, devB, nullptr, false);
      const Shape &S = Classify->Conv.output();
      upsample<<<blocks(static_cast<size_t>(Classes) * Height * Width), 256>>>(
          devB, devScores, S.Height, S.Width, Height, Width);
    });
    CHECK(cudaGetLastError());
  }

  float *input() const { return Net.buffer(0); }

  void destroy() { Net.destroy(); }

private:
  Network Net;
  ResNet Backbone;
  const Layer *Head = nullptr, *Classify = nullptr;
};

#endif
