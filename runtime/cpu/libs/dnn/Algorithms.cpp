//===- Algorithms.cpp - Choosing a convolution algorithm ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the algorithms that a program may choose from: one without a workspace
// and one with. Nothing is measured; the times say so.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Descriptors.h"

using namespace echo::cpulibs;

static constexpr cudnnConvolutionFwdAlgo_t Choices[] = {
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM};

extern "C" {

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t H,
                                                          int *Count) {
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  if (!Count)
    return CUDNN_STATUS_BAD_PARAM;
  *Count = std::size(Choices);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t H, cudnnTensorDescriptor_t X, cudnnFilterDescriptor_t Filter,
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t Y, const int Wanted,
    int *Returned, cudnnConvolutionFwdAlgoPerf_t *Results) {
  if (!Returned || !Results || Wanted < 1)
    return CUDNN_STATUS_BAD_PARAM;
  *Returned = 0;
  for (cudnnConvolutionFwdAlgo_t Algorithm : Choices) {
    if (*Returned == Wanted)
      break;
    size_t Size = 0;
    cudnnStatus_t Status = cudnnGetConvolutionForwardWorkspaceSize(
        H, X, Filter, D, Y, Algorithm, &Size);
    if (Status != CUDNN_STATUS_SUCCESS)
      return Status;
    cudnnConvolutionFwdAlgoPerf_t &R = Results[(*Returned)++];
    R = {};
    R.algo = Algorithm;
    R.status = CUDNN_STATUS_SUCCESS;
    R.time = -1;
    R.memory = Size;
    R.determinism = CUDNN_DETERMINISTIC;
    R.mathType = D->MathType;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t H, cudnnTensorDescriptor_t X, cudnnFilterDescriptor_t Filter,
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t Y, const int Wanted,
    int *Returned, cudnnConvolutionFwdAlgoPerf_t *Results) {
  return cudnnGetConvolutionForwardAlgorithm_v7(H, X, Filter, D, Y, Wanted,
                                                Returned, Results);
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t H, cudnnTensorDescriptor_t X, const void *,
    cudnnFilterDescriptor_t Filter, const void *,
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t Y, void *,
    const int Wanted, int *Returned, cudnnConvolutionFwdAlgoPerf_t *Results,
    void *, size_t) {
  return cudnnGetConvolutionForwardAlgorithm_v7(H, X, Filter, D, Y, Wanted,
                                                Returned, Results);
}

} // extern "C"
