//===- launches.cu - Launches that one record can stand for ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hundred and a wait, a hundred with one of another thread between, ten of
// two kernels in turn, four that fail, twenty in another stream, and one after a
// fork.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void one() {}
__global__ void other() {}

static void launch(int Count, cudaStream_t S = nullptr) {
  for (int I = 0; I < Count; ++I)
    one<<<1, 32, 0, S>>>();
}

int main() {
  cudaStream_t S;
  cudaStreamCreate(&S);
  launch(100);
  cudaDeviceSynchronize();
  launch(50);
  std::thread([] { launch(1); }).join();
  launch(50);
  for (int I = 0; I < 5; ++I) {
    one<<<1, 32>>>();
    other<<<1, 32>>>();
  }
  for (int I = 0; I < 4; ++I)
    one<<<1, 4096>>>(); // too many threads
  std::printf("%d\n", static_cast<int>(cudaGetLastError()));
  launch(20, S);
  launch(65);
  std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
  std::fflush(stdout);
  if (fork() == 0)
    _exit(0);
  wait(nullptr);
  launch(1);
  std::printf("%d\n", static_cast<int>(cudaDeviceSynchronize()));
}
