//===- video.h - A generated video, and host code on its frames -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frames with objects that move over a still background, and the host's part
// of a pipeline before its network: cut out, resize, and spread the channels.
// No CUDA here, and nothing that depends on the time.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_VIDEO_H
#define ECHO_BENCH_VIDEO_H

#include <algorithm>
#include <cstring>
#include <vector>

/// A rectangle of a frame, in pixels.
struct Box {
  int X, Y, Width, Height;
};

/// A frame: blue, green and red bytes of each pixel, row by row.
class Video {
public:
  Video(int W, int H, int Objects)
      : Width(W), Height(H), Background(size_t(3) * W * H),
        Frame(Background.size()), Boxes(static_cast<size_t>(Objects)) {
    unsigned State = 2463534242u;
    for (size_t I = 0; I < Background.size(); ++I) {
      State = State * 1664525u + 1013904223u;
      Background[I] = static_cast<unsigned char>(I / 3 % W / 8 + (State >> 27));
    }
  }

  /// Draws frame \p Number.
  void draw(int Number) {
    std::memcpy(Frame.data(), Background.data(), Frame.size());
    for (size_t I = 0; I < Boxes.size(); ++I) {
      const int Object = static_cast<int>(I);
      Box &B = Boxes[I];
      B.Width = Width / 24 + Object * 5 % (Width / 24);
      B.Height = 2 * B.Width;
      B.X = (Object * 97 + Number * (Object % 7 - 3) + 16 * Width) %
            (Width - B.Width);
      B.Y = (Object * 61 + Number * (Object % 3 - 1) + 16 * Height) %
            (Height - B.Height);
      for (int Y = 0; Y < B.Height; ++Y)
        for (int X = 0; X < 3 * B.Width; ++X)
          at(B.X, B.Y + Y)[X] =
              static_cast<unsigned char>(Object * 83 + X * 3 + Y * (X % 3 + 1));
    }
  }

  /// Where the objects of the frame are.
  const std::vector<Box> &boxes() const { return Boxes; }
  Box whole() const { return {0, 0, Width, Height}; }

  /// Writes rectangle \p B in \p OutWidth x \p OutHeight pixels, interpolated,
  /// as planes red, green and blue of \p Plane values from 0 to 1; a row is
  /// \p Pitch values.
  void resize(const Box &B, float *Out, int OutWidth, int OutHeight, int Pitch,
              size_t Plane) const {
    for (int Y = 0; Y < OutHeight; ++Y) {
      const Place V(Y, OutHeight, B.Height);
      const unsigned char *Top = at(B.X, B.Y + V.First);
      const unsigned char *Low = at(B.X, B.Y + V.Second);
      float *Row = Out + static_cast<size_t>(Y) * Pitch;
      for (int X = 0; X < OutWidth; ++X) {
        const Place H(X, OutWidth, B.Width);
        for (int Channel = 0; Channel < 3; ++Channel) {
          const int L = 3 * H.First + Channel, R = 3 * H.Second + Channel;
          const float Upper = Top[L] * (1 - H.Weight) + Top[R] * H.Weight;
          const float Lower = Low[L] * (1 - H.Weight) + Low[R] * H.Weight;
          Row[(2 - Channel) * Plane + X] =
              (Upper * (1 - V.Weight) + Lower * V.Weight) / 255;
        }
      }
    }
  }

private:
  /// Between which two pixels of \p In a pixel of \p Out lies.
  struct Place {
    Place(int I, int Out, int In) {
      const float At = std::max((I + 0.5f) * In / Out - 0.5f, 0.0f);
      First = std::min(static_cast<int>(At), In - 1);
      Second = std::min(First + 1, In - 1);
      Weight = At - First;
    }
    int First, Second;
    float Weight;
  };

  const unsigned char *at(int X, int Y) const {
    return &Frame[3 * (static_cast<size_t>(Y) * Width + X)];
  }
  unsigned char *at(int X, int Y) {
    return &Frame[3 * (static_cast<size_t>(Y) * Width + X)];
  }

  int Width, Height;
  std::vector<unsigned char> Background, Frame;
  std::vector<Box> Boxes;
};

#endif
