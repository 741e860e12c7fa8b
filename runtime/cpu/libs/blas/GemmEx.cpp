//===- GemmEx.cpp - Products of mixed types -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasGemmEx and its like: products of every combination of types that
// Product.h serves, of one pair of matrices or a batch.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Product.h"

#include <cuda_fp16.h>

using namespace echo::cpulibs;

/// The products as they are.
template <typename T>
static void runDirect(const Product &P, const AnyScalar &Alpha,
                      const AnyScalar &Beta) {
  const bool PlainA = P.TA == CUBLAS_OP_N, PlainB = P.TB == CUBLAS_OP_N;
  const T Factor = Alpha.get<T>(), Old = Beta.get<T>();
  for (int I = 0; I != P.Count; ++I) {
    if (!isZero(Factor)) {
      noteMatrix(Does::Read, P.A, I, PlainA ? P.M : P.K, PlainA ? P.K : P.M);
      noteMatrix(Does::Read, P.B, I, PlainB ? P.K : P.N, PlainB ? P.N : P.K);
    }
    if (!isZero(Old))
      noteMatrix(Does::Read, P.C, I, P.M, P.N);
    noteMatrix(Does::Write, P.C, I, P.M, P.N);
    multiply(P, Factor, static_cast<const T *>(matrixOf(P.A, I)), P.A.Ld,
             static_cast<const T *>(matrixOf(P.B, I)), P.B.Ld, Old,
             static_cast<T *>(const_cast<void *>(matrixOf(P.C, I))), P.C.Ld);
  }
}

/// The products through another type, in packed memory.
template <typename T>
static void runVia(const Product &P, const AnyScalar &Alpha,
                   const AnyScalar &Beta, T *Memory) {
  const bool PlainA = P.TA == CUBLAS_OP_N, PlainB = P.TB == CUBLAS_OP_N;
  const int RowsA = PlainA ? P.M : P.K, RowsB = PlainB ? P.K : P.N;
  const T Old = Beta.get<T>();
  T *A = Memory, *B = A + size_t(P.M) * P.K, *C = B + size_t(P.K) * P.N;
  auto AtLeastOne = [](int X) { return X > 1 ? X : 1; };
  for (int I = 0; I != P.Count; ++I) {
    load(P.A, I, RowsA, PlainA ? P.K : P.M, A);
    load(P.B, I, RowsB, PlainB ? P.N : P.K, B);
    if (Old != 0)
      load(P.C, I, P.M, P.N, C);
    multiply(P, Alpha.get<T>(), A, AtLeastOne(RowsA), B, AtLeastOne(RowsB), Old,
             C, AtLeastOne(P.M));
    store(P.C, I, P.M, P.N, C);
  }
}

[[gnu::always_inline]] static inline cublasStatus_t
gemmEx(cublasHandle_t H, const char *Function, Product P, const void *Alpha,
       const void *Beta, cublasComputeType_t Compute) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isOp(P.TA) || !isOp(P.TB) || !areSizes(P.M, P.N, P.K, P.Count) ||
      !Alpha || !Beta || !isLd(P.A.Ld, P.TA == CUBLAS_OP_N ? P.M : P.K) ||
      !isLd(P.B.Ld, P.TB == CUBLAS_OP_N ? P.K : P.N) || !isLd(P.C.Ld, P.M))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!choosePath(P, Compute)) {
    sayUnsupported(Function, "this combination of types");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  const AnyScalar A(onHost(H), Alpha, P.ScaleType);
  const AnyScalar B(onHost(H), Beta, P.ScaleType);
  Scratch<double> Memory;
  if (P.How == Path::ViaFloat || P.How == Path::ViaDouble) {
    Memory = makeScratch<double>(packedSize(P));
    if (!Memory)
      return CUBLAS_STATUS_ALLOC_FAILED;
  }
  return enqueue(H, true, [P, A, B, Memory = std::move(Memory)] {
    switch (P.How) {
    case Path::S:
      return runDirect<float>(P, A, B);
    case Path::D:
      return runDirect<double>(P, A, B);
    case Path::C:
      return runDirect<cuComplex>(P, A, B);
    case Path::Z:
      return runDirect<cuDoubleComplex>(P, A, B);
    case Path::ViaFloat:
      return runVia(P, A, B, reinterpret_cast<float *>(Memory.get()));
    case Path::ViaDouble:
      return runVia(P, A, B, Memory.get());
    }
  });
}

extern "C" {

ECHO_FOLLOWED(cublasGemmEx)
cublasStatus_t cublasGemmEx(cublasHandle_t H, cublasOperation_t TA,
                            cublasOperation_t TB, int M, int N, int K,
                            const void *Alpha, const void *A,
                            cudaDataType AType, int LdA, const void *B,
                            cudaDataType BType, int LdB, const void *Beta,
                            void *C, cudaDataType CType, int LdC,
                            cublasComputeType_t Compute, cublasGemmAlgo_t) {
  return gemmEx(
      H, "cublasGemmEx",
      {TA, TB, M, N, K, {A, AType, LdA}, {B, BType, LdB}, {C, CType, LdC}},
      Alpha, Beta, Compute);
}

ECHO_FOLLOWED(cublasSgemmEx)
cublasStatus_t cublasSgemmEx(cublasHandle_t H, cublasOperation_t TA,
                             cublasOperation_t TB, int M, int N, int K,
                             const float *Alpha, const void *A,
                             cudaDataType AType, int LdA, const void *B,
                             cudaDataType BType, int LdB, const float *Beta,
                             void *C, cudaDataType CType, int LdC) {
  return gemmEx(
      H, "cublasSgemmEx",
      {TA, TB, M, N, K, {A, AType, LdA}, {B, BType, LdB}, {C, CType, LdC}},
      Alpha, Beta, CUBLAS_COMPUTE_32F);
}

ECHO_FOLLOWED(cublasGemmStridedBatchedEx)
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M, int N,
    int K, const void *Alpha, const void *A, cudaDataType AType, int LdA,
    long long StrideA, const void *B, cudaDataType BType, int LdB,
    long long StrideB, const void *Beta, void *C, cudaDataType CType, int LdC,
    long long StrideC, int Count, cublasComputeType_t Compute,
    cublasGemmAlgo_t) {
  return gemmEx(H, "cublasGemmStridedBatchedEx",
                {TA,
                 TB,
                 M,
                 N,
                 K,
                 {A, AType, LdA, StrideA},
                 {B, BType, LdB, StrideB},
                 {C, CType, LdC, StrideC},
                 Count},
                Alpha, Beta, Compute);
}

ECHO_FOLLOWED(cublasGemmBatchedEx)
cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M, int N,
    int K, const void *Alpha, const void *const A[], cudaDataType AType,
    int LdA, const void *const B[], cudaDataType BType, int LdB,
    const void *Beta, void *const C[], cudaDataType CType, int LdC, int Count,
    cublasComputeType_t Compute, cublasGemmAlgo_t) {
  return gemmEx(H, "cublasGemmBatchedEx",
                {TA,
                 TB,
                 M,
                 N,
                 K,
                 {A, AType, LdA, 0, true},
                 {B, BType, LdB, 0, true},
                 {C, CType, LdC, 0, true},
                 Count},
                Alpha, Beta, Compute);
}

ECHO_FOLLOWED(cublasHgemm)
cublasStatus_t cublasHgemm(cublasHandle_t H, cublasOperation_t TA,
                           cublasOperation_t TB, int M, int N, int K,
                           const __half *Alpha, const __half *A, int LdA,
                           const __half *B, int LdB, const __half *Beta,
                           __half *C, int LdC) {
  const cudaDataType Half = CUDA_R_16F;
  return gemmEx(
      H, "cublasHgemm",
      {TA, TB, M, N, K, {A, Half, LdA}, {B, Half, LdB}, {C, Half, LdC}}, Alpha,
      Beta, CUBLAS_COMPUTE_16F);
}

ECHO_FOLLOWED(cublasHgemmStridedBatched)
cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t H, cublasOperation_t TA, cublasOperation_t TB, int M, int N,
    int K, const __half *Alpha, const __half *A, int LdA, long long StrideA,
    const __half *B, int LdB, long long StrideB, const __half *Beta, __half *C,
    int LdC, long long StrideC, int Count) {
  const cudaDataType Half = CUDA_R_16F;
  return cublasGemmStridedBatchedEx(H, TA, TB, M, N, K, Alpha, A, Half, LdA,
                                    StrideA, B, Half, LdB, StrideB, Beta, C,
                                    Half, LdC, StrideC, Count,
                                    CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

ECHO_FOLLOWED(cublasHgemmBatched)
cublasStatus_t cublasHgemmBatched(cublasHandle_t H, cublasOperation_t TA,
                                  cublasOperation_t TB, int M, int N, int K,
                                  const __half *Alpha, const __half *const A[],
                                  int LdA, const __half *const B[], int LdB,
                                  const __half *Beta, __half *const C[],
                                  int LdC, int Count) {
  const cudaDataType Half = CUDA_R_16F;
  return cublasGemmBatchedEx(
      H, TA, TB, M, N, K, Alpha, reinterpret_cast<const void *const *>(A), Half,
      LdA, reinterpret_cast<const void *const *>(B), Half, LdB, Beta,
      reinterpret_cast<void *const *>(C), Half, LdC, Count, CUBLAS_COMPUTE_16F,
      CUBLAS_GEMM_DEFAULT);
}

} // extern "C"
