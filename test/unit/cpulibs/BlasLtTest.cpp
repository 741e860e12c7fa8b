//===- BlasLtTest.cpp - cuBLASLt against the definition -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of every combination of types, orders and operations, what follows
// them (biases, activations, gradients), and attributes of descriptors.
//
//===----------------------------------------------------------------------===//
#include "Blas.h"
#include "Numbers.h"

#include <cmath>
#include <cublasLt.h>

namespace {
class LtHandle {
public:
  LtHandle() { REQUIRE(cublasLtCreate(&H) == CUBLAS_STATUS_SUCCESS); }
  ~LtHandle() { cublasLtDestroy(H); }
  LtHandle(const LtHandle &) = delete;
  LtHandle &operator=(const LtHandle &) = delete;
  operator cublasLtHandle_t() const { return H; }

private:
  cublasLtHandle_t H;
};

class Layout {
public:
  Layout(cudaDataType Type, int Rows, int Cols, int Ld) {
    REQUIRE(cublasLtMatrixLayoutCreate(&L, Type, Rows, Cols, Ld) ==
            CUBLAS_STATUS_SUCCESS);
  }
  ~Layout() { CHECK_BLAS(cublasLtMatrixLayoutDestroy(L)); }
  Layout(const Layout &) = delete;
  Layout &operator=(const Layout &) = delete;
  operator cublasLtMatrixLayout_t() const { return L; }
  template <typename T> void set(cublasLtMatrixLayoutAttribute_t A, T X) {
    CHECK_BLAS(cublasLtMatrixLayoutSetAttribute(L, A, &X, sizeof(X)));
  }
  void batch(int Count, int64_t Stride) {
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Count);
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Stride);
  }
  void byRows() {
    set(CUBLASLT_MATRIX_LAYOUT_ORDER, int32_t(CUBLASLT_ORDER_ROW));
  }

private:
  cublasLtMatrixLayout_t L;
};

class Desc {
public:
  Desc(cublasComputeType_t Compute, cudaDataType Scale) {
    REQUIRE(cublasLtMatmulDescCreate(&D, Compute, Scale) ==
            CUBLAS_STATUS_SUCCESS);
  }
  ~Desc() { CHECK_BLAS(cublasLtMatmulDescDestroy(D)); }
  Desc(const Desc &) = delete;
  Desc &operator=(const Desc &) = delete;
  operator cublasLtMatmulDesc_t() const { return D; }
  template <typename T> void set(cublasLtMatmulDescAttributes_t A, T X) {
    CHECK_BLAS(cublasLtMatmulDescSetAttribute(D, A, &X, sizeof(X)));
  }
  void ops(cublasOperation_t TA, cublasOperation_t TB) {
    set(CUBLASLT_MATMUL_DESC_TRANSA, int32_t(TA));
    set(CUBLASLT_MATMUL_DESC_TRANSB, int32_t(TB));
  }

private:
  cublasLtMatmulDesc_t D;
};

/// A matrix of V that is stored by columns or by rows.
Dense stored(const std::vector<Cx> &V, int Rows, int Cols, int Ld, size_t At,
             bool ByRows) {
  return ByRows ? apply(CUBLAS_OP_T, general(V, Cols, Rows, Ld, At))
                : general(V, Rows, Cols, Ld, At);
}
} // namespace

static cublasStatus_t multiply(cublasLtHandle_t H, cublasLtMatmulDesc_t D,
                               const void *Alpha, const Numbers &A,
                               const Layout &LA, const Numbers &B,
                               const Layout &LB, const void *Beta,
                               const Numbers &C, const Layout &LC,
                               const Numbers &To, const Layout &LTo) {
  return cublasLtMatmul(H, D, Alpha, A.get(), LA, B.get(), LB, Beta, C.get(),
                        LC, To.get(), LTo, nullptr, nullptr, 0, nullptr);
}

TEST_CASE("cuBLASLt: combinations of types, operations, orders, batches") {
  LtHandle H;
  const int M = 3, N = 4, K = 2, Ld = 5, Stride = 30;
  for (const auto &T : Combinations)
    for (cublasOperation_t Op : {CUBLAS_OP_N, CUBLAS_OP_T})
      for (bool ByRows : {false, true})
        for (bool InPlace : {false, true}) {
          if (T.Scale == CUDA_C_32F || T.Scale == CUDA_C_64F)
            continue;
          INFO("types " << T.In << ' ' << T.Out << ", by rows " << ByRows);
          Numbers A(T.In, 2 * Stride), B(T.In, 2 * Stride);
          Numbers C(T.Out, 2 * Stride), D(T.Out, 2 * Stride);
          std::vector<Cx> Want = InPlace ? C.values() : D.values();
          const bool Plain = Op == CUBLAS_OP_N;
          Layout LA(T.In, Plain ? M : K, Plain ? K : M, Ld);
          Layout LB(T.In, Plain ? K : N, Plain ? N : K, Ld);
          Layout LC(T.Out, M, N, Ld), LD(T.Out, M, N, Ld);
          for (Layout *L : {&LA, &LB, &LC, &LD})
            L->batch(2, Stride);
          if (ByRows)
            for (Layout *L : {&LA, &LB, &LD})
              L->byRows();
          if (ByRows && InPlace)
            LC.byRows();
          for (int I = 0; I != 2; ++I) {
            auto Of = [&](const Numbers &X, int Rows, int Cols, bool Across) {
              return stored(X.Values, Rows, Cols, Ld, I * Stride, Across);
            };
            Dense P = apply(Op, Of(A, Plain ? M : K, Plain ? K : M, ByRows)) *
                      apply(Op, Of(B, Plain ? K : N, Plain ? N : K, ByRows));
            Dense Old = Of(C, M, N, ByRows && InPlace);
            for (int R = 0; R != M; ++R)
              for (int J = 0; J != N; ++J)
                Want[I * Stride + (ByRows ? J + R * Ld : R + J * Ld)] =
                    2.0 * P.at(R, J) - Old.at(R, J);
          }
          Desc Op2(T.Compute, T.Scale);
          Op2.ops(Op, Op);
          Numbers Scale(T.Scale, 1);
          alignas(16) char Two[16], Minus[16];
          Scale.put(Two, 2);
          Scale.put(Minus, -1);
          const Numbers &To = InPlace ? C : D;
          CHECK_BLAS(multiply(H, Op2, Two, A, LA, B, LB, Minus, C, LC, To, LD));
          checkEqual(To.values(), Want);
        }
}

static double gelu(double X) {
  return 0.5 * X *
         (1 + std::tanh(std::sqrt(2 / M_PI) * (X + 0.044715 * X * X * X)));
}
static double slope(double X) {
  const double E = 1e-5;
  return (gelu(X + E) - gelu(X - E)) / (2 * E);
}

TEST_CASE("cuBLASLt: what follows a product") {
  LtHandle H;
  const int M = 4, N = 3, K = 2, LdAux = 8;
  const float One = 1, Zero = 0;
  for (cudaDataType Type : {CUDA_R_32F, CUDA_R_16BF})
    for (unsigned Kind :
         {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_BIAS,
          CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU_BIAS,
          CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
          CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS,
          CUBLASLT_EPILOGUE_DGELU, CUBLASLT_EPILOGUE_DGELU_BGRAD,
          CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB}) {
      INFO("type " << Type << ", epilogue " << Kind);
      Numbers A(Type, K * M), B(Type, K * N), D(Type, M * N);
      Numbers Bias(CUDA_R_32F, M), Aux(Type, LdAux * N);
      std::vector<Cx> WantBias = Bias.values(), WantAux = Aux.values();
      Dense OpA = apply(CUBLAS_OP_T, general(A.Values, K, M, K));
      Dense OpB = general(B.Values, K, N, K), P = OpA * OpB;
      const bool Back = Kind & 64;
      const double Tolerance = Type == CUDA_R_32F ? 1e-4 : 0.1;
      for (int R = 0; R != M; ++R)
        for (int J = 0; J != N; ++J) {
          Cx &X = P.E[R + J * M], &Kept = WantAux[R + J * LdAux];
          if (Kind & CUBLASLT_EPILOGUE_BIAS)
            X += Bias.Values[R];
          if (Back)
            X *= slope(Kept.real());
          else if (Kind & 128)
            Kept = X;
          if (Kind & CUBLASLT_EPILOGUE_GELU)
            X = gelu(X.real());
          if (Kind & CUBLASLT_EPILOGUE_RELU)
            X = std::max(X.real(), 0.0);
        }
      auto Sums = [&](const Dense &Of) {
        for (int R = 0; R != Of.Rows; ++R) {
          WantBias[R] = 0;
          for (int J = 0; J != Of.Cols; ++J)
            WantBias[R] += Of.at(R, J);
        }
      };
      if (Kind == CUBLASLT_EPILOGUE_DGELU_BGRAD)
        Sums(P);
      if (Kind == CUBLASLT_EPILOGUE_BGRADA)
        Sums(OpA);
      if (Kind == CUBLASLT_EPILOGUE_BGRADB)
        Sums(apply(CUBLAS_OP_T, OpB));
      Layout LA(Type, K, M, K), LB(Type, K, N, K), LD(Type, M, N, M);
      Desc Op(CUBLAS_COMPUTE_32F, CUDA_R_32F);
      Op.ops(CUBLAS_OP_T, CUBLAS_OP_N);
      Op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, Kind);
      Op.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Bias.get());
      Op.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, int32_t(CUDA_R_32F));
      Op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Aux.get());
      Op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(LdAux));
      CHECK_BLAS(multiply(H, Op, &One, A, LA, B, LB, &Zero, D, LD, D, LD));
      checkEqual(D.values(), P.E, Tolerance);
      checkEqual(Bias.values(), WantBias, Tolerance);
      checkEqual(Aux.values(), WantAux, Tolerance);
    }
}

TEST_CASE("cuBLASLt: scalars on the device are read when the work runs") {
  LtHandle H;
  Numbers A(CUDA_R_32F, 1), D(CUDA_R_32F, 1), Scale(CUDA_R_32F, 1);
  Layout L(CUDA_R_32F, 1, 1, 1);
  Desc Op(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  Op.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
         int32_t(CUBLASLT_POINTER_MODE_DEVICE));
  float Three = 3, Zero = 0, *Host;
  REQUIRE(cudaMallocHost(reinterpret_cast<void **>(&Host), 4) == cudaSuccess);
  *Host = Three;
  cudaMemcpyAsync(Scale.get(), Host, 4, cudaMemcpyHostToDevice, nullptr);
  cudaMemsetAsync(D.get(), 0, 4, nullptr);
  CHECK_BLAS(multiply(H, Op, Scale.get(), A, L, A, L, D.get(), D, L, D, L));
  Cx X = A.Values[0];
  checkEqual(D.values(), {3.0 * X * X});
  Op.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
         int32_t(CUBLASLT_POINTER_MODE_HOST));
  CHECK_BLAS(multiply(H, Op, &Three, A, L, A, L, &Zero, D, L, D, L));
  Three = 4;
  checkEqual(D.values(), {3.0 * X * X});
  cudaFreeHost(Host);
}

TEST_CASE("cuBLASLt: attributes, the heuristic, and what is refused") {
  LtHandle H;
  Desc Op(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  int64_t Value = 0;
  size_t Written = 0;
  CHECK_BLAS(cublasLtMatmulDescGetAttribute(
      Op, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &Value, 4, &Written));
  CHECK((int32_t(Value) == -1 && Written == 4));
  CHECK_BLAS(cublasLtMatmulDescGetAttribute(
      Op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &Written));
  CHECK(Written == sizeof(void *));
  CHECK(cublasLtMatmulDescSetAttribute(Op, CUBLASLT_MATMUL_DESC_TRANSA, &Value,
                                       8) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatmulDescSetAttribute(Op, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER,
                                       &Value,
                                       8) == CUBLAS_STATUS_NOT_SUPPORTED);
  cublasLtMatrixLayoutOpaque_t Own;
  CHECK_BLAS(cublasLtMatrixLayoutInit(&Own, CUDA_R_32F, 6, 7, 8));
  CHECK_BLAS(cublasLtMatrixLayoutGetAttribute(&Own, CUBLASLT_MATRIX_LAYOUT_COLS,
                                              &Value, 8, &Written));
  CHECK(Value == 7);
  cublasLtMatmulPreference_t Preference;
  CHECK_BLAS(cublasLtMatmulPreferenceCreate(&Preference));
  size_t Workspace = 1 << 20;
  CHECK_BLAS(cublasLtMatmulPreferenceSetAttribute(
      Preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &Workspace, 8));

  Layout Square(CUDA_R_32F, 2, 2, 2), Narrow(CUDA_R_32F, 2, 2, 1);
  Layout Wide(CUDA_R_32F, 2, 3, 2), Half(CUDA_R_16F, 2, 2, 2);
  Numbers X(CUDA_R_32F, 8);
  const float One = 1;
  auto Both = [&](const Layout &A, const Layout &D) {
    cublasLtMatmulHeuristicResult_t Result;
    int Count = -1;
    cublasStatus_t Status = cublasLtMatmulAlgoGetHeuristic(
        H, Op, A, Square, D, D, Preference, 1, &Result, &Count);
    CHECK(Count == (Status == CUBLAS_STATUS_SUCCESS));
    CHECK(multiply(H, Op, &One, X, A, X, Square, &One, X, D, X, D) == Status);
    return Status;
  };
  CHECK(Both(Square, Square) == CUBLAS_STATUS_SUCCESS);
  CHECK(Both(Narrow, Square) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Both(Wide, Square) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Both(Square, Wide) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(Both(Half, Square) == CUBLAS_STATUS_NOT_SUPPORTED);
  // A bias without memory, and a mask of ReLU.
  Op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_BIAS));
  CHECK(Both(Square, Square) == CUBLAS_STATUS_INVALID_VALUE);
  Op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(CUBLASLT_EPILOGUE_RELU_AUX));
  CHECK(Both(Square, Square) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_BLAS(cublasLtMatmulPreferenceDestroy(Preference));

  cublasLtHandle_t Dead;
  CHECK_BLAS(cublasLtCreate(&Dead));
  CHECK_BLAS(cublasLtDestroy(Dead));
  CHECK(multiply(Dead, Op, &One, X, Square, X, Square, &One, X, Square, X,
                 Square) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasLtDestroy(Dead) == CUBLAS_STATUS_NOT_INITIALIZED);
}
