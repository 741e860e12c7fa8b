//===- fft.cu - OFDM frames: inverse and forward FFT, batched ---*- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every frame maps random QPSK symbols onto carriers, turns them into a time
// signal (inverse FFT), passes a flat channel, and goes back (forward FFT). The
// host compares what it received with what it sent. One block transforms one
// OFDM symbol in shared memory. Both pairs can share storage: the sent symbols
// are read by the kernel, never overwritten.
//
//===----------------------------------------------------------------------===//
#include "example.h"
#include <cmath>

constexpr int Length = 1024; ///< carriers per symbol, a power of four
constexpr int Threads = Length / 4;

__device__ float2 multiply(float2 A, float2 B) {
  return make_float2(A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x);
}
__device__ float2 add(float2 A, float2 B) {
  return make_float2(A.x + B.x, A.y + B.y);
}
__device__ float2 subtract(float2 A, float2 B) {
  return make_float2(A.x - B.x, A.y - B.y);
}

/// One radix-4 Stockham transform per block. Sign -1: forward, +1: inverse.
__global__ void transform(const float2 *In, float2 *Out, float Sign,
                          float Scale) {
  __shared__ float2 Work[2][Length];
  const int T = threadIdx.x;
  const float2 *Symbol = In + static_cast<size_t>(blockIdx.x) * Length;
  for (int I = T; I < Length; I += Threads)
    Work[0][I] = Symbol[I];
  __syncthreads();

  int From = 0;
  for (int Span = 1; Span < Length; Span *= 4) {
    const int K = T % Span;
    const float Angle = Sign * 6.283185307f * K / (Span * 4);
    float2 V[4];
    for (int R = 0; R < 4; ++R) {
      float Sine, Cosine;
      sincosf(Angle * R, &Sine, &Cosine);
      V[R] = multiply(Work[From][T + R * Threads], make_float2(Cosine, Sine));
    }
    const float2 Even = add(V[0], V[2]), EvenMinus = subtract(V[0], V[2]);
    const float2 Odd = add(V[1], V[3]), Minus = subtract(V[1], V[3]);
    const float2 OddMinus = make_float2(-Sign * Minus.y, Sign * Minus.x);
    const int To = (T - K) * 4 + K;
    Work[1 - From][To] = add(Even, Odd);
    Work[1 - From][To + Span] = add(EvenMinus, OddMinus);
    Work[1 - From][To + 2 * Span] = subtract(Even, Odd);
    Work[1 - From][To + 3 * Span] = subtract(EvenMinus, OddMinus);
    From = 1 - From;
    __syncthreads();
  }
  float2 *Result = Out + static_cast<size_t>(blockIdx.x) * Length;
  for (int I = T; I < Length; I += Threads)
    Result[I] = make_float2(Work[From][I].x * Scale, Work[From][I].y * Scale);
}

/// A flat channel: every sample is turned by a fixed phase and halved.
__global__ void channel(float2 *Signal, int Count) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Signal[I] = multiply(Signal[I], make_float2(0.4f, 0.3f));
}

static inline void check(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "fft: %s: %s\n", What, cudaGetErrorString(Status));
  std::exit(2);
}

static void mapSymbols(float2 *Symbols, int Count, unsigned Seed) {
  Random R(Seed);
  for (int I = 0; I < Count; ++I) {
    unsigned Bits = R.next() >> 13;
    Symbols[I] = make_float2(Bits & 1 ? 1.0f : -1.0f, Bits & 2 ? 1.0f : -1.0f);
  }
}

/// Undoes the channel and counts the bits that arrived wrong.
static int countBitErrors(const float2 *Sent, const float2 *Got, int Count) {
  int Errors = 0;
  for (int I = 0; I < Count; ++I) {
    float Re = Got[I].x * 0.4f + Got[I].y * 0.3f;
    float Im = Got[I].y * 0.4f - Got[I].x * 0.3f;
    Errors += (Re > 0) != (Sent[I].x > 0);
    Errors += (Im > 0) != (Sent[I].y > 0);
  }
  return Errors;
}

int main(int Argc, char **Argv) {
  Arguments Args = parseArguments(Argc, Argv, "[symbols per frame] [frames]");
  const int Batch = argument(Args, 0, 512);
  const int Frames = argument(Args, 1, 8);
  const int Count = Batch * Length;
  const size_t Bytes = static_cast<size_t>(Count) * sizeof(float2);

  float2 *devTime;
  check(cudaMalloc(&devTime, Bytes), "cudaMalloc of the time signal");
#ifdef ECHO_HAND_MERGED
  float2 *sent, *received;
  check(cudaMallocManaged(&sent, Bytes), "cudaMallocManaged");
  check(cudaMallocManaged(&received, Bytes), "cudaMallocManaged");
  float2 *devSent = sent, *devReceived = received;
#else
  float2 *sent = static_cast<float2 *>(std::malloc(Bytes));
  float2 *received = static_cast<float2 *>(std::malloc(Bytes));
  if (sent == nullptr || received == nullptr)
    return 2;
  float2 *devSent, *devReceived;
  check(cudaMalloc(&devSent, Bytes), "cudaMalloc of the sent symbols");
  check(cudaMalloc(&devReceived, Bytes), "cudaMalloc of the received symbols");
#endif

  Timer Clock;
  int Errors = 0;
  double Checksum = 0;
  for (int Frame = 0; Frame < Frames; ++Frame) {
    mapSymbols(sent, Count, 1 + Frame);
#ifndef ECHO_HAND_MERGED
    check(cudaMemcpy(devSent, sent, Bytes, cudaMemcpyHostToDevice), "upload");
#endif
    transform<<<Batch, Threads>>>(devSent, devTime, 1.0f, 1.0f);
    channel<<<(Count + 255) / 256, 256>>>(devTime, Count);
    transform<<<Batch, Threads>>>(devTime, devReceived, -1.0f, 1.0f / Length);
    check(cudaGetLastError(), "launch");
#ifdef ECHO_HAND_MERGED
    check(cudaDeviceSynchronize(), "synchronize");
#else
    check(cudaMemcpy(received, devReceived, Bytes, cudaMemcpyDeviceToHost),
          "download");
#endif
    Errors += countBitErrors(sent, received, Count);
    for (int I = 0; I < Count; I += 101)
      Checksum += std::fabs(received[I].x) + std::fabs(received[I].y);
  }
  Clock.print(Args);
  std::printf("fft: %d frames of %d symbols, %d bit errors\n", Frames, Batch,
              Errors);

  cudaFree(devTime);
  cudaFree(devSent);
  cudaFree(devReceived);
#ifndef ECHO_HAND_MERGED
  std::free(sent);
  std::free(received);
#endif
  return finish("fft", Errors == 0, Checksum);
}
