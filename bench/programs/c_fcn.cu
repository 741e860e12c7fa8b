//===- c_fcn.cu - C1, C2: segmentation by FCN-ResNet50 and 101 --*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture goes up, is normalized and segmented, the scores of all classes
// come down in the picture's size, and the host takes the best class at some
// places. -DDEPTH=50 or 101, -DSIDE for other pictures. Both pairs, picture and
// scores, can share storage; with -DHAND=managed it is NC, in which there is
// nothing to find.
//
//===----------------------------------------------------------------------===//
#include "fcn_resnet.h"

#ifndef DEPTH
#define DEPTH 50
#endif
#ifndef SIDE
#define SIDE 520
#endif

constexpr size_t Plane = static_cast<size_t>(SIDE) * SIDE;
constexpr size_t ImageBytes = 3 * Plane * sizeof(float);
constexpr size_t ScoreBytes = Classes * Plane * sizeof(float);

/// The class with the best score at \p Places places, added up, and the scores.
static double bestClasses(const float *Scores) {
  const size_t Step = Plane < bench::Places ? 1 : Plane / bench::Places;
  double Sum = 0;
  for (size_t I = 0; I < Plane; I += Step) {
    int Best = 0;
    for (int C = 1; C < Classes; ++C)
      if (Scores[C * Plane + I] > Scores[Best * Plane + I])
        Best = C;
    Sum += std::fabs(static_cast<double>(Scores[Best * Plane + I]));
  }
  return Sum;
}

int main(int Argc, char **Argv) {
  const bench::Options O = bench::parseOptions(Argc, Argv, "[height] [width]");
  PAIR(image, devImage, ImageBytes);
  PAIR(scores, devScores, ScoreBytes);
  FcnResNet Net;
  Net.create(DEPTH, SIDE, SIDE);
  bench::fill(image, 3 * Plane);

  bench::Recorder Record(O);
  const auto Segment = [&] {
    UPLOAD(devImage, image, ImageBytes);
    normalize<<<blocks(3 * Plane), 256>>>(devImage, Net.input(),
                                          static_cast<int>(Plane));
    Net.run(devScores, SIDE, SIDE);
    DOWNLOAD(scores, devScores, ScoreBytes);
  };
  const double Checksum = bench::loop(Record, image, 3 * Plane, Segment,
                                      [&] { return bestClasses(scores); });

  Net.destroy();
  FREE_PAIR(image, devImage);
  FREE_PAIR(scores, devScores);
  return Record.finish("C", Checksum, ImageBytes + ScoreBytes);
}
