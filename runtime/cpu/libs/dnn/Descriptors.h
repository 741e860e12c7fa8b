//===- Descriptors.h - What cuDNN's descriptors hold ---------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors are numbers that a call reads; work that is queued keeps copies.
// All that is computed is of single precision; every layout that strides can
// express is.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_DNN_DESCRIPTORS_H
#define ECHO_RUNTIME_CPU_LIBS_DNN_DESCRIPTORS_H

#include "runtime/cpu/libs/common/Work.h"

#include <atomic>
#include <cstdint>
#include <cudnn.h>

namespace echo::cpulibs {

inline constexpr int MaxDims = CUDNN_DIM_MAX;
inline constexpr int MaxSpatial = 3;

/// A tensor, or a filter as one.
struct Tensor {
  cudnnDataType_t Type = CUDNN_DATA_FLOAT;
  int Rank = 0;
  int Dims[MaxDims] = {};
  int Strides[MaxDims] = {};

  bool isSet() const { return Rank > 0; }
  bool isFloat() const { return isSet() && Type == CUDNN_DATA_FLOAT; }
  int64_t count() const {
    int64_t N = 1;
    for (int I = 0; I != Rank; ++I)
      N *= Dims[I];
    return N;
  }
  bool sameDims(const Tensor &Other) const {
    if (Rank != Other.Rank)
      return false;
    for (int I = 0; I != Rank; ++I)
      if (Dims[I] != Other.Dims[I])
        return false;
    return true;
  }
};

/// Gives \p T strides without gaps, with channels last if \p ChannelsLast.
void packStrides(Tensor &T, bool ChannelsLast);

/// Padding, stride and dilation along each spatial dimension.
struct Window {
  int Rank = 0; ///< spatial dimensions
  int Size[MaxSpatial] = {};
  int Padding[MaxSpatial] = {};
  int Stride[MaxSpatial] = {};
  int Dilation[MaxSpatial] = {};

  /// How many places the window takes along dimension \p I of length \p In.
  int places(int I, int In, int Length) const {
    return (In + 2 * Padding[I] - (Dilation[I] * (Length - 1) + 1)) /
               Stride[I] +
           1;
  }
};

/// Bytes of one element; 0 for a type that has no whole number of them.
size_t sizeOfType(cudnnDataType_t Type);

} // namespace echo::cpulibs

struct cudnnTensorStruct {
  echo::cpulibs::Tensor T;
};
struct cudnnFilterStruct {
  echo::cpulibs::Tensor T;
  cudnnTensorFormat_t Format = CUDNN_TENSOR_NCHW;
};
struct cudnnConvolutionStruct {
  echo::cpulibs::Window W;
  int Groups = 1;
  cudnnConvolutionMode_t Mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t ComputeType = CUDNN_DATA_FLOAT;
  cudnnMathType_t MathType = CUDNN_DEFAULT_MATH;
};
struct cudnnPoolingStruct {
  echo::cpulibs::Window W;
  cudnnPoolingMode_t Mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t Nan = CUDNN_NOT_PROPAGATE_NAN;
};
struct cudnnActivationStruct {
  cudnnActivationMode_t Mode = CUDNN_ACTIVATION_IDENTITY;
  cudnnNanPropagation_t Nan = CUDNN_NOT_PROPAGATE_NAN;
  double Coefficient = 0;
  double SwishBeta = 1;
};
struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t Op = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t ComputeType = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t Nan = CUDNN_NOT_PROPAGATE_NAN;
};

struct cudnnContext {
  static constexpr uint64_t AliveMagic = 0x6e6e6475634563;
  std::atomic<uint64_t> Magic{0};
  cudaStream_t Stream = nullptr;
};

namespace echo::cpulibs {

inline bool isAlive(cudnnHandle_t H) {
  return H && reinterpret_cast<uintptr_t>(H) % alignof(cudnnContext) == 0 &&
         H->Magic.load(std::memory_order_acquire) == cudnnContext::AliveMagic;
}

inline cudnnStatus_t toDnnStatus(int CudaError) {
  if (CudaError == OutOfMemory)
    return CUDNN_STATUS_ALLOC_FAILED;
  return CudaError ? CUDNN_STATUS_EXECUTION_FAILED : CUDNN_STATUS_SUCCESS;
}

/// Says that \p Function does not serve \p What.
inline cudnnStatus_t unsupported(const char *Function, const char *What) {
  sayUnsupported(Function, What);
  return CUDNN_STATUS_NOT_SUPPORTED;
}

/// Queues \p Body in the handle's stream, once the arguments are known to be
/// good.
template <typename Fn>
[[gnu::always_inline]] inline cudnnStatus_t enqueue(cudnnHandle_t H, Fn Body) {
  return toDnnStatus(queueWork(H->Stream, false, std::move(Body)));
}

/// alpha and beta of a call, which are in host memory: Result * Alpha +
/// Old * Beta.
struct Blend {
  float Alpha = 1, Beta = 0;
  bool isPlain() const { return Alpha == 1 && Beta == 0; }
  float operator()(float Result, float Old) const {
    return Beta == 0 ? Alpha * Result : Alpha * Result + Beta * Old;
  }
};
inline Blend readBlend(const void *Alpha, const void *Beta) {
  return {*static_cast<const float *>(Alpha),
          *static_cast<const float *>(Beta)};
}

/// The activation of \p X.
float activate(const cudnnActivationStruct &A, float X);

} // namespace echo::cpulibs

#endif
