//===- LtEpilogue.h - What follows a product of cuBLASLt ------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Biases, activations and their gradients, applied to a result before it is
// rounded. ReLU with its bit mask is not served.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_BLAS_LTEPILOGUE_H
#define ECHO_RUNTIME_CPU_LIBS_BLAS_LTEPILOGUE_H

#include "runtime/cpu/libs/blas/LtDescriptors.h"
#include "runtime/cpu/libs/blas/Product.h"

namespace echo::cpulibs {

/// The parts that an epilogue is made of.
struct Epilogue {
  enum class Curve { None, Relu, Gelu, GeluGradient };
  enum class Sum { None, D, A, B }; ///< of what the bias gradient is made
  Curve Activation = Curve::None;
  Sum Gradient = Sum::None;
  bool AddsBias = false;
  bool KeepsInput = false; ///< the activation's, in Aux
  Matrix Bias{}, Aux{};
};

/// Splits what \p D asks for, for results of \p P; SUCCESS, INVALID_VALUE for
/// pointers or sizes that it lacks, NOT_SUPPORTED.
cublasStatus_t readEpilogue(const LtDesc &D, const Product &P, Epilogue &E);

/// One operand of a product, packed or as it is.
template <typename T> struct Operand {
  const T *Data;
  int Ld;
  cublasOperation_t Op;
  T at(int I, int J) const {
    return Op == CUBLAS_OP_N ? Data[I + size_t(J) * Ld]
                             : Data[J + size_t(I) * Ld];
  }
};

/// Applies \p E to product \p I of a batch: \p D, packed columns. \p Memory
/// holds as much again.
template <typename T>
void finish(const Epilogue &E, const Product &P, int I, const Operand<T> &A,
            const Operand<T> &B, T *D, T *Memory);

} // namespace echo::cpulibs

#endif
