//===- nbody.cu - Stars in the field of a few heavy bodies ------*- CUDA -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A galaxy of light stars moves in the field of its heavy bodies, which are
// staged through shared memory. Positions and velocities are advanced in place
// over many steps; snapshots come home now and then. At the end the program
// measures how far the stars have come from where they started, so the start
// positions must survive: their pair is declined. The other pairs merge.
//
//===----------------------------------------------------------------------===//
#include "example.h"
#include <cmath>

constexpr int BlockSize = 128;
constexpr float Step = 0.01f;

__global__ void advance(float4 *Position, float4 *Velocity, int Stars,
                        int Heavy) {
  __shared__ float4 Staged[BlockSize];
  const int I = blockIdx.x * BlockSize + threadIdx.x;
  const bool Mine = I >= Heavy && I < Stars;
  const float4 P = Position[I < Stars ? I : 0];
  float Ax = 0, Ay = 0, Az = 0;
  for (int First = 0; First < Heavy; First += BlockSize) {
    const int J = First + threadIdx.x;
    Staged[threadIdx.x] = J < Heavy ? Position[J] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int K = 0; K < BlockSize; ++K) {
      const float Dx = Staged[K].x - P.x, Dy = Staged[K].y - P.y;
      const float Dz = Staged[K].z - P.z;
      const float Square = Dx * Dx + Dy * Dy + Dz * Dz + 0.01f;
      const float Inverse = 1.0f / sqrtf(Square);
      const float Pull = Staged[K].w * Inverse * Inverse * Inverse;
      Ax += Pull * Dx;
      Ay += Pull * Dy;
      Az += Pull * Dz;
    }
    __syncthreads();
  }
  if (!Mine)
    return;
  float4 V = Velocity[I];
  V.x += Ax * Step;
  V.y += Ay * Step;
  V.z += Az * Step;
  Velocity[I] = V;
  Position[I] = make_float4(P.x + V.x * Step, P.y + V.y * Step,
                            P.z + V.z * Step, P.w);
}

/// Stars on circles around the heavy core; the first \p Heavy bodies are it.
static void makeGalaxy(float4 *Position, float4 *Velocity, int Stars,
                       int Heavy) {
  Random R(42);
  for (int I = 0; I < Stars; ++I) {
    const bool InCore = I < Heavy;
    const float Radius = (InCore ? 0.2f : 4.0f) * (1.5f + R.uniform());
    const float Angle = 3.14159265f * R.uniform();
    const float Height = 0.1f * R.uniform();
    const float Speed = InCore ? 0.0f : std::sqrt(1.0f / Radius);
    Position[I] = make_float4(Radius * std::cos(Angle), Radius * std::sin(Angle),
                              Height, InCore ? 1.0f / Heavy : 0.0f);
    Velocity[I] = make_float4(-Speed * std::sin(Angle), Speed * std::cos(Angle),
                              0.0f, 0.0f);
  }
}

static double kineticEnergy(const float4 *Velocity, int Stars) {
  double Sum = 0;
  for (int I = 0; I < Stars; ++I)
    Sum += Velocity[I].x * Velocity[I].x + Velocity[I].y * Velocity[I].y +
           Velocity[I].z * Velocity[I].z;
  return 0.5 * Sum / Stars;
}

int main(int Argc, char **Argv) {
  Arguments Args =
      parseArguments(Argc, Argv, "[stars] [heavy bodies] [steps] [snapshots]");
  const int Stars = argument(Args, 0, 65536);
  const int Heavy = argument(Args, 1, 128);
  const int Steps = argument(Args, 2, 4);
  const int Snapshots = argument(Args, 3, 6);
  if (Heavy > Stars) {
    std::fprintf(stderr, "nbody: more heavy bodies than bodies\n");
    return 2;
  }
  const size_t Bytes = Stars * sizeof(float4);

  float4 *start = static_cast<float4 *>(std::malloc(Bytes));
  if (start == nullptr) {
    std::fprintf(stderr, "nbody: out of memory\n");
    return 2;
  }
  float4 *devPosition;
#ifdef ECHO_HAND_MERGED
  float4 *snapshot, *velocity;
  CHECK(cudaMallocManaged(&snapshot, Bytes));
  CHECK(cudaMallocManaged(&velocity, Bytes));
  devPosition = snapshot;
  float4 *devVelocity = velocity;
#else
  float4 *snapshot, *velocity, *devVelocity;
  CHECK(cudaMallocHost(&snapshot, Bytes));
  CHECK(cudaMallocHost(&velocity, Bytes));
  CHECK(cudaMalloc(&devPosition, Bytes));
  CHECK(cudaMalloc(&devVelocity, Bytes));
#endif

  Timer Clock;
  makeGalaxy(start, velocity, Stars, Heavy);
  CHECK(cudaMemcpy(devPosition, start, Bytes, cudaMemcpyHostToDevice));
#ifndef ECHO_HAND_MERGED
  CHECK(cudaMemcpy(devVelocity, velocity, Bytes, cudaMemcpyHostToDevice));
#endif

  const int Blocks = (Stars + BlockSize - 1) / BlockSize;
  double Checksum = 0;
  for (int Shot = 0; Shot < Snapshots; ++Shot) {
    for (int I = 0; I < Steps; ++I)
      advance<<<Blocks, BlockSize>>>(devPosition, devVelocity, Stars, Heavy);
    CHECK(cudaGetLastError());
#ifdef ECHO_HAND_MERGED
    CHECK(cudaDeviceSynchronize());
#else
    CHECK(cudaMemcpy(snapshot, devPosition, Bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(velocity, devVelocity, Bytes, cudaMemcpyDeviceToHost));
#endif
    Checksum += kineticEnergy(velocity, Stars);
  }

  double Moved = 0;
  for (int I = Heavy; I < Stars; ++I)
    Moved += std::hypot(snapshot[I].x - start[I].x, snapshot[I].y - start[I].y);
  Moved /= Stars - Heavy + 1;
  Clock.print(Args);
  std::printf("nbody: stars moved %.4f on average\n", Moved);

  std::free(start);
  CHECK(cudaFree(devPosition));
  CHECK(cudaFree(devVelocity));
#ifndef ECHO_HAND_MERGED
  CHECK(cudaFreeHost(snapshot));
  CHECK(cudaFreeHost(velocity));
#endif
  // Circular orbits: speeds stay in range and nobody escapes.
  const double Way = Step * Steps * Snapshots;
  const bool Good = Moved > 0.1 * Way && Moved < 3.0 * Way;
  return finish("nbody", Good, Checksum);
}
