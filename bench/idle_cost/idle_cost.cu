//===- idle_cost.cu - A loop whose pairs run split ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each round allocates a pair, uploads, runs a kernel, downloads and frees, so
// that every kind of call that the rewrite touches is made. Prints the least
// processor time that a round of a batch took, all threads together: what other
// processes do adds to time on the clock, but little to that.
//
//   idle_cost BYTES BATCHES ROUNDS
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>

__global__ void scale(float *X, int N) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I] = X[I] * 0.5f + 1.0f;
}

static double processorTime() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
}

int main(int ArgCount, char **Args) {
  if (ArgCount != 4)
    return 2;
  const size_t Bytes = std::strtoull(Args[1], nullptr, 10);
  const int Batches = std::atoi(Args[2]), Rounds = std::atoi(Args[3]);
  const int N = static_cast<int>(Bytes / sizeof(float));
  double Least = 1e300, Sum = 0;
  for (int B = 0; B < Batches; ++B) {
    double Start = processorTime();
    for (int R = 0; R < Rounds; ++R) {
      float *H = static_cast<float *>(std::malloc(Bytes)), *D;
      if (!H || cudaMalloc(&D, Bytes) != cudaSuccess)
        return 2;
      for (int I = 0; I < N; ++I)
        H[I] = static_cast<float>(R + I % 7);
      cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
      scale<<<(N + 255) / 256, 256>>>(D, N);
      cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
      for (int I = 0; I < N; ++I)
        Sum += H[I];
      cudaFree(D);
      std::free(H);
    }
    double Took = (processorTime() - Start) / Rounds;
    Least = Took < Least ? Took : Least;
  }
  if (cudaDeviceSynchronize() != cudaSuccess || Sum <= 0)
    return 2;
  std::printf("%.1f\n", Least);
}
