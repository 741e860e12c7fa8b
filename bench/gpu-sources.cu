//===- gpu-sources.cu - When copies read their sources --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel holds a stream until the host raises a flag; a thread changes the
// source's last byte before it does. Each line names a copy behind the kernel,
// says whether the call waits, and which byte arrives: the new one if the copy
// follows the kernel ("ordered"), the old one if it reads at once. Run on a GPU
// and on the CPU device (--device=cpu), the two lists show where they differ.
// Build: echo-cc --device=cuda -arch=sm_90 -O2 --no-unify bench/gpu-sources.cu
//
//===----------------------------------------------------------------------===//
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using Clock = std::chrono::steady_clock;

__global__ void hold(volatile int *Flag) {
  while (!*Flag)
    ;
}

static char *make(int Memory, size_t Bytes) {
  char *P = nullptr;
  switch (Memory) {
  case 0:
    return static_cast<char *>(malloc(Bytes));
  case 1:
    cudaMallocHost(reinterpret_cast<void **>(&P), Bytes);
    return P;
  case 2:
    cudaMallocManaged(reinterpret_cast<void **>(&P), Bytes);
    return P;
  default:
    cudaMalloc(reinterpret_cast<void **>(&P), Bytes);
    return P;
  }
}

static volatile int *Flag;
static cudaStream_t Stream;

/// Prints the line of one copy. Its buffers stay: a free would wait.
static void show(bool Async, size_t Bytes, int From, int To, int Kind) {
  static const char *const Memories[] = {"pageable", "pinned", "managed",
                                         "device"};
  static const char *const Kinds[] = {"host to host", "host to device",
                                      "device to host", "device to device",
                                      "default"};
  char *Source = make(From, Bytes), *Target = make(To, Bytes), Last = 0;
  for (size_t I = 0; I < Bytes; ++I)
    Source[I] = 1;
  cudaDeviceSynchronize();
  *Flag = 0;
  hold<<<1, 1, 0, Async ? Stream : nullptr>>>(const_cast<int *>(Flag));
  std::thread Later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    static_cast<volatile char *>(Source)[Bytes - 1] = 2;
    *Flag = 1;
  });
  const auto Start = Clock::now();
  const auto Direction = static_cast<cudaMemcpyKind>(Kind);
  cudaError_t Status =
      Async ? cudaMemcpyAsync(Target, Source, Bytes, Direction, Stream)
            : cudaMemcpy(Target, Source, Bytes, Direction);
  const bool Waits = Clock::now() - Start > std::chrono::milliseconds(30);
  Later.join();
  cudaDeviceSynchronize();
  cudaMemcpy(&Last, Target + Bytes - 1, 1, cudaMemcpyDefault);
  std::printf("%s, %zu bytes, %s to %s, %s: %s, %s\n",
              Async ? "asynchronous" : "synchronous", Bytes, Memories[From],
              Memories[To], Kinds[Kind], Waits ? "waits" : "returns",
              Status      ? cudaGetErrorName(Status)
              : Last == 2 ? "ordered"
                          : "reads at once");
  cudaGetLastError();
}

int main() {
  cudaHostAlloc(reinterpret_cast<void **>(const_cast<int **>(&Flag)),
                sizeof(int), cudaHostAllocMapped);
  cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking);
  for (bool Async : {false, true})
    for (size_t Bytes : {size_t(64), size_t(1) << 20})
      for (int From = 0; From != 3; ++From) // the host writes the source
        for (int To = 0; To != 4; ++To)
          for (int Kind = 0; Kind != 5; ++Kind)
            show(Async, Bytes, From, To, Kind);
}
