//===- resnet.h - The layers of ResNet up to its head -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ResNet of basic blocks (two convolutions) or bottlenecks (three), whose last
// stages may be dilated instead of strided, as networks for segmentation do.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_RESNET_H
#define ECHO_BENCH_RESNET_H

#include "layers.h"

/// Convolutions around which the input, or its projection, goes.
struct Block {
  std::vector<const Layer *> Steps;
  const Layer *Project = nullptr;
};

/// What makes one ResNet differ from another.
struct Trunk {
  Filter Stem;     ///< the first layer, before the pooling
  int Counts[4];   ///< blocks of each stage
  bool Bottleneck; ///< three convolutions in a block, or two
  bool Dilated;    ///< the last two stages keep the second one's size
};

class ResNet {
public:
  /// Adds the layers for inputs of shape \p S to \p Into.
  void create(Network &Into, Shape S, const Trunk &T) {
    Net = &Into;
    First = &Net->add(S, T.Stem);
    S = Pooled = pooled(First->Conv.output());
    int Dilation = 1;
    for (int Stage = 0; Stage < 4; ++Stage) {
      const bool Widens = T.Dilated && Stage >= 2;
      const int Stride = Stage == 0 || Widens ? 1 : 2;
      // The first block of a stage has the dilation of the stage before.
      for (int I = 0; I < T.Counts[Stage]; ++I) {
        addBlock(Stages[Stage], S, T, 64 << Stage, I == 0 ? Stride : 1,
                 Dilation);
        if (I == 0 && Widens)
          Dilation *= 2;
      }
      Outputs[Stage] = S;
    }
  }

  /// The shape of what stage \p Index, from 0 on, gives.
  const Shape &output(int Index) const { return Outputs[Index]; }

  /// Runs all stages on \p devPictures, which may be the network's buffer 0.
  /// After each calls \p After with the stage's index, its result and two free
  /// buffers.
  template <typename AfterFn>
  void run(const float *devPictures, AfterFn After) const {
    float *devX = Net->buffer(0), *devA = Net->buffer(1);
    float *devB = Net->buffer(2), *devOther = Net->buffer(3);
    Net->run(*First, devPictures, devA, nullptr, true);
    const Shape &F = First->Conv.output();
    maxPool<<<blocks(Pooled.count()), 256>>>(devA, devX, F.Batch * F.Channels,
                                             F.Height, F.Width, Pooled.Height,
                                             Pooled.Width);
    for (int Stage = 0; Stage < 4; ++Stage) {
      for (const Block &B : Stages[Stage]) {
        const float *devIn = devX;
        float *devOut = devA, *devFree = devB;
        for (size_t I = 0; I + 1 < B.Steps.size(); ++I) {
          Net->run(*B.Steps[I], devIn, devOut, nullptr, true);
          devIn = devOut;
          std::swap(devOut, devFree);
        }
        const float *devShortcut = devX;
        if (B.Project != nullptr) {
          Net->run(*B.Project, devX, devOut, nullptr, false);
          devShortcut = devOut;
        }
        Net->run(*B.Steps.back(), devIn, devOther, devShortcut, true);
        std::swap(devX, devOther);
      }
      After(Stage, static_cast<const float *>(devX), devA, devB);
    }
  }

private:
  void addBlock(std::vector<Block> &Blocks, Shape &S, const Trunk &T, int Width,
                int Stride, int Dilation) {
    Block B;
    const int Channels = T.Bottleneck ? 4 * Width : Width;
    const Filter Large{Width, 3, Stride, Dilation, Dilation};
    const auto Next = [&](const Filter &F) {
      const Shape In = B.Steps.empty() ? S : B.Steps.back()->Conv.output();
      B.Steps.push_back(&Net->add(In, F));
    };
    if (T.Bottleneck)
      Next(Filter{Width, 1, 1, 0, 1});
    Next(Large);
    if (Stride != 1 || Channels != S.Channels)
      B.Project = &Net->add(S, Filter{Channels, 1, Stride, 0, 1});
    if (T.Bottleneck)
      Next(Filter{Channels, 1, 1, 0, 1});
    else
      Next(Filter{Channels, 3, 1, 1, 1});
    S = B.Steps.back()->Conv.output();
    Blocks.push_back(std::move(B));
  }

  Network *Net = nullptr;
  const Layer *First = nullptr;
  std::vector<Block> Stages[4];
  Shape Pooled, Outputs[4];
};

#endif
