//===- Product.h - Products of matrices of any types ---------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cublasGemmEx and cublasLtMatmul share: which combinations of types are
// served, scalars of any type, and matrices as packed ones of another type.
// Types that OpenBLAS has are multiplied as they are; half and bfloat16 through
// single precision, bytes through numbers that hold them exactly. A result is
// rounded once.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_BLAS_PRODUCT_H
#define ECHO_RUNTIME_CPU_LIBS_BLAS_PRODUCT_H

#include "runtime/cpu/libs/blas/Operands.h"

namespace echo::cpulibs {

/// One operand, of one matrix or a batch.
struct Matrix {
  const void *Data; ///< or, with Pointers, an array of them
  cudaDataType Type;
  int Ld;
  long long Stride = 0;
  bool Pointers = false;
  bool RowMajor = false; ///< for load() and store() alone
};

/// How the product is computed.
enum class Path { S, D, C, Z, ViaFloat, ViaDouble };

struct Product {
  cublasOperation_t TA, TB;
  int M, N, K;
  Matrix A, B, C;
  int Count = 1;
  Path How = Path::S;
  cudaDataType ScaleType = CUDA_R_32F;
};

/// Bytes of an element; 0 for a type that is not served.
size_t sizeOf(cudaDataType Type);

/// Chooses how to compute \p P; false for a combination of types that is not
/// served.
bool choosePath(Product &P, cublasComputeType_t Compute);

/// alpha or beta in any type, read now where it is in host memory, else when
/// get() is called.
class AnyScalar {
public:
  AnyScalar(bool OnHost, const void *P, cudaDataType Type);
  /// T must be the type itself or, for real types, any real one.
  template <typename T> T get() const;

private:
  cudaDataType Type;
  const void *Device;
  alignas(16) char Host[16] = {};
};

/// Says that matrix \p I of a batch is accessed.
void noteMatrix(Does What, const Matrix &X, int I, int Rows, int Cols);

/// Matrix \p I of a batch.
const void *matrixOf(const Matrix &X, int I);

/// Reads matrix \p I of \p From into packed columns; T is float or double.
template <typename T>
void load(const Matrix &From, int I, int Rows, int Cols, T *To);
/// Writes packed columns to matrix \p I of \p To, rounding each element once.
template <typename T>
void store(const Matrix &To, int I, int Rows, int Cols, const T *From);

/// Elements of the packed operands of one product.
inline size_t packedSize(const Product &P) {
  return size_t(P.M) * P.K + size_t(P.K) * P.N + size_t(P.M) * P.N;
}

#define BLAS_TYPE(L, l, T)                                                     \
  inline void multiply(const Product &P, const T &Alpha, const T *A, int LdA,  \
                       const T *B, int LdB, const T &Beta, T *C, int LdC) {    \
    const Scalar<T> Factor(nullptr, &Alpha), Old(nullptr, &Beta);              \
    cblas_##l##gemm(CblasColMajor, toCblas(P.TA), toCblas(P.TB), P.M, P.N,     \
                    P.K, Factor.arg(), A, LdA, B, LdB, Old.arg(), C, LdC);     \
  }
#include "Types.def"

} // namespace echo::cpulibs

#endif
