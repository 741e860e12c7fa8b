// A library that calls CUDA first when the process ends: its constructors run
// once, and what it wrote stays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cuda_runtime.h>

static struct Keeps {
  void *Memory = nullptr;
  Keeps() { std::printf("begins\n"); }
  ~Keeps() { std::printf("ends: %d\n", cudaFree(Memory)); }
} Kept;

extern "C" void **kept() { return &Kept.Memory; }
