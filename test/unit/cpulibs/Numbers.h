//===- Numbers.h - Numbers of any type in device memory ------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays whose type is known when a test runs: those that cuBLAS multiplies.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_CPULIBS_NUMBERS_H
#define ECHO_TEST_UNIT_CPULIBS_NUMBERS_H

#include "DeviceArray.h"

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Small numbers of any type in device memory.
class Numbers {
public:
  Numbers(cudaDataType Type, size_t Count)
      : Type(Type), Values(Count), Bytes(Count * size()) {
    std::vector<char> Raw(Bytes.read());
    for (size_t I = 0; I != Count; ++I) {
      bool Complex = Type == CUDA_C_32F || Type == CUDA_C_64F;
      Values[I] = Complex ? small<double2>() : small<double>();
      put(Raw.data() + I * size(), Values[I]);
    }
    Bytes.write(Raw);
  }
  void *get() const { return Bytes.get(); }
  size_t size() const {
    return Type == CUDA_R_8I                           ? 1
           : Type == CUDA_R_16F || Type == CUDA_R_16BF ? 2
           : Type == CUDA_R_32F || Type == CUDA_R_32I  ? 4
           : Type == CUDA_R_64F || Type == CUDA_C_32F  ? 8
                                                       : 16;
  }
  std::vector<Cx> values() const {
    std::vector<char> Raw = Bytes.read();
    std::vector<Cx> Result;
    for (size_t I = 0; I != Values.size(); ++I)
      Result.push_back(take(Raw.data() + I * size()));
    return Result;
  }
  void put(void *P, Cx X) const {
    switch (Type) {
    case CUDA_R_8I:
      *static_cast<int8_t *>(P) = int8_t(X.real());
      break;
    case CUDA_R_16F:
      *static_cast<__half *>(P) = __float2half(float(X.real()));
      break;
    case CUDA_R_16BF:
      *static_cast<__nv_bfloat16 *>(P) = __float2bfloat16(float(X.real()));
      break;
    case CUDA_R_32F:
      *static_cast<float *>(P) = float(X.real());
      break;
    case CUDA_R_32I:
      *static_cast<int *>(P) = int(X.real());
      break;
    case CUDA_R_64F:
      *static_cast<double *>(P) = X.real();
      break;
    case CUDA_C_32F:
      *static_cast<cuComplex *>(P) = fromCx<cuComplex>(X);
      break;
    default:
      *static_cast<cuDoubleComplex *>(P) = fromCx<cuDoubleComplex>(X);
    }
  }

private:
  Cx take(const void *P) const {
    switch (Type) {
    case CUDA_R_16F:
      return __half2float(*static_cast<const __half *>(P));
    case CUDA_R_16BF:
      return __bfloat162float(*static_cast<const __nv_bfloat16 *>(P));
    case CUDA_R_32F:
      return *static_cast<const float *>(P);
    case CUDA_R_32I:
      return *static_cast<const int *>(P);
    case CUDA_R_64F:
      return *static_cast<const double *>(P);
    case CUDA_C_32F:
      return toCx(*static_cast<const cuComplex *>(P));
    default:
      return toCx(*static_cast<const cuDoubleComplex *>(P));
    }
  }
  cudaDataType Type;

public:
  std::vector<Cx> Values;

private:
  DeviceArray<char> Bytes;
};

/// What cuBLAS multiplies: the type of A and B, of the result, of the scalars.
inline const struct {
  cudaDataType In, Out, Scale;
  cublasComputeType_t Compute;
} Combinations[] = {
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F},
    {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I},
    {CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
    {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F},
    {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},
    {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F},
};

#endif
