//===- Window.cpp - Convolution and pooling descriptors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets and reads what moves over a tensor, and says how large its result is.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Descriptors.h"

#include <algorithm>

using namespace echo::cpulibs;

/// Are the \p Rank numbers at \p P all at least \p Least?
static bool atLeast(int Least, int Rank, const int *P) {
  return P && std::all_of(P, P + Rank, [&](int X) { return X >= Least; });
}

/// The dimensions of the result of a window over \p X; false where it does not
/// fit. \p Length gives the window's size along a dimension.
template <typename Fn>
static bool outputDims(const Tensor &X, const Window &W, int Channels,
                       Fn Length, int *Out) {
  if (!X.isSet() || X.Rank != W.Rank + 2)
    return false;
  Out[0] = X.Dims[0];
  Out[1] = Channels;
  for (int I = 0; I != W.Rank; ++I) {
    Out[I + 2] = W.places(I, X.Dims[I + 2], Length(I));
    if (Out[I + 2] < 1 ||
        X.Dims[I + 2] + 2 * W.Padding[I] < W.Dilation[I] * (Length(I) - 1) + 1)
      return false;
  }
  return true;
}

/// Gives the four numbers of a result in two dimensions.
static cudnnStatus_t give4(cudnnStatus_t Status, const int *Dims, int *N,
                           int *C, int *H, int *W) {
  if (Status != CUDNN_STATUS_SUCCESS)
    return Status;
  if (!N || !C || !H || !W)
    return CUDNN_STATUS_BAD_PARAM;
  *N = Dims[0];
  *C = Dims[1];
  *H = Dims[2];
  *W = Dims[3];
  return CUDNN_STATUS_SUCCESS;
}

extern "C" {

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t D,
                                              int Rank, const int Padding[],
                                              const int Stride[],
                                              const int Dilation[],
                                              cudnnConvolutionMode_t Mode,
                                              cudnnDataType_t ComputeType) {
  if (!D || Rank < 1 || Rank > MaxSpatial || !atLeast(0, Rank, Padding) ||
      !atLeast(1, Rank, Stride) || !atLeast(1, Rank, Dilation) ||
      (Mode != CUDNN_CONVOLUTION && Mode != CUDNN_CROSS_CORRELATION))
    return CUDNN_STATUS_BAD_PARAM;
  D->W = Window();
  D->W.Rank = Rank;
  std::copy_n(Padding, Rank, D->W.Padding);
  std::copy_n(Stride, Rank, D->W.Stride);
  std::copy_n(Dilation, Rank, D->W.Dilation);
  D->Mode = Mode;
  D->ComputeType = ComputeType;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t D,
                                              int PadH, int PadW, int StrideH,
                                              int StrideW, int DilationH,
                                              int DilationW,
                                              cudnnConvolutionMode_t Mode,
                                              cudnnDataType_t ComputeType) {
  const int Padding[] = {PadH, PadW}, Stride[] = {StrideH, StrideW},
            Dilation[] = {DilationH, DilationW};
  return cudnnSetConvolutionNdDescriptor(D, 2, Padding, Stride, Dilation, Mode,
                                         ComputeType);
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t D,
                                              int Wanted, int *Rank,
                                              int Padding[], int Stride[],
                                              int Dilation[],
                                              cudnnConvolutionMode_t *Mode,
                                              cudnnDataType_t *ComputeType) {
  if (!D || !Rank || Wanted < 0 || Wanted > MaxSpatial)
    return CUDNN_STATUS_BAD_PARAM;
  *Rank = D->W.Rank;
  const int Count = std::min(Wanted, D->W.Rank);
  if (Padding)
    std::copy_n(D->W.Padding, Count, Padding);
  if (Stride)
    std::copy_n(D->W.Stride, Count, Stride);
  if (Dilation)
    std::copy_n(D->W.Dilation, Count, Dilation);
  if (Mode)
    *Mode = D->Mode;
  if (ComputeType)
    *ComputeType = D->ComputeType;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(cudnnConvolutionDescriptor_t D,
                                              int *PadH, int *PadW,
                                              int *StrideH, int *StrideW,
                                              int *DilationH, int *DilationW,
                                              cudnnConvolutionMode_t *Mode,
                                              cudnnDataType_t *ComputeType) {
  if (!D || D->W.Rank != 2 || !PadH || !PadW || !StrideH || !StrideW ||
      !DilationH || !DilationW)
    return CUDNN_STATUS_BAD_PARAM;
  int Rank, Padding[2], Stride[2], Dilation[2];
  cudnnStatus_t Status = cudnnGetConvolutionNdDescriptor(
      D, 2, &Rank, Padding, Stride, Dilation, Mode, ComputeType);
  *PadH = Padding[0], *PadW = Padding[1];
  *StrideH = Stride[0], *StrideW = Stride[1];
  *DilationH = Dilation[0], *DilationW = Dilation[1];
  return Status;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t D,
                                            int Groups) {
  if (!D || Groups < 1)
    return CUDNN_STATUS_BAD_PARAM;
  D->Groups = Groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t D,
                                            int *Groups) {
  if (!D || !Groups)
    return CUDNN_STATUS_BAD_PARAM;
  *Groups = D->Groups;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t D,
                                          cudnnMathType_t Type) {
  if (!D)
    return CUDNN_STATUS_BAD_PARAM;
  D->MathType = Type;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t D,
                                          cudnnMathType_t *Type) {
  if (!D || !Type)
    return CUDNN_STATUS_BAD_PARAM;
  *Type = D->MathType;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t X,
    cudnnFilterDescriptor_t Filter, int Rank, int Out[]) {
  int Dims[MaxSpatial + 2];
  if (!D || !X || !Filter || !Out || Filter->T.Rank != D->W.Rank + 2 ||
      Filter->T.Dims[1] * D->Groups != X->T.Dims[1] ||
      Filter->T.Dims[0] % D->Groups || Rank < D->W.Rank + 2 ||
      !outputDims(
          X->T, D->W, Filter->T.Dims[0],
          [&](int I) { return Filter->T.Dims[I + 2]; }, Dims))
    return CUDNN_STATUS_BAD_PARAM;
  std::copy_n(Dims, D->W.Rank + 2, Out);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(
    cudnnConvolutionDescriptor_t D, cudnnTensorDescriptor_t X,
    cudnnFilterDescriptor_t Filter, int *N, int *C, int *H, int *W) {
  int Dims[MaxSpatial + 2] = {};
  cudnnStatus_t Status =
      D && D->W.Rank == 2
          ? cudnnGetConvolutionNdForwardOutputDim(D, X, Filter, 4, Dims)
          : CUDNN_STATUS_BAD_PARAM;
  return give4(Status, Dims, N, C, H, W);
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t D,
                                          const cudnnPoolingMode_t Mode,
                                          const cudnnNanPropagation_t Nan,
                                          int Rank, const int Size[],
                                          const int Padding[],
                                          const int Stride[]) {
  if (!D || Rank < 1 || Rank > MaxSpatial || !atLeast(1, Rank, Size) ||
      !atLeast(0, Rank, Padding) || !atLeast(1, Rank, Stride) ||
      unsigned(Mode) > unsigned(CUDNN_POOLING_MAX_DETERMINISTIC))
    return CUDNN_STATUS_BAD_PARAM;
  D->W = Window();
  D->W.Rank = Rank;
  std::copy_n(Size, Rank, D->W.Size);
  std::copy_n(Padding, Rank, D->W.Padding);
  std::copy_n(Stride, Rank, D->W.Stride);
  std::fill_n(D->W.Dilation, Rank, 1);
  D->Mode = Mode;
  D->Nan = Nan;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t D,
                                          cudnnPoolingMode_t Mode,
                                          cudnnNanPropagation_t Nan, int SizeH,
                                          int SizeW, int PadH, int PadW,
                                          int StrideH, int StrideW) {
  const int Size[] = {SizeH, SizeW}, Padding[] = {PadH, PadW},
            Stride[] = {StrideH, StrideW};
  return cudnnSetPoolingNdDescriptor(D, Mode, Nan, 2, Size, Padding, Stride);
}

cudnnStatus_t cudnnGetPooling2dDescriptor(cudnnPoolingDescriptor_t D,
                                          cudnnPoolingMode_t *Mode,
                                          cudnnNanPropagation_t *Nan,
                                          int *SizeH, int *SizeW, int *PadH,
                                          int *PadW, int *StrideH,
                                          int *StrideW) {
  if (!D || D->W.Rank != 2 || !Mode || !Nan || !SizeH || !SizeW || !PadH ||
      !PadW || !StrideH || !StrideW)
    return CUDNN_STATUS_BAD_PARAM;
  *Mode = D->Mode;
  *Nan = D->Nan;
  *SizeH = D->W.Size[0], *SizeW = D->W.Size[1];
  *PadH = D->W.Padding[0], *PadW = D->W.Padding[1];
  *StrideH = D->W.Stride[0], *StrideW = D->W.Stride[1];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(cudnnPoolingDescriptor_t D,
                                                cudnnTensorDescriptor_t X,
                                                int Rank, int Out[]) {
  int Dims[MaxSpatial + 2];
  if (!D || !X || !Out || Rank != D->W.Rank + 2 ||
      !outputDims(
          X->T, D->W, X->T.Dims[1], [&](int I) { return D->W.Size[I]; }, Dims))
    return CUDNN_STATUS_BAD_PARAM;
  std::copy_n(Dims, Rank, Out);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t D,
                                                cudnnTensorDescriptor_t X,
                                                int *N, int *C, int *H,
                                                int *W) {
  int Dims[MaxSpatial + 2] = {};
  return give4(cudnnGetPoolingNdForwardOutputDim(D, X, 4, Dims), Dims, N, C, H,
               W);
}

} // extern "C"
