//===- Transfers.cpp - cublasSetVector and its like -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between host and device, as copies of the CUDA runtime, which decides
// what they wait for.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Handle.h"

#include <cuda_runtime_api.h>

namespace {
/// Where and when a copy goes.
struct Route {
  cudaMemcpyKind Kind;
  bool Async;
  cudaStream_t Stream;
};
} // namespace

static cublasStatus_t copyRows(const Route &R, void *Dst, size_t DstPitch,
                               const void *Src, size_t SrcPitch, size_t Width,
                               size_t Height) {
  if (!Width || !Height)
    return CUBLAS_STATUS_SUCCESS;
  cudaError_t Error =
      R.Async
          ? cudaMemcpy2DAsync(Dst, DstPitch, Src, SrcPitch, Width, Height,
                              R.Kind, R.Stream)
          : cudaMemcpy2D(Dst, DstPitch, Src, SrcPitch, Width, Height, R.Kind);
  return Error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_MAPPING_ERROR;
}

static cublasStatus_t copyVector(const Route &R, int N, int Size, const void *X,
                                 int IncX, void *Y, int IncY) {
  if (N < 0 || Size <= 0 || IncX <= 0 || IncY <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (IncX == 1 && IncY == 1)
    return copyRows(R, Y, 0, X, 0, size_t(N) * Size, 1);
  return copyRows(R, Y, size_t(IncY) * Size, X, size_t(IncX) * Size, Size, N);
}

static cublasStatus_t copyMatrix(const Route &R, int Rows, int Cols, int Size,
                                 const void *A, int LdA, void *B, int LdB) {
  if (Rows < 0 || Cols < 0 || Size <= 0 || LdA < Rows || LdB < Rows ||
      LdA <= 0 || LdB <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return copyRows(R, B, size_t(LdB) * Size, A, size_t(LdA) * Size,
                  size_t(Rows) * Size, Cols);
}

extern "C" {

#define TRANSFERS(VERB, KIND)                                                  \
  ECHO_FOLLOWED(cublas##VERB##Vector)                                          \
  cublasStatus_t cublas##VERB##Vector(int N, int Size, const void *X,          \
                                      int IncX, void *Y, int IncY) {           \
    return copyVector({KIND, false, nullptr}, N, Size, X, IncX, Y, IncY);      \
  }                                                                            \
  ECHO_FOLLOWED(cublas##VERB##VectorAsync)                                     \
  cublasStatus_t cublas##VERB##VectorAsync(int N, int Size, const void *X,     \
                                           int IncX, void *Y, int IncY,        \
                                           cudaStream_t S) {                   \
    return copyVector({KIND, true, S}, N, Size, X, IncX, Y, IncY);             \
  }                                                                            \
  ECHO_FOLLOWED(cublas##VERB##Matrix)                                          \
  cublasStatus_t cublas##VERB##Matrix(int Rows, int Cols, int Size,            \
                                      const void *A, int LdA, void *B,         \
                                      int LdB) {                               \
    return copyMatrix({KIND, false, nullptr}, Rows, Cols, Size, A, LdA, B,     \
                      LdB);                                                    \
  }                                                                            \
  ECHO_FOLLOWED(cublas##VERB##MatrixAsync)                                     \
  cublasStatus_t cublas##VERB##MatrixAsync(int Rows, int Cols, int Size,       \
                                           const void *A, int LdA, void *B,    \
                                           int LdB, cudaStream_t S) {          \
    return copyMatrix({KIND, true, S}, Rows, Cols, Size, A, LdA, B, LdB);      \
  }
TRANSFERS(Set, cudaMemcpyHostToDevice)
TRANSFERS(Get, cudaMemcpyDeviceToHost)

} // extern "C"
