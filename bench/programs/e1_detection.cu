//===- e1_detection.cu - E1: object detection on a video --------*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four frames of a video are letterboxed on the host and go up; ResNet-50 with
// a dense head at three strides predicts boxes, as YOLO's networks do (three
// anchors, 80 classes); all predictions come down, and the host keeps the best
// ones that do not overlap. Both pairs, pictures and predictions, can share
// storage. -DBATCH and -DSIDE (a multiple of 32) choose other sizes.
//
//===----------------------------------------------------------------------===//
#include "resnet.h"
#include "video.h"
#include <tuple>

#ifndef BATCH
#define BATCH 4
#endif
#ifndef SIDE
#define SIDE 640
#endif

constexpr int Anchors = 3, Values = 85; // x, y, width, height, object, classes
constexpr int Strides[3] = {8, 16, 32};
constexpr size_t Plane = static_cast<size_t>(SIDE) * SIDE;
constexpr size_t Rows = Anchors * (Plane / 64 + Plane / 256 + Plane / 1024);
constexpr size_t PictureBytes = BATCH * 3 * Plane * sizeof(float);
constexpr size_t PredictionBytes = BATCH * Rows * Values * sizeof(float);

/// What one head gives, Anchors * Values planes, as rows of Values from
/// \p FirstRow on: boxes in pixels of the picture, the rest between 0 and 1.
static __global__ void decode(const float *Head, float *Predictions, int Width,
                              int Stride, int FirstRow, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  const int Cells = Width * Width, Cell = I % Cells;
  const int Value = I / Cells % Values, Anchor = I / Cells / Values % Anchors;
  const int Picture = I / Cells / Values / Anchors;
  float Result = 1 / (1 + expf(-Head[I]));
  if (Value == 0)
    Result = (Result * 2 - 0.5f + Cell % Width) * Stride;
  else if (Value == 1)
    Result = (Result * 2 - 0.5f + Cell / Width) * Stride;
  else if (Value < 4)
    Result = 4 * Result * Result * Stride * (Anchor + 1);
  const size_t Row = Picture * Rows + FirstRow + Anchor * Cells + Cell;
  Predictions[Row * Values + Value] = Result;
}

/// A box that may be kept.
struct Candidate {
  float Score, Left, Top, Right, Bottom;
  int Class;
};

/// The overlap of two boxes by what they cover together.
static float overlap(const Candidate &A, const Candidate &B) {
  const float Width = std::min(A.Right, B.Right) - std::max(A.Left, B.Left);
  const float Height = std::min(A.Bottom, B.Bottom) - std::max(A.Top, B.Top);
  if (Width <= 0 || Height <= 0)
    return 0;
  const float Both = Width * Height;
  return Both / ((A.Right - A.Left) * (A.Bottom - A.Top) +
                 (B.Right - B.Left) * (B.Bottom - B.Top) - Both);
}

/// The candidates of one picture with the best scores, best first.
static std::vector<Candidate> candidates(const float *Predictions) {
  constexpr size_t Most = 300;
  std::vector<Candidate> Found;
  for (size_t Row = 0; Row < Rows; ++Row) {
    const float *P = Predictions + Row * Values;
    if (P[4] < 0.5f)
      continue;
    const float *Best = std::max_element(P + 5, P + Values);
    Found.push_back({P[4] * *Best, P[0] - P[2] / 2, P[1] - P[3] / 2,
                     P[0] + P[2] / 2, P[1] + P[3] / 2,
                     static_cast<int>(Best - P)});
  }
  std::sort(Found.begin(), Found.end(),
            [](const Candidate &A, const Candidate &B) {
              return std::tie(B.Score, A.Class, A.Left, A.Top) <
                     std::tie(A.Score, B.Class, B.Left, B.Top);
            });
  Found.resize(std::min(Found.size(), Most));
  return Found;
}

/// What is kept of all pictures, added up.
static double suppress(const float *Predictions) {
  double Sum = 0;
  for (int Picture = 0; Picture < BATCH; ++Picture) {
    std::vector<Candidate> Kept;
    for (const Candidate &C :
         candidates(Predictions + Picture * Rows * Values)) {
      const bool Covered =
          std::any_of(Kept.begin(), Kept.end(), [&](const Candidate &K) {
            return K.Class == C.Class && overlap(K, C) > 0.45f;
          });
      if (Covered)
        continue;
      Kept.push_back(C);
      Sum += C.Score + C.Class + std::fabs(C.Left) / SIDE;
    }
  }
  return Sum;
}

/// The network: a head of one convolution at each of the last three stages.
class Detector {
public:
  void create() {
    Net.open();
    Backbone.create(
        Net, Shape{BATCH, 3, SIDE, SIDE},
        Trunk{Filter{64, 7, 2, 3, 1}, {3, 4, 6, 3}, true, false});
    for (int I = 0; I < 3; ++I)
      Heads[I] = &Net.add(Backbone.output(I + 1),
                          Filter{Anchors * Values, 1, 1, 0, 1});
    Net.allocate();
  }

  void run(const float *devPictures, float *devPredictions) const {
    int FirstRow = 0;
    Backbone.run(devPictures, [&](int Stage, const float *devX, float *devA,
                                  float *) {
      if (Stage == 0)
        return;
      const Layer &Head = *Heads[Stage - 1];
      const Shape &S = Head.Conv.output();
      Net.run(Head, devX, devA, nullptr, false);
      decode<<<blocks(S.count()), 256>>>(devA, devPredictions, S.Width,
                                         Strides[Stage - 1], FirstRow,
                                         static_cast<int>(S.count()));
      FirstRow += Anchors * S.Width * S.Height;
    });
    CHECK(cudaGetLastError());
  }

  void destroy() { Net.destroy(); }

private:
  Network Net;
  ResNet Backbone;
  const Layer *Heads[3] = {nullptr, nullptr, nullptr};
};

int main(int Argc, char **Argv) {
  const bench::Options O = bench::parseOptions(Argc, Argv, "");
  PAIR(pictures, devPictures, PictureBytes);
  PAIR(predictions, devPredictions, PredictionBytes);
  Detector Net;
  Net.create();
  Video Frames(2 * SIDE, SIDE * 9 / 8, 12);
  for (size_t I = 0; I < BATCH * 3 * Plane; ++I)
    pictures[I] = 114.0f / 255; // what letterboxing leaves at the edges

  bench::Recorder Record(O);
  const auto Letterbox = [&](int Round) {
    constexpr int Height = SIDE * 9 / 16, Edge = (SIDE - Height) / 2;
    for (int I = 0; I < BATCH; ++I) {
      Frames.draw(Round * BATCH + I);
      Frames.resize(Frames.whole(), pictures + I * 3 * Plane + Edge * SIDE,
                    SIDE, Height, SIDE, Plane);
    }
  };
  const auto Detect = [&] {
    UPLOAD(devPictures, pictures, PictureBytes);
    Net.run(devPictures, devPredictions);
    DOWNLOAD(predictions, devPredictions, PredictionBytes);
  };
  const double Checksum = bench::loop(Record, Letterbox, Detect,
                                      [&] { return suppress(predictions); });

  Net.destroy();
  FREE_PAIR(pictures, devPictures);
  FREE_PAIR(predictions, devPredictions);
  return Record.finish("E1", Checksum, PictureBytes + PredictionBytes);
}
