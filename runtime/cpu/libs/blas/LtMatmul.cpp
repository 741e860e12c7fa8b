//===- LtMatmul.cpp - cuBLASLt's products ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLtMatmul: D = epilogue(alpha op(A) op(B) + beta C), in float or double,
// rounded once. There is one algorithm, which needs no workspace. Descriptors,
// and scalars in host memory, are read at the call.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/libs/blas/LtEpilogue.h"

#include <algorithm>
#include <climits>

using namespace echo::cpulibs;

namespace {
/// A product as the descriptors say. P.C is what is read, D what is written.
struct LtProduct {
  Product P;
  Matrix D;
  Epilogue After;
  bool ScalarsOnHost = true;
};
} // namespace

/// May memory be laid out so?
static bool isLayout(const LtLayout &L) {
  if (L.Order != CUBLASLT_ORDER_COL && L.Order != CUBLASLT_ORDER_ROW)
    return true; // Refused as not supported.
  uint64_t Shortest = L.Order == CUBLASLT_ORDER_ROW ? L.Cols : L.Rows;
  return L.Ld >= 1 && uint64_t(L.Ld) >= Shortest && L.Count >= 1;
}

static bool isServed(const LtLayout &L) {
  return (L.Order == CUBLASLT_ORDER_COL || L.Order == CUBLASLT_ORDER_ROW) &&
         L.Plane == 0 && L.Rows <= INT_MAX && L.Cols <= INT_MAX &&
         L.Ld <= INT_MAX;
}

static Matrix matrix(const LtLayout &L, const void *Data) {
  return {Data,  cudaDataType(L.Type),         int(L.Ld), L.Stride,
          false, L.Order == CUBLASLT_ORDER_ROW};
}

/// Reads the descriptors of D = A B + C into \p Out.
static cublasStatus_t read(const LtDesc &Desc, const LtLayout &A,
                           const LtLayout &B, const LtLayout &C,
                           const LtLayout &D, LtProduct &Out) {
  auto TA = cublasOperation_t(Desc.TransA), TB = cublasOperation_t(Desc.TransB);
  const bool PlainA = TA == CUBLAS_OP_N, PlainB = TB == CUBLAS_OP_N;
  const uint64_t M = PlainA ? A.Rows : A.Cols, K = PlainA ? A.Cols : A.Rows;
  const uint64_t N = PlainB ? B.Cols : B.Rows;
  if (!isOp(TA) || !isOp(TB) || (PlainB ? B.Rows : B.Cols) != K ||
      D.Rows != M || D.Cols != N || C.Rows != M || C.Cols != N ||
      A.Count != D.Count || B.Count != D.Count || C.Count != D.Count ||
      !isLayout(A) || !isLayout(B) || !isLayout(C) || !isLayout(D))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!isServed(A) || !isServed(B) || !isServed(C) || !isServed(D) ||
      Desc.TransC != CUBLAS_OP_N || Desc.Fill != CUBLAS_FILL_MODE_FULL ||
      C.Type != D.Type ||
      (Desc.PointerMode != CUBLASLT_POINTER_MODE_HOST &&
       Desc.PointerMode != CUBLASLT_POINTER_MODE_DEVICE))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  Out.P = {TA,
           TB,
           int(M),
           int(N),
           int(K),
           matrix(A, nullptr),
           matrix(B, nullptr),
           matrix(C, nullptr),
           D.Count};
  Out.D = matrix(D, nullptr);
  Out.ScalarsOnHost = Desc.PointerMode == CUBLASLT_POINTER_MODE_HOST;
  if (!choosePath(Out.P, cublasComputeType_t(Desc.Compute)) ||
      Out.P.ScaleType != cudaDataType(Desc.ScaleType) || Out.P.How == Path::C ||
      Out.P.How == Path::Z)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return readEpilogue(Desc, Out.P, Out.After);
}

/// Matrix \p I of \p From as BLAS can read it: as it is, or in \p Memory.
template <typename T>
static Operand<T> operand(const Matrix &From, int I, int Rows, int Cols,
                          cublasOperation_t Op, T *Memory) {
  constexpr cudaDataType Own = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  if (From.Type == Own && !From.RowMajor) {
    noteMatrix(Does::Read, From, I, Rows, Cols);
    return {static_cast<const T *>(matrixOf(From, I)), From.Ld, Op};
  }
  load(From, I, Rows, Cols, Memory);
  return {Memory, std::max(Rows, 1), Op};
}

template <typename T>
static void run(const LtProduct &L, const AnyScalar &Alpha,
                const AnyScalar &Beta, T *Memory) {
  const Product &P = L.P;
  const bool PlainA = P.TA == CUBLAS_OP_N, PlainB = P.TB == CUBLAS_OP_N;
  const T Old = Beta.get<T>();
  T *SpaceA = Memory, *SpaceB = SpaceA + size_t(P.M) * P.K;
  T *D = SpaceB + size_t(P.K) * P.N, *Rest = D + size_t(P.M) * P.N;
  for (int I = 0; I != P.Count; ++I) {
    Operand<T> A =
        operand(P.A, I, PlainA ? P.M : P.K, PlainA ? P.K : P.M, P.TA, SpaceA);
    Operand<T> B =
        operand(P.B, I, PlainB ? P.K : P.N, PlainB ? P.N : P.K, P.TB, SpaceB);
    if (Old != 0)
      load(P.C, I, P.M, P.N, D);
    multiply(P, Alpha.get<T>(), A.Data, A.Ld, B.Data, B.Ld, Old, D,
             std::max(P.M, 1));
    finish(L.After, P, I, A, B, D, Rest);
    store(L.D, I, P.M, P.N, D);
  }
}

/// Elements of the memory that run() needs.
static size_t spaceFor(const Product &P) {
  size_t Result = size_t(P.M) * P.N, Side = size_t(std::max(P.M, P.N));
  return packedSize(P) + std::max(Result, Side);
}

static cublasStatus_t refused(const char *Function, cublasStatus_t Status) {
  if (Status == CUBLAS_STATUS_NOT_SUPPORTED)
    sayUnsupported(Function, "this combination of types, orders or epilogue");
  return Status;
}

static bool isAlive(cublasLtHandle_t H) {
  return isAlive(reinterpret_cast<cublasHandle_t>(H));
}

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t H, cublasLtMatmulDesc_t Desc, cublasLtMatrixLayout_t A,
    cublasLtMatrixLayout_t B, cublasLtMatrixLayout_t C,
    cublasLtMatrixLayout_t D, cublasLtMatmulPreference_t Preference,
    int Requested, cublasLtMatmulHeuristicResult_t Results[], int *Count) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Desc || !A || !B || !C || !D || !Preference || Requested < 1 ||
      !Results || !Count)
    return CUBLAS_STATUS_INVALID_VALUE;
  *Count = 0;
  LtProduct L{};
  if (cublasStatus_t Status =
          read(*in(Desc), *in(A), *in(B), *in(C), *in(D), L))
    return refused("cublasLtMatmulAlgoGetHeuristic", Status);
  Results[0] = {};
  Results[0].state = CUBLAS_STATUS_SUCCESS;
  Results[0].wavesCount = 1;
  *Count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

ECHO_FOLLOWED(cublasLtMatmul)
cublasStatus_t cublasLtMatmul(cublasLtHandle_t H, cublasLtMatmulDesc_t Desc,
                              const void *Alpha, const void *A,
                              cublasLtMatrixLayout_t LayoutA, const void *B,
                              cublasLtMatrixLayout_t LayoutB, const void *Beta,
                              const void *C, cublasLtMatrixLayout_t LayoutC,
                              void *D, cublasLtMatrixLayout_t LayoutD,
                              const cublasLtMatmulAlgo_t *, void *, size_t,
                              cudaStream_t Stream) {
  if (!isAlive(H))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!Desc || !Alpha || !A || !LayoutA || !B || !LayoutB || !Beta ||
      !LayoutC || !D || !LayoutD)
    return CUBLAS_STATUS_INVALID_VALUE;
  LtProduct L{};
  if (cublasStatus_t Status = read(*in(Desc), *in(LayoutA), *in(LayoutB),
                                   *in(LayoutC), *in(LayoutD), L))
    return refused("cublasLtMatmul", Status);
  L.P.A.Data = A;
  L.P.B.Data = B;
  L.P.C.Data = C;
  L.D.Data = D;
  const AnyScalar Factor(L.ScalarsOnHost, Alpha, L.P.ScaleType);
  const AnyScalar Old(L.ScalarsOnHost, Beta, L.P.ScaleType);
  if (!C && (!L.ScalarsOnHost || Old.get<double>() != 0))
    return CUBLAS_STATUS_INVALID_VALUE;
  Scratch<double> Memory = makeScratch<double>(spaceFor(L.P));
  if (!Memory)
    return CUBLAS_STATUS_ALLOC_FAILED;
  const bool InDouble = L.P.How == Path::D || L.P.How == Path::ViaDouble;
  return toStatus(queueWork(
      Stream, false, [L, Factor, Old, InDouble, Memory = std::move(Memory)] {
        if (InDouble)
          run<double>(L, Factor, Old, Memory.get());
        else
          run<float>(L, Factor, Old, reinterpret_cast<float *>(Memory.get()));
      }));
}

} // extern "C"
