//===- convolution.h - One convolution of cuDNN's legacy API ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors, generated weights and the algorithm of one convolution, 32-bit
// float, NCHW. The algorithm is cuDNN's own first choice among those that give
// the same bits every time, so that all variants of a benchmark run the same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_BENCH_CONVOLUTION_H
#define ECHO_BENCH_CONVOLUTION_H

#include "generated.h"
#include <cudnn.h>

/// The shape of a batch of pictures.
struct Shape {
  int Batch = 0, Channels = 0, Height = 0, Width = 0;
  constexpr size_t count() const {
    return static_cast<size_t>(Batch) * Channels * Height * Width;
  }
};

/// What is fixed about a convolution before it meets its input.
struct Filter {
  int Channels, Size, Stride, Padding, Dilation;
};

class Convolution {
public:
  /// Gets ready for inputs of shape \p In; \p Seed chooses the weights.
  void create(cudnnHandle_t Handle, const Shape &In, const Filter &F,
              unsigned Seed) {
    CHECK(cudnnCreateTensorDescriptor(&Input));
    CHECK(cudnnCreateTensorDescriptor(&Output));
    CHECK(cudnnCreateFilterDescriptor(&Weights));
    CHECK(cudnnCreateConvolutionDescriptor(&Operation));
    CHECK(cudnnSetTensor4dDescriptor(Input, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                     In.Batch, In.Channels, In.Height,
                                     In.Width));
    CHECK(cudnnSetFilter4dDescriptor(Weights, CUDNN_DATA_FLOAT,
                                     CUDNN_TENSOR_NCHW, F.Channels, In.Channels,
                                     F.Size, F.Size));
    CHECK(cudnnSetConvolution2dDescriptor(
        Operation, F.Padding, F.Padding, F.Stride, F.Stride, F.Dilation,
        F.Dilation, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CHECK(cudnnGetConvolution2dForwardOutputDim(Operation, Input, Weights,
                                                &Out.Batch, &Out.Channels,
                                                &Out.Height, &Out.Width));
    CHECK(cudnnSetTensor4dDescriptor(Output, CUDNN_TENSOR_NCHW,
                                     CUDNN_DATA_FLOAT, Out.Batch, Out.Channels,
                                     Out.Height, Out.Width));
    chooseAlgorithm(Handle);
    const int Inputs = In.Channels * F.Size * F.Size;
    // Keeps the size of the values about the same from layer to layer.
    devWeights = bench::generated(static_cast<size_t>(F.Channels) * Inputs,
                                  Seed, std::sqrt(6.0f / Inputs));
  }

  const Shape &output() const { return Out; }
  size_t workspace() const { return WorkspaceBytes; }

  /// \p devOut = the convolution of \p devIn.
  void run(cudnnHandle_t Handle, const float *devIn, float *devOut,
           void *devWorkspace) const {
    const float One = 1, Zero = 0;
    CHECK(cudnnConvolutionForward(
        Handle, &One, Input, devIn, Weights, devWeights, Operation, Algorithm,
        devWorkspace, WorkspaceBytes, &Zero, Output, devOut));
  }

  void destroy() {
    CHECK(cudaFree(devWeights));
    CHECK(cudnnDestroyConvolutionDescriptor(Operation));
    CHECK(cudnnDestroyFilterDescriptor(Weights));
    CHECK(cudnnDestroyTensorDescriptor(Output));
    CHECK(cudnnDestroyTensorDescriptor(Input));
  }

private:
  /// True if \p Algo can run with \p Math in \p Limit bytes of workspace.
  bool accept(cudnnHandle_t Handle, cudnnConvolutionFwdAlgo_t Algo,
              cudnnMathType_t Math, size_t Limit) {
    Algorithm = Algo;
    return cudnnSetConvolutionMathType(Operation, Math) ==
               CUDNN_STATUS_SUCCESS &&
           cudnnGetConvolutionForwardWorkspaceSize(
               Handle, Input, Weights, Operation, Output, Algorithm,
               &WorkspaceBytes) == CUDNN_STATUS_SUCCESS &&
           WorkspaceBytes <= Limit;
  }

  void chooseAlgorithm(cudnnHandle_t Handle) {
    constexpr int Most = 8;
    constexpr size_t Limit = size_t(512) << 20;
    cudnnConvolutionFwdAlgoPerf_t Found[Most];
    int Count = 0;
    CHECK(cudnnGetConvolutionForwardAlgorithm_v7(
        Handle, Input, Weights, Operation, Output, Most, &Count, Found));
    for (int I = 0; I < Count; ++I)
      if (Found[I].status == CUDNN_STATUS_SUCCESS &&
          Found[I].determinism == CUDNN_DETERMINISTIC &&
          accept(Handle, Found[I].algo, Found[I].mathType, Limit))
        return;
    // The one that takes every shape.
    if (!accept(Handle, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                CUDNN_DEFAULT_MATH, Limit))
      bench::fail(__FILE__, __LINE__, "choosing a convolution algorithm", 1);
  }

  cudnnTensorDescriptor_t Input = nullptr, Output = nullptr;
  cudnnFilterDescriptor_t Weights = nullptr;
  cudnnConvolutionDescriptor_t Operation = nullptr;
  cudnnConvolutionFwdAlgo_t Algorithm =
      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  size_t WorkspaceBytes = 0;
  float *devWeights = nullptr;
  Shape Out;
};

#endif
