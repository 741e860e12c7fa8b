//===- LtEpilogue.cpp - What follows a product of cuBLASLt ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bias is added first, then the activation's input is kept, then the
// activation or its gradient applied. GELU is the approximation by tanh. Bias
// gradients are sums over the columns of the result, or over k of an operand.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/LtEpilogue.h"

#include <climits>
#include <cmath>

using namespace echo::cpulibs;

cublasStatus_t echo::cpulibs::readEpilogue(const LtDesc &D, const Product &P,
                                           Epilogue &E) {
  using Curve = Epilogue::Curve;
  using Sum = Epilogue::Sum;
  static const struct {
    unsigned Name;
    Curve Activation;
    Sum Gradient;
    bool AddsBias, KeepsInput;
  } Served[] = {
      {CUBLASLT_EPILOGUE_DEFAULT, Curve::None, Sum::None, false, false},
      {CUBLASLT_EPILOGUE_BIAS, Curve::None, Sum::None, true, false},
      {CUBLASLT_EPILOGUE_RELU, Curve::Relu, Sum::None, false, false},
      {CUBLASLT_EPILOGUE_RELU_BIAS, Curve::Relu, Sum::None, true, false},
      {CUBLASLT_EPILOGUE_GELU, Curve::Gelu, Sum::None, false, false},
      {CUBLASLT_EPILOGUE_GELU_BIAS, Curve::Gelu, Sum::None, true, false},
      {CUBLASLT_EPILOGUE_GELU_AUX, Curve::Gelu, Sum::None, false, true},
      {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, Curve::Gelu, Sum::None, true, true},
      {CUBLASLT_EPILOGUE_DGELU, Curve::GeluGradient, Sum::None, false, false},
      {CUBLASLT_EPILOGUE_DGELU_BGRAD, Curve::GeluGradient, Sum::D, false,
       false},
      {CUBLASLT_EPILOGUE_BGRADA, Curve::None, Sum::A, false, false},
      {CUBLASLT_EPILOGUE_BGRADB, Curve::None, Sum::B, false, false},
  };
  for (const auto &S : Served)
    if (S.Name == D.Epilogue) {
      E.Activation = S.Activation;
      E.Gradient = S.Gradient;
      E.AddsBias = S.AddsBias;
      E.KeepsInput = S.KeepsInput;
      auto TypeOf = [&](int32_t Type) {
        return Type == -1 ? P.C.Type : cudaDataType(Type);
      };
      E.Bias = {D.Bias, TypeOf(D.BiasType), INT_MAX, D.BiasStride};
      E.Aux = {D.Aux, TypeOf(D.AuxType), int(D.AuxLd), D.AuxStride};
      if ((E.AddsBias || E.Gradient != Sum::None) && !D.Bias)
        return CUBLAS_STATUS_INVALID_VALUE;
      bool UsesAux = E.KeepsInput || E.Activation == Curve::GeluGradient;
      if (UsesAux && (!D.Aux || D.AuxLd < P.M || D.AuxLd % 8 != 0 ||
                      D.AuxLd > INT_MAX || D.AuxStride % 8 != 0))
        return CUBLAS_STATUS_INVALID_VALUE;
      return sizeOf(E.Bias.Type) && sizeOf(E.Aux.Type)
                 ? CUBLAS_STATUS_SUCCESS
                 : CUBLAS_STATUS_NOT_SUPPORTED;
    }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// The argument of GELU's tanh.
template <typename T> static T inner(T X) {
  return T(0.7978845608028654) * (X + T(0.044715) * X * X * X);
}
template <typename T> static T gelu(T X) {
  return T(0.5) * X * (1 + std::tanh(inner(X)));
}
template <typename T> static T geluGradient(T X) {
  const T Tanh = std::tanh(inner(X));
  const T Slope = T(0.7978845608028654) * (1 + T(3 * 0.044715) * X * X);
  return T(0.5) * (1 + Tanh) + T(0.5) * X * (1 - Tanh * Tanh) * Slope;
}

/// The sums of \p Rows rows of \p Cols elements become the bias gradient.
template <typename T, typename Fn>
static void storeSums(const Epilogue &E, int I, int Rows, int Cols, T *Memory,
                      Fn At) {
  for (int R = 0; R != Rows; ++R) {
    T Sum = 0;
    for (int C = 0; C != Cols; ++C)
      Sum += At(R, C);
    Memory[R] = Sum;
  }
  store(E.Bias, I, Rows, 1, Memory);
}

template <typename T>
static void activate(const Epilogue &E, const Product &P, int I, T *D,
                     T *Memory) {
  const size_t Count = size_t(P.M) * P.N;
  switch (E.Activation) {
  case Epilogue::Curve::None:
    return;
  case Epilogue::Curve::Relu:
    for (size_t J = 0; J != Count; ++J)
      D[J] = D[J] < 0 ? 0 : D[J];
    return;
  case Epilogue::Curve::Gelu:
    for (size_t J = 0; J != Count; ++J)
      D[J] = gelu(D[J]);
    return;
  case Epilogue::Curve::GeluGradient:
    load(E.Aux, I, P.M, P.N, Memory);
    for (size_t J = 0; J != Count; ++J)
      D[J] *= geluGradient(Memory[J]);
    return;
  }
}

template <typename T>
void echo::cpulibs::finish(const Epilogue &E, const Product &P, int I,
                           const Operand<T> &A, const Operand<T> &B, T *D,
                           T *Memory) {
  if (E.AddsBias) {
    load(E.Bias, I, P.M, 1, Memory);
    for (size_t J = 0; J != size_t(P.M) * P.N; ++J)
      D[J] += Memory[J % P.M];
  }
  if (E.KeepsInput)
    store(E.Aux, I, P.M, P.N, D);
  activate(E, P, I, D, Memory);
  switch (E.Gradient) {
  case Epilogue::Sum::None:
    return;
  case Epilogue::Sum::D:
    return storeSums(E, I, P.M, P.N, Memory,
                     [&](int R, int C) { return D[R + size_t(C) * P.M]; });
  case Epilogue::Sum::A:
    return storeSums(E, I, P.M, P.K, Memory,
                     [&](int R, int C) { return A.at(R, C); });
  case Epilogue::Sum::B:
    return storeSums(E, I, P.N, P.K, Memory,
                     [&](int R, int C) { return B.at(C, R); });
  }
}

#define REAL_TYPE(L, l, T)                                                     \
  template void echo::cpulibs::finish(const Epilogue &, const Product &, int,  \
                                      const Operand<T> &, const Operand<T> &,  \
                                      T *, T *);
#include "Types.def"
