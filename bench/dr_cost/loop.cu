//===- loop.cu - A loop of copies around a kernel that does nothing -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   loop copies BYTES ROUNDS    uploads, launches, downloads
//   loop waits BYTES ROUNDS     the same, and waits before it downloads
//   loop launches BYTES ROUNDS  launches; a download after each hundredth
//   loop buffers BYTES COUNT    COUNT buffers are in use; each is copied once
//
// Prints the processor time that it took, all threads together, in seconds.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <vector>

__global__ void touch(float *X) {
  if (threadIdx.x == 0)
    X[0] += 1.0f;
}

static double processorTime() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) + static_cast<double>(T.tv_nsec) * 1e-9;
}

static void manyBuffers(size_t Bytes, int Count, void *D) {
  std::vector<void *> All;
  for (int I = 0; I < Count; ++I)
    All.push_back(std::malloc(Bytes));
  for (void *H : All)
    cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
  for (void *H : All)
    std::free(H);
}

int main(int ArgCount, char **Args) {
  if (ArgCount != 4)
    return 2;
  const size_t Bytes = std::strtoull(Args[2], nullptr, 10);
  const int Rounds = std::atoi(Args[3]), N = static_cast<int>(Bytes / 4);
  auto *H = static_cast<float *>(std::calloc(Bytes, 1));
  float *D;
  if (!H || cudaMalloc(&D, Bytes) != cudaSuccess)
    return 2;
  const bool Launches = !std::strcmp(Args[1], "launches");
  const bool Waits = !std::strcmp(Args[1], "waits");
  const double Start = processorTime();
  if (!std::strcmp(Args[1], "buffers")) {
    manyBuffers(Bytes, Rounds, D);
  } else {
    for (int R = 0; R < Rounds; ++R) {
      if (!Launches) {
        H[R % N] = static_cast<float>(R);
        cudaMemcpy(D, H, Bytes, cudaMemcpyHostToDevice);
      }
      touch<<<1, 32>>>(D);
      if (Waits)
        cudaDeviceSynchronize();
      if (!Launches || R % 100 == 0)
        cudaMemcpy(H, D, Bytes, cudaMemcpyDeviceToHost);
    }
    cudaDeviceSynchronize();
  }
  std::printf("%.6f\n", processorTime() - Start);
}
