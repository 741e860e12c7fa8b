//===- ErrorsApi.cpp - cudaGetLastError and its like ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers questions about errors, from CudaErrors.def and the device's state.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Device.h"

using namespace echo::cpu;

extern "C" {

cudaError_t cudaGetLastError() {
  (void)enter();
  return takeLastError();
}

cudaError_t cudaPeekAtLastError() {
  (void)enter();
  return peekLastError();
}

const char *cudaGetErrorName(cudaError_t Error) {
  switch (int(Error)) {
#define CUDA_ERROR(Number, Name, Text)                                         \
  case Number:                                                                 \
    return #Name;
#include "runtime/cpu/CudaErrors.def"
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t Error) {
  switch (int(Error)) {
#define CUDA_ERROR(Number, Name, Text)                                         \
  case Number:                                                                 \
    return Text;
#include "runtime/cpu/CudaErrors.def"
  }
  return "unrecognized error code";
}

} // extern "C"
