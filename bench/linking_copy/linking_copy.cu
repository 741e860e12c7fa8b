//===- linking_copy.cu - What a linking copy costs when idle --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one merged pair through echort, lets a kernel use it, waits, and then
// times what is left of a copy, kind by kind, with nothing in flight. Prints
// "name nanoseconds" lines; the plain copy of 4 bytes is there to compare.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/EchoRt.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void touch(char *P) { P[threadIdx.x] = 1; }

template <typename Fn> static void measure(const char *Name, Fn Once) {
  constexpr int Batches = 21, Calls = 2000;
  std::vector<double> Times;
  for (int B = 0; B < Batches; ++B) {
    auto Start = std::chrono::steady_clock::now();
    for (int I = 0; I < Calls; ++I)
      Once();
    Times.push_back(std::chrono::duration<double, std::nano>(
                        std::chrono::steady_clock::now() - Start)
                        .count() /
                    Calls);
  }
  std::nth_element(Times.begin(), Times.begin() + Batches / 2, Times.end());
  std::printf("%s %.1f\n", Name, Times[Batches / 2]);
}

int main() {
  constexpr size_t Bytes = 1 << 20;
  static EchoGroup Group = {ECHO_RT_ABI_VERSION, ECHO_GROUP_QUIESCENT, "pair",
                            nullptr, 0};
  void *H = echort_acquire(&Group, ECHO_HOST, Bytes, nullptr, 0);
  void *D = H ? echort_acquire(&Group, ECHO_DEVICE, Bytes, H, 0) : nullptr;
  if (!D) {
    std::fprintf(stderr, "linking_copy: the pair did not merge here\n");
    return 2;
  }
  cudaStream_t Stream;
  if (cudaStreamCreate(&Stream) != cudaSuccess)
    return 2;
  touch<<<1, 64>>>(static_cast<char *>(D));
  touch<<<1, 64, 0, Stream>>>(static_cast<char *>(D));
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;

  auto Copy = [](EchoCopy Kind, void *S, unsigned Flags) {
    return [=] {
      if (echort_linking_copy(&Group, Kind | Flags, S, &Group, &Group, Bytes) != 1)
        std::exit(2);
    };
  };
  measure("idle-proved", Copy(ECHO_COPY_H2D_SYNC, nullptr, ECHO_COPY_IDLE));
  measure("h2d-sync", Copy(ECHO_COPY_H2D_SYNC, nullptr, 0));
  measure("d2h-sync", Copy(ECHO_COPY_D2H_SYNC, nullptr, 0));
  measure("d2h-sync-per-thread",
          Copy(ECHO_COPY_D2H_SYNC, nullptr, ECHO_COPY_PER_THREAD));
  measure("h2d-async-stream", Copy(ECHO_COPY_H2D_ASYNC_PAGEABLE, Stream, 0));
  measure("pinned-stream", Copy(ECHO_COPY_ASYNC_PINNED, Stream, 0));
  measure("pinned-legacy", Copy(ECHO_COPY_ASYNC_PINNED, nullptr, 0));

  // Not targets, but worth knowing: a foreign free, and a plain small copy.
  void *Foreign = std::malloc(Bytes);
  measure("foreign-free", [=] { echort_release(ECHO_HOST, Foreign); });
  void *Plain;
  if (cudaMalloc(&Plain, Bytes) != cudaSuccess)
    return 2;
  char Source[4] = {};
  measure("plain-copy-4-bytes", [&] {
    if (cudaMemcpy(Plain, Source, 4, cudaMemcpyHostToDevice) != cudaSuccess)
      std::exit(2);
  });
  echort_release(ECHO_DEVICE, D);
  echort_release(ECHO_HOST, H);
}
