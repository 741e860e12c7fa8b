// Stands in for CUDA's graphs where the device has none: they refuse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

extern "C" {
__attribute__((weak)) cudaError_t
cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode) {
  return cudaErrorNotSupported;
}
__attribute__((weak)) cudaError_t cudaStreamEndCapture(cudaStream_t,
                                                       cudaGraph_t *) {
  return cudaErrorNotSupported;
}
__attribute__((weak)) cudaError_t cudaGraphInstantiate(cudaGraphExec_t *,
                                                       cudaGraph_t,
                                                       unsigned long long) {
  return cudaErrorNotSupported;
}
__attribute__((weak)) cudaError_t cudaGraphLaunch(cudaGraphExec_t,
                                                  cudaStream_t) {
  return cudaErrorNotSupported;
}
}
