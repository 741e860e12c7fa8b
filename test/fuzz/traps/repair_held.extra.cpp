// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <cuda_runtime.h>

static std::atomic<bool> Go{false};

void hold() {
#ifndef NOTHING
  cudaStream_t s; // the default stream's work follows its work
  cudaStreamCreate(&s);
  cudaLaunchHostFunc(
      s,
      [](void *) {
        while (!Go)
          ;
      },
      nullptr);
#endif
}

void letGo() { Go = true; }
