//===- e2_features.cu - E2: features for following objects ------*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a frame are cut out, resized to 64 x 128 and normalized on the
// host, and go up in one batch; a small ResNet, as DeepSORT has, gives 512
// features of each, which come down; the host assigns them to the objects that
// it knows by the cosine of their features. Both pairs, crops and features, can
// share storage. -DOBJECTS and -DSIDE (of the frame) choose other sizes.
//
//===----------------------------------------------------------------------===//
#include "resnet.h"
#include "video.h"

#ifndef OBJECTS
#define OBJECTS 64
#endif
#ifndef SIDE
#define SIDE 1280
#endif

constexpr int Width = 64, Height = 128, Features = 512;
constexpr size_t Plane = static_cast<size_t>(Width) * Height;
constexpr size_t CropBytes = OBJECTS * 3 * Plane * sizeof(float);
constexpr size_t FeatureBytes = OBJECTS * Features * sizeof(float);

/// The mean of each plane.
static __global__ void average(const float *In, float *Out, int Size,
                               int Planes) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Planes)
    return;
  float Sum = 0;
  for (int J = 0; J < Size; ++J)
    Sum += In[static_cast<size_t>(I) * Size + J];
  Out[I] = Sum / Size;
}

/// The network, up to the mean of its last planes.
class Extractor {
public:
  void create() {
    Net.open();
    Backbone.create(
        Net, Shape{OBJECTS, 3, Height, Width},
        Trunk{Filter{64, 3, 1, 1, 1}, {2, 2, 2, 2}, false, false});
    if (Backbone.output(3).Channels != Features)
      bench::fail(__FILE__, __LINE__, "the number of features", 1);
    Net.allocate();
  }

  void run(const float *devCrops, float *devFeatures) const {
    Backbone.run(devCrops, [&](int Stage, const float *devX, float *, float *) {
      if (Stage != 3)
        return;
      const Shape &S = Backbone.output(Stage);
      const int Planes = S.Batch * S.Channels;
      average<<<blocks(static_cast<size_t>(Planes)), 256>>>(
          devX, devFeatures, S.Height * S.Width, Planes);
    });
    CHECK(cudaGetLastError());
  }

  void destroy() { Net.destroy(); }

private:
  Network Net;
  ResNet Backbone;
};

/// The objects known so far, each by a vector of length 1.
class Gallery {
public:
  /// Assigns each object of a frame to the known one that is most like it and
  /// still free, and lets that one follow. Returns the distances' sum.
  double assign(const float *Found) {
    std::vector<bool> Taken(OBJECTS);
    double Sum = 0;
    for (int I = 0; I < OBJECTS; ++I) {
      const std::vector<float> One = unit(Found + size_t(I) * Features);
      if (Known.size() < OBJECTS) {
        Known.push_back(One);
        continue;
      }
      int Best = -1;
      float Cosine = -2;
      for (int J = 0; J < OBJECTS; ++J) {
        const float C = Taken[J] ? -2 : product(One, Known[J]);
        if (C > Cosine)
          Cosine = C, Best = J;
      }
      Taken[Best] = true;
      Sum += 1 - Cosine + Best * 1e-3;
      for (int F = 0; F < Features; ++F)
        Known[Best][F] = 0.9f * Known[Best][F] + 0.1f * One[F];
      Known[Best] = unit(Known[Best].data());
    }
    return Sum;
  }

private:
  static float product(const std::vector<float> &A,
                       const std::vector<float> &B) {
    float Sum = 0;
    for (int F = 0; F < Features; ++F)
      Sum += A[F] * B[F];
    return Sum;
  }

  static std::vector<float> unit(const float *Values) {
    std::vector<float> One(Values, Values + Features);
    const float Length = std::sqrt(product(One, One)) + 1e-12f;
    for (float &Value : One)
      Value /= Length;
    return One;
  }

  std::vector<std::vector<float>> Known;
};

int main(int Argc, char **Argv) {
  const bench::Options O = bench::parseOptions(Argc, Argv, "");
  PAIR(crops, devCrops, CropBytes);
  PAIR(features, devFeatures, FeatureBytes);
  Extractor Net;
  Net.create();
  Video Frames(SIDE, SIDE * 9 / 16, OBJECTS);
  Gallery Tracks;

  bench::Recorder Record(O);
  const auto CutOut = [&](int Round) {
    constexpr float Mean[3] = {0.485f, 0.456f, 0.406f};
    constexpr float Deviation[3] = {0.229f, 0.224f, 0.225f};
    Frames.draw(Round);
    for (size_t I = 0; I < OBJECTS; ++I) {
      float *Crop = crops + I * 3 * Plane;
      Frames.resize(Frames.boxes()[I], Crop, Width, Height, Width, Plane);
      for (size_t J = 0; J < 3 * Plane; ++J)
        Crop[J] = (Crop[J] - Mean[J / Plane]) / Deviation[J / Plane];
    }
  };
  const auto Extract = [&] {
    UPLOAD(devCrops, crops, CropBytes);
    Net.run(devCrops, devFeatures);
    DOWNLOAD(features, devFeatures, FeatureBytes);
  };
  const double Checksum = bench::loop(Record, CutOut, Extract,
                                      [&] { return Tracks.assign(features); });

  Net.destroy();
  FREE_PAIR(crops, devCrops);
  FREE_PAIR(features, devFeatures);
  return Record.finish("E2", Checksum, CropBytes + FeatureBytes);
}
