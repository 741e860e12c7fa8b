//===- pool.cu - Tasks of a pool that allocate ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store of images: one task allocates an image on the host, a second one on
// the device. Which of the two workers takes a task changes no result, but it
// decides in which order a thread allocates. Profiled as "usual", where one
// worker takes all, "crossed" loads an image and stages another one by the same
// worker.
//
// CASE: usual   | pins skips-unless-managed
// CASE: crossed | as:usual
//
//===----------------------------------------------------------------------===//
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <mutex>
#include <thread>

static const int N = 1 << 16, Images = 8;
static const size_t Bytes = N * sizeof(int);

static int *H[Images], *D[Images];

__global__ void twice(int *D) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  D[I] *= 2;
}

// One task at a time, of the worker whose turn it is.
static std::mutex Lock;
static std::condition_variable Changed;
static int Turn = -1, Image;
static bool Ends;
enum Kind { Load, Stage, Double };
static Kind Task;

static void task() {
  switch (Task) {
  case Load:
    H[Image] = static_cast<int *>(malloc(Bytes));
    for (int I = 0; I != N; ++I)
      H[Image][I] = 1000 * Image + I;
    break;
  case Stage:
    cudaMalloc(&D[Image], Bytes);
    break;
  case Double:
    cudaMemcpy(D[Image], H[Image], Bytes, cudaMemcpyHostToDevice);
    twice<<<N / 256, 256>>>(D[Image]);
    cudaMemcpy(H[Image], D[Image], Bytes, cudaMemcpyDeviceToHost);
  }
}

static void worker(int Me) {
  std::unique_lock<std::mutex> Held(Lock);
  for (;;) {
    Changed.wait(Held, [&] { return Turn == Me || Ends; });
    if (Ends)
      return;
    task();
    Turn = -1;
    Changed.notify_all();
  }
}

static void give(int Worker, Kind What, int Which) {
  std::unique_lock<std::mutex> Held(Lock);
  Turn = Worker;
  Task = What;
  Image = Which;
  Changed.notify_all();
  Changed.wait(Held, [] { return Turn == -1; });
}

int main(int, char **Args) {
  const bool Crossed = !strcmp(Args[1], "crossed");
  int *First;
  cudaMalloc(&First, 16);
  std::thread Zero(worker, 0), One(worker, 1);
  for (int I = 0; I != Images; ++I) {
    const bool Swaps = Crossed && I >= Images / 2;
    give(Swaps && I % 2, Load, I);
    give(Swaps && !(I % 2), Stage, I);
  }
  for (int Round = 0; Round != 4; ++Round)
    for (int I = 0; I != Images; ++I) {
      give(0, Double, I);
      std::printf("%d %d %d\n", I, H[I][0], H[I][N - 1]);
    }
  {
    std::lock_guard<std::mutex> Held(Lock);
    Ends = true;
  }
  Changed.notify_all();
  Zero.join();
  One.join();
}
