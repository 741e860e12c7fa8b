//===- TensorApi.cpp - Tensor and filter descriptors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets and reads descriptors. Any type can be described; calls that compute
// refuse those that they do not serve.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Descriptors.h"

#include <algorithm>
#include <utility>

using namespace echo::cpulibs;

size_t echo::cpulibs::sizeOfType(cudnnDataType_t Type) {
  switch (Type) {
  case CUDNN_DATA_FLOAT:
  case CUDNN_DATA_INT32:
    return 4;
  case CUDNN_DATA_DOUBLE:
  case CUDNN_DATA_INT64:
    return 8;
  case CUDNN_DATA_HALF:
  case CUDNN_DATA_BFLOAT16:
    return 2;
  case CUDNN_DATA_INT8:
  case CUDNN_DATA_UINT8:
    return 1;
  default:
    return 0;
  }
}

void echo::cpulibs::packStrides(Tensor &T, bool ChannelsLast) {
  int Stride = 1;
  auto Take = [&](int I) {
    T.Strides[I] = Stride;
    Stride *= T.Dims[I];
  };
  if (ChannelsLast && T.Rank > 1)
    Take(1);
  for (int I = T.Rank - 1; I >= 0; --I)
    if (!ChannelsLast || I != 1)
      Take(I);
}

/// Reads fields of \p D, each into a place that must be there.
template <typename S, typename... T>
static cudnnStatus_t get(const S *D, std::pair<T *, T S::*>... Fields) {
  if (!D || !(Fields.first && ...))
    return CUDNN_STATUS_BAD_PARAM;
  ((*Fields.first = D->*Fields.second), ...);
  return CUDNN_STATUS_SUCCESS;
}

/// Sets \p T; packed in \p Format where \p Strides is null.
static cudnnStatus_t setTensor(Tensor &T, cudnnDataType_t Type, int Rank,
                               const int *Dims, const int *Strides,
                               cudnnTensorFormat_t Format) {
  if (Rank < 1 || Rank > MaxDims || !Dims)
    return CUDNN_STATUS_BAD_PARAM;
  if (std::any_of(Dims, Dims + Rank, [](int D) { return D < 1; }) ||
      (Strides &&
       std::any_of(Strides, Strides + Rank, [](int S) { return S < 1; })))
    return CUDNN_STATUS_BAD_PARAM;
  if (!Strides && Format != CUDNN_TENSOR_NCHW && Format != CUDNN_TENSOR_NHWC)
    return unsupported("cudnnSetTensorDescriptor", "CUDNN_TENSOR_NCHW_VECT_C");
  if (!sizeOfType(Type))
    return unsupported("cudnnSetTensorDescriptor", "this data type");
  T = Tensor();
  T.Type = Type;
  T.Rank = Rank;
  std::copy_n(Dims, Rank, T.Dims);
  if (Strides)
    std::copy_n(Strides, Rank, T.Strides);
  else
    packStrides(T, Format == CUDNN_TENSOR_NHWC);
  return CUDNN_STATUS_SUCCESS;
}

/// Creates and destroys a descriptor of type \p D.
template <typename D> static cudnnStatus_t create(D **Out) {
  if (!Out)
    return CUDNN_STATUS_BAD_PARAM;
  *Out = new (std::nothrow) D;
  return *Out ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}
template <typename D> static cudnnStatus_t destroy(D *Descriptor) {
  delete Descriptor;
  return CUDNN_STATUS_SUCCESS;
}

extern "C" {

#define DESCRIPTOR(NAME)                                                       \
  cudnnStatus_t cudnnCreate##NAME##Descriptor(                                 \
      cudnn##NAME##Descriptor_t *Out) {                                        \
    return create(Out);                                                        \
  }                                                                            \
  cudnnStatus_t cudnnDestroy##NAME##Descriptor(cudnn##NAME##Descriptor_t D) {  \
    return destroy(D);                                                         \
  }
DESCRIPTOR(Tensor)
DESCRIPTOR(Filter)
DESCRIPTOR(Convolution)
DESCRIPTOR(Pooling)
DESCRIPTOR(Activation)
DESCRIPTOR(OpTensor)

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t D,
                                         cudnnTensorFormat_t Format,
                                         cudnnDataType_t Type, int N, int C,
                                         int H, int W) {
  const int Dims[] = {N, C, H, W};
  return D ? setTensor(D->T, Type, 4, Dims, nullptr, Format)
           : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t D,
                                           cudnnDataType_t Type, int N, int C,
                                           int H, int W, int StrideN,
                                           int StrideC, int StrideH,
                                           int StrideW) {
  const int Dims[] = {N, C, H, W};
  const int Strides[] = {StrideN, StrideC, StrideH, StrideW};
  return D ? setTensor(D->T, Type, 4, Dims, Strides, CUDNN_TENSOR_NCHW)
           : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t D,
                                         cudnnDataType_t *Type, int *N, int *C,
                                         int *H, int *W, int *StrideN,
                                         int *StrideC, int *StrideH,
                                         int *StrideW) {
  int *const Dims[] = {N, C, H, W};
  int *const Strides[] = {StrideN, StrideC, StrideH, StrideW};
  if (!D || D->T.Rank != 4)
    return CUDNN_STATUS_BAD_PARAM;
  if (Type)
    *Type = D->T.Type;
  for (int I = 0; I != 4; ++I) {
    if (Dims[I])
      *Dims[I] = D->T.Dims[I];
    if (Strides[I])
      *Strides[I] = D->T.Strides[I];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t D,
                                         cudnnDataType_t Type, int Rank,
                                         const int Dims[],
                                         const int Strides[]) {
  return D && Strides
             ? setTensor(D->T, Type, Rank, Dims, Strides, CUDNN_TENSOR_NCHW)
             : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t D,
                                           cudnnTensorFormat_t Format,
                                           cudnnDataType_t Type, int Rank,
                                           const int Dims[]) {
  return D ? setTensor(D->T, Type, Rank, Dims, nullptr, Format)
           : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnTensorDescriptor_t D, int Wanted,
                                         cudnnDataType_t *Type, int *Rank,
                                         int Dims[], int Strides[]) {
  if (!D || Wanted < 0 || Wanted > MaxDims)
    return CUDNN_STATUS_BAD_PARAM;
  if (Type)
    *Type = D->T.Type;
  if (Rank)
    *Rank = D->T.Rank;
  for (int I = 0; I != std::min(Wanted, D->T.Rank); ++I) {
    if (Dims)
      Dims[I] = D->T.Dims[I];
    if (Strides)
      Strides[I] = D->T.Strides[I];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorSizeInBytes(cudnnTensorDescriptor_t D,
                                        size_t *Size) {
  if (!D || !Size)
    return CUDNN_STATUS_BAD_PARAM;
  size_t Last = 0;
  for (int I = 0; I != D->T.Rank; ++I)
    Last += size_t(D->T.Dims[I] - 1) * D->T.Strides[I];
  *Size = D->T.isSet() ? (Last + 1) * sizeOfType(D->T.Type) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t D,
                                         cudnnDataType_t Type,
                                         cudnnTensorFormat_t Format, int Rank,
                                         const int Dims[]) {
  if (!D)
    return CUDNN_STATUS_BAD_PARAM;
  D->Format = Format;
  return setTensor(D->T, Type, Rank, Dims, nullptr, Format);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t D,
                                         cudnnDataType_t Type,
                                         cudnnTensorFormat_t Format, int K,
                                         int C, int H, int W) {
  const int Dims[] = {K, C, H, W};
  return cudnnSetFilterNdDescriptor(D, Type, Format, 4, Dims);
}

cudnnStatus_t cudnnGetFilterNdDescriptor(cudnnFilterDescriptor_t D, int Wanted,
                                         cudnnDataType_t *Type,
                                         cudnnTensorFormat_t *Format, int *Rank,
                                         int Dims[]) {
  if (!D || Wanted < 0 || Wanted > MaxDims)
    return CUDNN_STATUS_BAD_PARAM;
  if (Type)
    *Type = D->T.Type;
  if (Format)
    *Format = D->Format;
  if (Rank)
    *Rank = D->T.Rank;
  for (int I = 0; Dims && I != std::min(Wanted, D->T.Rank); ++I)
    Dims[I] = D->T.Dims[I];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilter4dDescriptor(cudnnFilterDescriptor_t D,
                                         cudnnDataType_t *Type,
                                         cudnnTensorFormat_t *Format, int *K,
                                         int *C, int *H, int *W) {
  int Dims[4] = {}, Rank = 0;
  cudnnStatus_t Status =
      cudnnGetFilterNdDescriptor(D, 4, Type, Format, &Rank, Dims);
  if (Status != CUDNN_STATUS_SUCCESS || Rank != 4)
    return CUDNN_STATUS_BAD_PARAM;
  int *const Out[] = {K, C, H, W};
  for (int I = 0; I != 4; ++I)
    if (Out[I])
      *Out[I] = Dims[I];
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(cudnnFilterDescriptor_t D,
                                        size_t *Size) {
  if (!D || !Size)
    return CUDNN_STATUS_BAD_PARAM;
  *Size = D->T.count() * sizeOfType(D->T.Type);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t D,
                                           cudnnActivationMode_t Mode,
                                           cudnnNanPropagation_t Nan,
                                           double Coefficient) {
  if (!D || unsigned(Mode) > unsigned(CUDNN_ACTIVATION_SWISH))
    return CUDNN_STATUS_BAD_PARAM;
  D->Mode = Mode;
  D->Nan = Nan;
  D->Coefficient = Coefficient;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetActivationDescriptor(cudnnActivationDescriptor_t D,
                                           cudnnActivationMode_t *Mode,
                                           cudnnNanPropagation_t *Nan,
                                           double *Coefficient) {
  using S = cudnnActivationStruct;
  return get(D, std::pair(Mode, &S::Mode), std::pair(Nan, &S::Nan),
             std::pair(Coefficient, &S::Coefficient));
}

cudnnStatus_t
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t D,
                                      double Beta) {
  if (!D)
    return CUDNN_STATUS_BAD_PARAM;
  D->SwishBeta = Beta;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t D,
                                         cudnnOpTensorOp_t Op,
                                         cudnnDataType_t ComputeType,
                                         cudnnNanPropagation_t Nan) {
  if (!D || unsigned(Op) > unsigned(CUDNN_OP_TENSOR_NOT))
    return CUDNN_STATUS_BAD_PARAM;
  D->Op = Op;
  D->ComputeType = ComputeType;
  D->Nan = Nan;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(cudnnOpTensorDescriptor_t D,
                                         cudnnOpTensorOp_t *Op,
                                         cudnnDataType_t *ComputeType,
                                         cudnnNanPropagation_t *Nan) {
  using S = cudnnOpTensorStruct;
  return get(D, std::pair(Op, &S::Op), std::pair(ComputeType, &S::ComputeType),
             std::pair(Nan, &S::Nan));
}

} // extern "C"
