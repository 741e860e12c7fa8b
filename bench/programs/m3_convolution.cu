//===- m3_convolution.cu - M3: ResNet-50's first layer by cuDNN -*- CUDA
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64 filters of 7x7 with stride 2 over a batch of pictures with three channels.
// The host changes the pictures and looks at the result in every iteration.
// Both pairs can share storage. -DBATCH and -DSIDE choose other sizes.
//
//===----------------------------------------------------------------------===//
#include "convolution.h"

#ifndef BATCH
#define BATCH 8
#endif
#ifndef SIDE
#define SIDE 224
#endif

constexpr Shape In{BATCH, 3, SIDE, SIDE};
constexpr Shape Out{BATCH, 64, (SIDE - 1) / 2 + 1, (SIDE - 1) / 2 + 1};
constexpr size_t InBytes = In.count() * sizeof(float);
constexpr size_t OutBytes = Out.count() * sizeof(float);

int main(int Argc, char **Argv) {
  const bench::Options O = bench::parseOptions(Argc, Argv, "");

  cudnnHandle_t Handle;
  CHECK(cudnnCreate(&Handle));
  Convolution Layer;
  Layer.create(Handle, In, Filter{64, 7, 2, 3, 1}, 1);
  if (Layer.output().count() != Out.count())
    bench::fail(__FILE__, __LINE__, "the shape of the result", 1);
  void *devWorkspace = nullptr;
  if (Layer.workspace() != 0)
    CHECK(cudaMalloc(&devWorkspace, Layer.workspace()));

  PAIR(pictures, devPictures, InBytes);
  PAIR(features, devFeatures, OutBytes);
  bench::fill(pictures, In.count());

  bench::Recorder Record(O);
  const auto Convolve = [&] {
    UPLOAD(devPictures, pictures, InBytes);
    Layer.run(Handle, devPictures, devFeatures, devWorkspace);
    DOWNLOAD(features, devFeatures, OutBytes);
  };
  const double Checksum =
      bench::loop(Record, pictures, In.count(), Convolve,
                  [&] { return bench::touchOutput(features, Out.count()); });

  FREE_PAIR(pictures, devPictures);
  FREE_PAIR(features, devFeatures);
  CHECK(cudaFree(devWorkspace));
  Layer.destroy();
  CHECK(cudnnDestroy(Handle));
  return Record.finish("M3", Checksum, InBytes + OutBytes);
}
