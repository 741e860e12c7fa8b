// C++ code, which calls the legacy default stream's functions though the CUDA unit
// is compiled for per-thread ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

int copyInLegacyStream(float *to, const float *from, size_t bytes) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0);
}

int copyInStream(float *to, const float *from, size_t bytes, cudaStream_t s) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s);
}
