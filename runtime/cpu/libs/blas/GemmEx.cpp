//===- GemmEx.cpp - Products of mixed types -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasGemmEx and its like. Types that OpenBLAS has are multiplied as they
// are; half and bfloat16 through single precision, bytes through numbers that
// hold them exactly, and the result is rounded once.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/Handle.h"

#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace echo::cpulibs;

namespace {
/// One operand, of one matrix or a batch.
struct Matrix {
  const void *Data; ///< or, with Pointers, an array of them
  cudaDataType Type;
  int Ld;
  long long Stride = 0;
  bool Pointers = false;
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

/// alpha or beta in any type, read when the pointer mode says.
class AnyScalar {
public:
  AnyScalar(cublasHandle_t H, const void *P, cudaDataType Type, size_t Size)
      : Type(Type), Device(onHost(H) ? nullptr : P) {
    if (!Device)
      memcpy(Host, P, Size);
  }
  template <typename T> T get() const {
    const void *P = Device ? Device : Host;
    switch (Type) {
    case CUDA_R_16F:
      return as<T>(__half2float(*static_cast<const __half *>(P)));
    case CUDA_R_32F:
      return as<T>(*static_cast<const float *>(P));
    case CUDA_R_32I:
      return as<T>(*static_cast<const int *>(P));
    default: // The type itself.
      return *static_cast<const T *>(P);
    }
  }

private:
  template <typename T, typename From> static T as(From X) {
    if constexpr (IsComplex<T>)
      return T{};
    else
      return T(X);
  }
  cudaDataType Type;
  const void *Device;
  alignas(16) char Host[16] = {};
};
} // namespace

static size_t sizeOf(cudaDataType Type) {
  switch (Type) {
  case CUDA_R_8I:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}

/// Chooses how to compute \p P; false for a combination of types that is not
/// served.
static bool choosePath(Product &P, cublasComputeType_t Compute) {
  const cudaDataType In = P.A.Type, Out = P.C.Type;
  if (P.B.Type != In)
    return false;
  switch (Compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    P.ScaleType = CUDA_R_16F;
    P.How = Path::ViaFloat;
    return In == CUDA_R_16F && Out == In;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    P.ScaleType = CUDA_R_32I;
    P.How = Path::ViaDouble;
    return In == CUDA_R_8I && Out == CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    P.ScaleType = In;
    P.How = In == CUDA_C_64F ? Path::Z : Path::D;
    return (In == CUDA_R_64F || In == CUDA_C_64F) && Out == In;
  case CUBLAS_COMPUTE_32F:
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    P.ScaleType = In == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
    P.How = In == CUDA_R_32F   ? Path::S
            : In == CUDA_C_32F ? Path::C
                               : Path::ViaFloat;
    if (In == CUDA_R_32F || In == CUDA_C_32F)
      return Out == In;
    return In == CUDA_R_8I ? Out == CUDA_R_32F
                           : (In == CUDA_R_16F || In == CUDA_R_16BF) &&
                                 (Out == In || Out == CUDA_R_32F);
  default:
    return false;
  }
}

static const void *matrixOf(const Matrix &X, int I) {
  if (X.Pointers)
    return static_cast<const void *const *>(X.Data)[I];
  return static_cast<const char *>(X.Data) + I * X.Stride * sizeOf(X.Type);
}

#define BLAS_TYPE(L, l, T)                                                     \
  static void multiply(const Product &P, const T &Alpha, const T *A, int LdA,  \
                       const T *B, int LdB, const T &Beta, T *C, int LdC) {    \
    const Scalar<T> Factor(nullptr, &Alpha), Old(nullptr, &Beta);              \
    cblas_##l##gemm(CblasColMajor, toCblas(P.TA), toCblas(P.TB), P.M, P.N,     \
                    P.K, Factor.arg(), A, LdA, B, LdB, Old.arg(), C, LdC);     \
  }
#include "Types.def"

/// The products as they are.
template <typename T>
static void runDirect(const Product &P, const AnyScalar &Alpha,
                      const AnyScalar &Beta) {
  for (int I = 0; I != P.Count; ++I)
    multiply(P, Alpha.get<T>(), static_cast<const T *>(matrixOf(P.A, I)),
             P.A.Ld, static_cast<const T *>(matrixOf(P.B, I)), P.B.Ld,
             Beta.get<T>(),
             static_cast<T *>(const_cast<void *>(matrixOf(P.C, I))), P.C.Ld);
}

/// Calls \p Each with the offsets of an element in the matrix and packed.
template <typename Fn>
static void eachElement(int Rows, int Cols, int Ld, Fn Each) {
  for (int J = 0; J != Cols; ++J)
    for (int I = 0; I != Rows; ++I)
      Each(I + size_t(J) * Ld, I + size_t(J) * Rows);
}

template <typename T>
static void load(cudaDataType Type, const void *From, int Rows, int Cols,
                 int Ld, T *To) {
  auto With = [&](auto Read) {
    eachElement(Rows, Cols, Ld,
                [&](size_t At, size_t Packed) { To[Packed] = Read(At); });
  };
  switch (Type) {
  case CUDA_R_16F:
    return With([&](size_t I) {
      return __half2float(static_cast<const __half *>(From)[I]);
    });
  case CUDA_R_16BF:
    return With([&](size_t I) {
      return __bfloat162float(static_cast<const __nv_bfloat16 *>(From)[I]);
    });
  case CUDA_R_8I:
    return With(
        [&](size_t I) { return T(static_cast<const int8_t *>(From)[I]); });
  case CUDA_R_32I:
    return With(
        [&](size_t I) { return T(static_cast<const int32_t *>(From)[I]); });
  default:
    return With(
        [&](size_t I) { return T(static_cast<const float *>(From)[I]); });
  }
}

template <typename T>
static void store(cudaDataType Type, const T *From, int Rows, int Cols, int Ld,
                  void *To) {
  auto With = [&](auto Write) {
    eachElement(Rows, Cols, Ld,
                [&](size_t At, size_t Packed) { Write(At, From[Packed]); });
  };
  switch (Type) {
  case CUDA_R_16F:
    return With([&](size_t I, T X) {
      static_cast<__half *>(To)[I] = __float2half(float(X));
    });
  case CUDA_R_16BF:
    return With([&](size_t I, T X) {
      static_cast<__nv_bfloat16 *>(To)[I] = __float2bfloat16(float(X));
    });
  case CUDA_R_32I:
    // As 32-bit sums wrap around.
    return With([&](size_t I, T X) {
      static_cast<int32_t *>(To)[I] = int32_t(uint32_t(int64_t(X)));
    });
  default:
    return With([&](size_t I, T X) { static_cast<float *>(To)[I] = float(X); });
  }
}

/// Elements of the packed operands.
static size_t packedSize(const Product &P) {
  return size_t(P.M) * P.K + size_t(P.K) * P.N + size_t(P.M) * P.N;
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
    load(P.A.Type, matrixOf(P.A, I), RowsA, PlainA ? P.K : P.M, P.A.Ld, A);
    load(P.B.Type, matrixOf(P.B, I), RowsB, PlainB ? P.N : P.K, P.B.Ld, B);
    void *Out = const_cast<void *>(matrixOf(P.C, I));
    if (Old != 0)
      load(P.C.Type, Out, P.M, P.N, P.C.Ld, C);
    multiply(P, Alpha.get<T>(), A, AtLeastOne(RowsA), B, AtLeastOne(RowsB), Old,
             C, AtLeastOne(P.M));
    store(P.C.Type, C, P.M, P.N, P.C.Ld, Out);
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
  const size_t ScaleSize = sizeOf(P.ScaleType);
  const AnyScalar A(H, Alpha, P.ScaleType, ScaleSize);
  const AnyScalar B(H, Beta, P.ScaleType, ScaleSize);
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
