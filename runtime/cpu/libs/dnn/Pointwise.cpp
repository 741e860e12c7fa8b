//===- Pointwise.cpp - What cuDNN does element by element -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums, products, activations, scaling, copies between layouts, batch
// normalization with given statistics, and softmax, in single precision.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/dnn/Walk.h"

#include <algorithm>
#include <cmath>

using namespace echo::cpulibs;

float echo::cpulibs::activate(const cudnnActivationStruct &A, float X) {
  const auto C = float(A.Coefficient);
  // A NaN stays one only where that was asked for.
  const bool Drop = std::isnan(X) && A.Nan == CUDNN_NOT_PROPAGATE_NAN;
  switch (A.Mode) {
  case CUDNN_ACTIVATION_SIGMOID:
    return 1 / (1 + std::exp(-X));
  case CUDNN_ACTIVATION_RELU:
    return X < 0 || Drop ? 0 : X;
  case CUDNN_ACTIVATION_TANH:
    return std::tanh(X);
  case CUDNN_ACTIVATION_CLIPPED_RELU:
    return X < 0 || Drop ? 0 : X > C ? C : X;
  case CUDNN_ACTIVATION_ELU:
    return X < 0 ? C * std::expm1(X) : X;
  case CUDNN_ACTIVATION_IDENTITY:
    return X;
  case CUDNN_ACTIVATION_SWISH:
    return X / (1 + std::exp(-float(A.SwishBeta) * X));
  }
  return X;
}

static float combine(cudnnOpTensorOp_t Op, float A, float B) {
  switch (Op) {
  case CUDNN_OP_TENSOR_ADD:
    return A + B;
  case CUDNN_OP_TENSOR_MUL:
    return A * B;
  case CUDNN_OP_TENSOR_MIN:
    return std::min(A, B);
  case CUDNN_OP_TENSOR_MAX:
    return std::max(A, B);
  case CUDNN_OP_TENSOR_SQRT:
    return std::sqrt(A);
  case CUDNN_OP_TENSOR_NOT:
    return 1 - A;
  }
  return A;
}

/// Checks what all calls have in common; success means that the call may go on.
static cudnnStatus_t
check(cudnnHandle_t H, const char *Function,
      std::initializer_list<const void *> Pointers,
      std::initializer_list<cudnnTensorDescriptor_t> Tensors) {
  for (cudnnTensorDescriptor_t D : Tensors)
    if (!D)
      return CUDNN_STATUS_BAD_PARAM;
  if (!isAlive(H))
    return CUDNN_STATUS_NOT_INITIALIZED;
  for (const void *P : Pointers)
    if (!P)
      return CUDNN_STATUS_BAD_PARAM;
  for (cudnnTensorDescriptor_t D : Tensors) {
    if (!D->T.isSet())
      return CUDNN_STATUS_BAD_PARAM;
    if (!D->T.isFloat())
      return unsupported(Function, "a tensor that is not CUDNN_DATA_FLOAT");
  }
  return CUDNN_STATUS_SUCCESS;
}

/// The same for Y = Alpha * f(X) + Beta * Y, where both have the same shape.
static cudnnStatus_t checkMap(cudnnHandle_t H, const char *Function,
                              const void *Alpha, cudnnTensorDescriptor_t XDesc,
                              const void *X, const void *Beta,
                              cudnnTensorDescriptor_t YDesc, const void *Y) {
  auto Status = check(H, Function, {Alpha, X, Beta, Y}, {XDesc, YDesc});
  if (Status == CUDNN_STATUS_SUCCESS && !XDesc->T.sameDims(YDesc->T))
    return CUDNN_STATUS_BAD_PARAM;
  return Status;
}

/// The softmax of the \p Count numbers at \p X, \p Step apart.
static void softmax(cudnnSoftmaxAlgorithm_t How, const float *X, float *Y,
                    int64_t Count, int64_t StepX, int64_t StepY,
                    const Blend &B) {
  float Largest = How == CUDNN_SOFTMAX_FAST ? 0 : X[0];
  double Sum = 0;
  for (int64_t I = 0; How != CUDNN_SOFTMAX_FAST && I != Count; ++I)
    Largest = std::max(Largest, X[I * StepX]);
  for (int64_t I = 0; I != Count; ++I)
    Sum += std::exp(X[I * StepX] - Largest);
  for (int64_t I = 0; I != Count; ++I) {
    float Shifted = X[I * StepX] - Largest;
    float Result = How == CUDNN_SOFTMAX_LOG ? float(Shifted - std::log(Sum))
                                            : float(std::exp(Shifted) / Sum);
    Y[I * StepY] = B(Result, Y[I * StepY]);
  }
}

/// Is all that follows the first dimension of \p T without gaps, so that it can
/// be walked with one step?
static bool isDense(const Tensor &T) {
  Tensor Packed = T;
  packStrides(Packed, false);
  return std::equal(T.Strides + 1, T.Strides + T.Rank, Packed.Strides + 1);
}

extern "C" {

ECHO_FOLLOWED(cudnnAddTensor)
cudnnStatus_t cudnnAddTensor(cudnnHandle_t H, const void *Alpha,
                             cudnnTensorDescriptor_t ADesc, const void *A,
                             const void *Beta, cudnnTensorDescriptor_t CDesc,
                             void *C) {
  if (auto Status =
          check(H, "cudnnAddTensor", {Alpha, A, Beta, C}, {ADesc, CDesc});
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor AT = ADesc->T, CT = CDesc->T;
  if (!broadcasts(AT, CT))
    return CUDNN_STATUS_BAD_PARAM;
  const Blend B = readBlend(Alpha, Beta);
  return enqueue(H, [=] {
    noteTensor(Does::Read, AT, A);
    noteBlended(B, CT, C);
    walk({operand(CT, C), operand(AT, A)},
         [&](float **P) { *P[0] = B(*P[1], *P[0]); });
  });
}

ECHO_FOLLOWED(cudnnTransformTensor)
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t H, const void *Alpha,
                                   cudnnTensorDescriptor_t XDesc, const void *X,
                                   const void *Beta,
                                   cudnnTensorDescriptor_t YDesc, void *Y) {
  if (auto Status =
          checkMap(H, "cudnnTransformTensor", Alpha, XDesc, X, Beta, YDesc, Y);
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor XT = XDesc->T, YT = YDesc->T;
  const Blend B = readBlend(Alpha, Beta);
  return enqueue(H, [=] {
    noteTensor(Does::Read, XT, X);
    noteBlended(B, YT, Y);
    walk({operand(YT, Y), operand(XT, X)},
         [&](float **P) { *P[0] = B(*P[1], *P[0]); });
  });
}

ECHO_FOLLOWED(cudnnOpTensor)
cudnnStatus_t cudnnOpTensor(cudnnHandle_t H, cudnnOpTensorDescriptor_t Op,
                            const void *Alpha1, cudnnTensorDescriptor_t ADesc,
                            const void *A, const void *Alpha2,
                            cudnnTensorDescriptor_t BDesc, const void *B,
                            const void *Beta, cudnnTensorDescriptor_t CDesc,
                            void *C) {
  if (!Op)
    return CUDNN_STATUS_BAD_PARAM;
  const cudnnOpTensorOp_t What = Op->Op;
  const bool One = What == CUDNN_OP_TENSOR_SQRT || What == CUDNN_OP_TENSOR_NOT;
  if (!One && (!BDesc || !B || !Alpha2))
    return CUDNN_STATUS_BAD_PARAM;
  // B is not looked at where the operation has one operand.
  if (One)
    BDesc = ADesc, B = A;
  if (auto Status = check(H, "cudnnOpTensor", {Alpha1, A, Beta, C},
                          {ADesc, BDesc, CDesc});
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor AT = ADesc->T, CT = CDesc->T, BT = BDesc->T;
  if (!AT.sameDims(CT) || !broadcasts(BT, CT))
    return CUDNN_STATUS_BAD_PARAM;
  const float FactorA = *static_cast<const float *>(Alpha1);
  const float FactorB = One ? 0 : *static_cast<const float *>(Alpha2);
  const Blend Blending = {1, *static_cast<const float *>(Beta)};
  return enqueue(H, [=] {
    noteTensor(Does::Read, AT, A);
    noteTensor(Does::Read, BT, B);
    noteBlended(Blending, CT, C);
    walk({operand(CT, C), operand(AT, A), operand(BT, B)}, [&](float **P) {
      *P[0] = Blending(combine(What, FactorA * *P[1], FactorB * *P[2]), *P[0]);
    });
  });
}

ECHO_FOLLOWED(cudnnSetTensor)
cudnnStatus_t cudnnSetTensor(cudnnHandle_t H, cudnnTensorDescriptor_t YDesc,
                             void *Y, const void *Value) {
  if (auto Status = check(H, "cudnnSetTensor", {Y, Value}, {YDesc});
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor YT = YDesc->T;
  const float V = *static_cast<const float *>(Value);
  return enqueue(H, [=] {
    noteTensor(Does::Write, YT, Y);
    walk({operand(YT, Y)}, [&](float **P) { *P[0] = V; });
  });
}

ECHO_FOLLOWED(cudnnScaleTensor)
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t H, cudnnTensorDescriptor_t YDesc,
                               void *Y, const void *Alpha) {
  if (auto Status = check(H, "cudnnScaleTensor", {Y, Alpha}, {YDesc});
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor YT = YDesc->T;
  const float V = *static_cast<const float *>(Alpha);
  return enqueue(H, [=] {
    noteTensor(Does::Read, YT, Y);
    noteTensor(Does::Write, YT, Y);
    walk({operand(YT, Y)}, [&](float **P) { *P[0] *= V; });
  });
}

ECHO_FOLLOWED(cudnnActivationForward)
cudnnStatus_t cudnnActivationForward(cudnnHandle_t H,
                                     cudnnActivationDescriptor_t Activation,
                                     const void *Alpha,
                                     cudnnTensorDescriptor_t XDesc,
                                     const void *X, const void *Beta,
                                     cudnnTensorDescriptor_t YDesc, void *Y) {
  if (!Activation)
    return CUDNN_STATUS_BAD_PARAM;
  if (auto Status = checkMap(H, "cudnnActivationForward", Alpha, XDesc, X, Beta,
                             YDesc, Y);
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor XT = XDesc->T, YT = YDesc->T;
  const Blend B = readBlend(Alpha, Beta);
  return enqueue(H, [=, A = *Activation] {
    noteTensor(Does::Read, XT, X);
    noteBlended(B, YT, Y);
    walk({operand(YT, Y), operand(XT, X)},
         [&](float **P) { *P[0] = B(activate(A, *P[1]), *P[0]); });
  });
}

cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t Derived,
                                            cudnnTensorDescriptor_t X,
                                            cudnnBatchNormMode_t Mode) {
  if (!Derived || !X || X->T.Rank < 4)
    return CUDNN_STATUS_BAD_PARAM;
  Tensor T = X->T;
  T.Dims[0] = 1;
  if (Mode != CUDNN_BATCHNORM_PER_ACTIVATION)
    std::fill(T.Dims + 2, T.Dims + T.Rank, 1);
  if (T.Type == CUDNN_DATA_HALF || T.Type == CUDNN_DATA_BFLOAT16)
    T.Type = CUDNN_DATA_FLOAT;
  packStrides(T, false);
  Derived->T = T;
  return CUDNN_STATUS_SUCCESS;
}

ECHO_FOLLOWED(cudnnBatchNormalizationForwardInference)
cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t H, cudnnBatchNormMode_t, const void *Alpha, const void *Beta,
    cudnnTensorDescriptor_t XDesc, const void *X, cudnnTensorDescriptor_t YDesc,
    void *Y, cudnnTensorDescriptor_t StatDesc, const void *Scale,
    const void *Bias, const void *Mean, const void *Variance, double Epsilon) {
  if (auto Status = check(H, "cudnnBatchNormalizationForwardInference",
                          {Alpha, Beta, X, Y, Scale, Bias, Mean, Variance},
                          {XDesc, YDesc, StatDesc});
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor XT = XDesc->T, YT = YDesc->T, ST = StatDesc->T;
  if (!XT.sameDims(YT) || !broadcasts(ST, XT) || Epsilon < 0)
    return CUDNN_STATUS_BAD_PARAM;
  const Blend B = readBlend(Alpha, Beta);
  return enqueue(H, [=] {
    noteTensor(Does::Read, XT, X);
    for (const void *P : {Scale, Bias, Mean, Variance})
      noteTensor(Does::Read, ST, P);
    noteBlended(B, YT, Y);
    walk({operand(YT, Y), operand(XT, X), operand(ST, Scale), operand(ST, Bias),
          operand(ST, Mean), operand(ST, Variance)},
         [&](float **P) {
           float Unit = (*P[1] - *P[4]) / std::sqrt(*P[5] + float(Epsilon));
           *P[0] = B(*P[2] * Unit + *P[3], *P[0]);
         });
  });
}

ECHO_FOLLOWED(cudnnSoftmaxForward)
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t H, cudnnSoftmaxAlgorithm_t How,
                                  cudnnSoftmaxMode_t Mode, const void *Alpha,
                                  cudnnTensorDescriptor_t XDesc, const void *X,
                                  const void *Beta,
                                  cudnnTensorDescriptor_t YDesc, void *Y) {
  if (auto Status =
          checkMap(H, "cudnnSoftmaxForward", Alpha, XDesc, X, Beta, YDesc, Y);
      Status != CUDNN_STATUS_SUCCESS)
    return Status;
  const Tensor XT = XDesc->T, YT = YDesc->T;
  if (XT.Rank < 2 || unsigned(How) > unsigned(CUDNN_SOFTMAX_LOG))
    return CUDNN_STATUS_BAD_PARAM;
  const bool Instance = Mode == CUDNN_SOFTMAX_MODE_INSTANCE;
  if (Instance && (!isDense(XT) || !isDense(YT)))
    return unsupported("cudnnSoftmaxForward",
                       "CUDNN_SOFTMAX_MODE_INSTANCE of a strided tensor");
  const Blend B = readBlend(Alpha, Beta);
  return enqueue(H, [=] {
    noteTensor(Does::Read, XT, X);
    noteBlended(B, YT, Y);
    // One visit for each vector: those dimensions count as one element.
    Tensor Starts = XT, YStarts = YT;
    const int64_t Count =
        Instance ? XT.count() / XT.Dims[0] : int64_t(XT.Dims[1]);
    for (int I = 1; I != (Instance ? XT.Rank : 2); ++I)
      Starts.Dims[I] = YStarts.Dims[I] = 1;
    walk({operand(YStarts, Y), operand(Starts, X)}, [&](float **P) {
      softmax(How, P[1], P[0], Count, Instance ? 1 : XT.Strides[1],
              Instance ? 1 : YT.Strides[1], B);
    });
  });
}

} // extern "C"
