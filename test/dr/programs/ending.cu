// What ends.cpp is linked to: it gives that memory to give back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cuda_runtime.h>

extern "C" void **kept();

int main() {
  std::printf("%d\n", cudaMalloc(kept(), 4096));
}
