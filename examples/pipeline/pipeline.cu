//===- pipeline.cu - Camera frames: grey, blur, Sobel, histogram *- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame pipeline as in camera software: a class owns the buffers, process()
// uploads a colour frame, runs four kernels and downloads the edge image and its
// histogram. Both image pairs can share storage; the histogram is too small to
// be worth it.
//
//===----------------------------------------------------------------------===//
#include "example.h"

constexpr int Bins = 256;

__global__ void greyscale(const unsigned char *Rgb, unsigned char *Grey,
                          int Pixels) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Pixels)
    return;
  const unsigned char *P = Rgb + 3 * static_cast<size_t>(I);
  Grey[I] = static_cast<unsigned char>((77 * P[0] + 151 * P[1] + 28 * P[2]) >> 8);
}

__device__ int clampTo(int Value, int Limit) {
  return Value < 0 ? 0 : (Value >= Limit ? Limit - 1 : Value);
}

__global__ void blur(const unsigned char *In, unsigned char *Out, int Width,
                     int Height) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int Kernel[3] = {1, 2, 1};
  int Sum = 0;
  for (int J = -1; J <= 1; ++J)
    for (int I = -1; I <= 1; ++I)
      Sum += Kernel[J + 1] * Kernel[I + 1] *
             In[clampTo(Y + J, Height) * Width + clampTo(X + I, Width)];
  Out[Y * Width + X] = static_cast<unsigned char>(Sum / 16);
}

__global__ void sobel(const unsigned char *In, unsigned char *Out, int Width,
                      int Height) {
  const int X = blockIdx.x * blockDim.x + threadIdx.x;
  const int Y = blockIdx.y * blockDim.y + threadIdx.y;
  if (X >= Width || Y >= Height)
    return;
  const int L = clampTo(X - 1, Width), R = clampTo(X + 1, Width);
  const int U = clampTo(Y - 1, Height) * Width, M = Y * Width;
  const int D = clampTo(Y + 1, Height) * Width;
  const int Gx = In[U + R] + 2 * In[M + R] + In[D + R] - In[U + L] -
                 2 * In[M + L] - In[D + L];
  const int Gy = In[D + L] + 2 * In[D + X] + In[D + R] - In[U + L] -
                 2 * In[U + X] - In[U + R];
  const int Sum = abs(Gx) + abs(Gy);
  Out[M + X] = static_cast<unsigned char>(Sum > 255 ? 255 : Sum);
}

__global__ void histogram(const unsigned char *In, unsigned *Counts,
                          int Pixels) {
  __shared__ unsigned Local[Bins];
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    Local[I] = 0;
  __syncthreads();
  const int Step = gridDim.x * blockDim.x;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Pixels; I += Step)
    atomicAdd(&Local[In[I]], 1u);
  __syncthreads();
  for (int I = threadIdx.x; I < Bins; I += blockDim.x)
    if (Local[I] != 0)
      atomicAdd(&Counts[I], Local[I]);
}

/// Owns the buffers of one camera and processes its frames.
class EdgePipeline {
public:
  void init(int FrameWidth, int FrameHeight) {
    Width = FrameWidth;
    Height = FrameHeight;
    Pixels = static_cast<size_t>(Width) * Height;
#ifdef ECHO_HAND_MERGED
    CHECK(cudaMallocManaged(&frame, 3 * Pixels));
    CHECK(cudaMallocManaged(&edges, Pixels));
    devFrame = frame;
    devEdges = edges;
#else
    frame = static_cast<unsigned char *>(std::malloc(3 * Pixels));
    edges = static_cast<unsigned char *>(std::malloc(Pixels));
    if (!frame || !edges) {
      std::fprintf(stderr, "pipeline: out of memory\n");
      std::exit(2);
    }
    CHECK(cudaMalloc(&devFrame, 3 * Pixels));
    CHECK(cudaMalloc(&devEdges, Pixels));
#endif
    counts = new unsigned[Bins];
    CHECK(cudaMalloc(&devGrey, Pixels));
    CHECK(cudaMalloc(&devBlurred, Pixels));
    CHECK(cudaMalloc(&devCounts, Bins * sizeof(unsigned)));
  }

  /// A test picture: gradients with a disc that moves from frame to frame.
  void capture(int Number) {
    const int Cx = (Number * 37) % Width, Cy = (Number * 23) % Height;
    const int Radius = Height / 5;
    for (int Y = 0; Y < Height; ++Y)
      for (int X = 0; X < Width; ++X) {
        unsigned char *P = frame + 3 * (static_cast<size_t>(Y) * Width + X);
        const int Dx = X - Cx, Dy = Y - Cy;
        const bool Inside = Dx * Dx + Dy * Dy < Radius * Radius;
        P[0] = static_cast<unsigned char>(Inside ? 230 : X + Number);
        P[1] = static_cast<unsigned char>(Inside ? 40 : Y);
        P[2] = static_cast<unsigned char>(Inside ? 60 : (X + Y) >> 2);
      }
  }

  void process() {
    const int Count = static_cast<int>(Pixels);
    const dim3 Block(64, 4), Grid((Width + 63) / 64, (Height + 3) / 4);
#ifndef ECHO_HAND_MERGED
    CHECK(cudaMemcpy(devFrame, frame, 3 * Pixels, cudaMemcpyHostToDevice));
#endif
    CHECK(cudaMemset(devCounts, 0, Bins * sizeof(unsigned)));
    greyscale<<<(Count + 255) / 256, 256>>>(devFrame, devGrey, Count);
    blur<<<Grid, Block>>>(devGrey, devBlurred, Width, Height);
    sobel<<<Grid, Block>>>(devBlurred, devEdges, Width, Height);
    histogram<<<64, 256>>>(devEdges, devCounts, Count);
    CHECK(cudaGetLastError());
#ifdef ECHO_HAND_MERGED
    CHECK(cudaDeviceSynchronize());
#else
    CHECK(cudaMemcpy(edges, devEdges, Pixels, cudaMemcpyDeviceToHost));
#endif
    CHECK(cudaMemcpy(counts, devCounts, Bins * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));
  }

  /// The histogram must count exactly the pixels of the edge image.
  bool histogramIsRight() const {
    unsigned Want[Bins] = {};
    for (size_t I = 0; I < Pixels; ++I)
      ++Want[edges[I]];
    return std::memcmp(Want, counts, sizeof(Want)) == 0;
  }

  /// Mean strength of the edges in the downloaded image.
  double strength() const {
    double Sum = 0;
    for (int I = 0; I < Bins; ++I)
      Sum += static_cast<double>(I) * counts[I];
    return Sum / static_cast<double>(Pixels);
  }

  void free() {
    CHECK(cudaFree(devFrame));
    CHECK(cudaFree(devGrey));
    CHECK(cudaFree(devBlurred));
    CHECK(cudaFree(devEdges));
    CHECK(cudaFree(devCounts));
    delete[] counts;
#ifndef ECHO_HAND_MERGED
    std::free(frame);
    std::free(edges);
#endif
  }

private:
  int Width = 0, Height = 0;
  size_t Pixels = 0;
  unsigned char *frame = nullptr, *edges = nullptr;
  unsigned char *devFrame = nullptr, *devGrey = nullptr, *devBlurred = nullptr;
  unsigned char *devEdges = nullptr;
  unsigned *devCounts = nullptr;
  unsigned *counts = nullptr;
};

int main(int Argc, char **Argv) {
  Arguments Args = parseArguments(Argc, Argv, "[width] [height] [frames]");
  const int Width = argument(Args, 0, 1920), Height = argument(Args, 1, 1080);
  const int Frames = argument(Args, 2, 12);
  if (Width < 16 || Height < 16 || Width > 16384 || Height > 16384) {
    std::fprintf(stderr, "pipeline: width and height must be 16 to 16384\n");
    return 2;
  }

  EdgePipeline Camera;
  Camera.init(Width, Height);
  Timer Clock;
  bool Good = true;
  double Checksum = 0;
  for (int Frame = 0; Frame < Frames; ++Frame) {
    Camera.capture(Frame);
    Camera.process();
    Good = Good && Camera.histogramIsRight();
    Checksum += Camera.strength();
  }
  Clock.print(Args);
  Camera.free();
  return finish("pipeline", Good, Checksum);
}
