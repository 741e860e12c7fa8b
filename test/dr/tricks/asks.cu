//===- asks.cu - A library that looks at the GPU by itself ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded by bypass.cu under two names: as a library of CUDA's, whose work waits
// for nothing of the program's, and as one of somebody else's.
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>

extern "C" void ask() {
  static void *Word;
  if (!Word)
    cudaMallocHost(&Word, 4);
  cudaStreamQuery(nullptr);
  cudaGetLastError(); // that it was not ready
}
