//===- gpu-library-copies.cu - Which library calls copy memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints for calls of CUDA's libraries how many kernels, copies and sets the
// GPU runs for one call, by CUPTI. A call that copies a buffer needs memory
// that CUDA takes for the device's (models/*.model: `is copies`).
// Build: echo-cc --device=cuda -arch=sm_90 -O2 --no-unify
//        bench/gpu-library-copies.cu -lcublas -lcufft -lcusparse -lcusolver
//        -lcurand -lcudnn -lcupti
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <cupti.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <vector>

static unsigned Kernels, Copies, Sets;

static void request(uint8_t **Buffer, size_t *Bytes, size_t *Records) {
  *Bytes = size_t(1) << 20;
  *Buffer = static_cast<uint8_t *>(aligned_alloc(8, *Bytes));
  *Records = 0;
}

static void complete(CUcontext, uint32_t, uint8_t *Buffer, size_t,
                     size_t Valid) {
  CUpti_Activity *Record = nullptr;
  while (cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    Kernels += Record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    Copies += Record->kind == CUPTI_ACTIVITY_KIND_MEMCPY;
    Sets += Record->kind == CUPTI_ACTIVITY_KIND_MEMSET;
  }
  free(Buffer);
}

/// Runs \p Call twice, so that what it does once is done, and counts the
/// second.
template <class F> static void count(const char *Name, F Call) {
  int Status = Call();
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(1);
  Kernels = Copies = Sets = 0;
  Status |= Call();
  cudaDeviceSynchronize();
  cuptiActivityFlushAll(1);
  printf("%-44s kernels %u copies %u sets %u%s\n", Name, Kernels, Copies, Sets,
         Status ? " FAILED" : "");
}

static void blas(float *A, float *B, float *C) {
  constexpr int N = 256;
  cublasHandle_t H;
  cublasCreate(&H);
  float One = 1, Result = 0;
  auto *DA = reinterpret_cast<double *>(A), *DB = reinterpret_cast<double *>(B);
  auto *ZA = reinterpret_cast<cuDoubleComplex *>(A),
       *ZB = reinterpret_cast<cuDoubleComplex *>(B);
  count("cublasScopy 1 1", [&] { return cublasScopy(H, N, A, 1, B, 1); });
  count("cublasScopy 1 1 large",
        [&] { return cublasScopy(H, N * N, A, 1, B, 1); });
  count("cublasScopy 2 1", [&] { return cublasScopy(H, N, A, 2, B, 1); });
  count("cublasDcopy 1 1", [&] { return cublasDcopy(H, N, DA, 1, DB, 1); });
  count("cublasZcopy 1 1", [&] { return cublasZcopy(H, N, ZA, 1, ZB, 1); });
  count("cublasSswap", [&] { return cublasSswap(H, N, A, 1, B, 1); });
  count("cublasSscal", [&] { return cublasSscal(H, N, &One, A, 1); });
  count("cublasSaxpy", [&] { return cublasSaxpy(H, N, &One, A, 1, B, 1); });
  count("cublasSdot, host result",
        [&] { return cublasSdot(H, N, A, 1, B, 1, &Result); });
  count("cublasSgemv", [&] {
    return cublasSgemv(H, CUBLAS_OP_N, N, N, &One, A, N, B, 1, &One, C, 1);
  });
  count("cublasSgemm", [&] {
    return cublasSgemm(H, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &One, A, N, B, N,
                       &One, C, N);
  });
  count("cublasSgemm, long k", [&] {
    return cublasSgemm(H, CUBLAS_OP_T, CUBLAS_OP_N, 16, 16, 4096, &One, A, 4096,
                       B, 4096, &One, C, 16);
  });
  count("cublasSgeam", [&] {
    float Zero = 0;
    return cublasSgeam(H, CUBLAS_OP_N, CUBLAS_OP_N, N, N, &One, A, N, &Zero, B,
                       N, C, N);
  });
  count("cublasSgeam, transposed", [&] {
    float Zero = 0;
    return cublasSgeam(H, CUBLAS_OP_T, CUBLAS_OP_N, N, N, &One, A, N, &Zero, B,
                       N, C, N);
  });
  count("cublasStrsm", [&] {
    return cublasStrsm(H, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, N, N, &One, A, N, B, N);
  });
  count("cublasStrmm", [&] {
    return cublasStrmm(H, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, N, N, &One, A, N, B, N, C, N);
  });
  count("cublasStrsv", [&] {
    return cublasStrsv(H, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT,
                       N, A, N, B, 1);
  });
  count("cublasStpttr",
        [&] { return cublasStpttr(H, CUBLAS_FILL_MODE_LOWER, N, A, B, N); });
  cublasDestroy(H);
}

static void fft(cufftComplex *A, cufftComplex *B, int N, const char *What) {
  char Name[64];
  auto Say = [&](const char *Call) {
    snprintf(Name, sizeof(Name), "%s %s %d", Call, What, N);
    return Name;
  };
  cufftHandle P;
  bool Plane = What[0] == '2';
  auto Plan = [&](cufftType Type) {
    return Plane ? cufftPlan2d(&P, N, N, Type) : cufftPlan1d(&P, N, Type, 1);
  };
  auto *RA = reinterpret_cast<cufftReal *>(A),
       *RB = reinterpret_cast<cufftReal *>(B);
  if (Plan(CUFFT_C2C) == CUFFT_SUCCESS) {
    count(Say("cufftExecC2C out"),
          [&] { return cufftExecC2C(P, A, B, CUFFT_FORWARD); });
    count(Say("cufftExecC2C in place"),
          [&] { return cufftExecC2C(P, A, A, CUFFT_FORWARD); });
    cufftDestroy(P);
  }
  if (Plan(CUFFT_R2C) == CUFFT_SUCCESS) {
    count(Say("cufftExecR2C out"), [&] { return cufftExecR2C(P, RA, B); });
    count(Say("cufftExecR2C in place"), [&] { return cufftExecR2C(P, RA, A); });
    cufftDestroy(P);
  }
  if (Plan(CUFFT_C2R) == CUFFT_SUCCESS) {
    count(Say("cufftExecC2R out"), [&] { return cufftExecC2R(P, A, RB); });
    count(Say("cufftExecC2R in place"), [&] { return cufftExecC2R(P, A, RA); });
    cufftDestroy(P);
  }
}

/// A matrix of N rows with two elements each: on the diagonal and beside it.
static void sparse(float *X, float *Y) {
  constexpr int N = 1024;
  std::vector<int> Rows(N + 1), Columns(2 * N);
  std::vector<float> Values(2 * N, 1.f);
  for (int I = 0; I <= N; ++I)
    Rows[I] = 2 * I;
  for (int I = 0; I < N; ++I) {
    Columns[2 * I] = I == N - 1 ? I - 1 : I;
    Columns[2 * I + 1] = I == N - 1 ? I : I + 1;
  }
  int *R, *C;
  float *V;
  cudaMalloc(&R, Rows.size() * sizeof(int));
  cudaMalloc(&C, Columns.size() * sizeof(int));
  cudaMalloc(&V, Values.size() * sizeof(float));
  cudaMemcpy(R, Rows.data(), Rows.size() * sizeof(int), cudaMemcpyDefault);
  cudaMemcpy(C, Columns.data(), Columns.size() * sizeof(int),
             cudaMemcpyDefault);
  cudaMemcpy(V, Values.data(), Values.size() * sizeof(float),
             cudaMemcpyDefault);
  cusparseHandle_t H;
  cusparseCreate(&H);
  cusparseSpMatDescr_t A;
  cusparseCreateCsr(&A, N, N, 2 * N, R, C, V, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseDnVecDescr_t DX, DY;
  cusparseCreateDnVec(&DX, N, X, CUDA_R_32F);
  cusparseCreateDnVec(&DY, N, Y, CUDA_R_32F);
  float One = 1, Zero = 0;
  void *Work;
  cudaMalloc(&Work, size_t(64) << 20);
  constexpr auto No = CUSPARSE_OPERATION_NON_TRANSPOSE;
  for (auto Algorithm : {CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1,
                         CUSPARSE_SPMV_CSR_ALG2})
    count("cusparseSpMV", [&] {
      return cusparseSpMV(H, No, &One, A, DX, &Zero, DY, CUDA_R_32F, Algorithm,
                          Work);
    });
  cusparseDnMatDescr_t MX, MY;
  cusparseCreateDnMat(&MX, N, 16, N, X, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&MY, N, 16, N, Y, CUDA_R_32F, CUSPARSE_ORDER_COL);
  count("cusparseSpMM", [&] {
    return cusparseSpMM(H, No, No, &One, A, MX, &Zero, MY, CUDA_R_32F,
                        CUSPARSE_SPMM_ALG_DEFAULT, Work);
  });
  int *R2, *C2;
  float *V2;
  cudaMalloc(&R2, (N + 1) * sizeof(int));
  cudaMalloc(&C2, 2 * N * sizeof(int));
  cudaMalloc(&V2, 2 * N * sizeof(float));
  count("cusparseCsr2cscEx2", [&] {
    return cusparseCsr2cscEx2(H, N, N, 2 * N, V, R, C, V2, R2, C2, CUDA_R_32F,
                              CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                              CUSPARSE_CSR2CSC_ALG1, Work);
  });
  count("cusparseDenseToSparse_analysis", [&] {
    return cusparseDenseToSparse_analysis(
        H, MX, A, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, Work);
  });
}

static void solver(float *A, float *B, float *C) {
  constexpr int N = 128;
  std::vector<float> Unit(N * N);
  for (int I = 0; I < N; ++I)
    Unit[I * N + I] = float(I + 1);
  cudaMemcpy(A, Unit.data(), Unit.size() * sizeof(float), cudaMemcpyDefault);
  cusolverDnHandle_t H;
  cusolverDnCreate(&H);
  int *Info, *Pivots, Size = 0;
  cudaMalloc(&Info, sizeof(int));
  cudaMalloc(&Pivots, N * sizeof(int));
  float *Work;
  cudaMalloc(&Work, size_t(64) << 20);
  count("cusolverDnSgetrf",
        [&] { return cusolverDnSgetrf(H, N, N, A, N, Work, Pivots, Info); });
  count("cusolverDnSgetrs", [&] {
    return cusolverDnSgetrs(H, CUBLAS_OP_N, N, 1, A, N, Pivots, B, N, Info);
  });
  count("cusolverDnSpotrf", [&] {
    cusolverDnSpotrf_bufferSize(H, CUBLAS_FILL_MODE_LOWER, N, A, N, &Size);
    return cusolverDnSpotrf(H, CUBLAS_FILL_MODE_LOWER, N, A, N, Work, Size,
                            Info);
  });
  count("cusolverDnSpotrs", [&] {
    return cusolverDnSpotrs(H, CUBLAS_FILL_MODE_LOWER, N, 1, A, N, B, N, Info);
  });
  count("cusolverDnSgeqrf", [&] {
    cusolverDnSgeqrf_bufferSize(H, N, N, A, N, &Size);
    return cusolverDnSgeqrf(H, N, N, A, N, B, Work, Size, Info);
  });
  count("cusolverDnSsyevd", [&] {
    cusolverDnSsyevd_bufferSize(H, CUSOLVER_EIG_MODE_VECTOR,
                                CUBLAS_FILL_MODE_LOWER, N, A, N, B, &Size);
    return cusolverDnSsyevd(H, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                            N, A, N, B, Work, Size, Info);
  });
  count("cusolverDnSgesvd", [&] {
    cusolverDnSgesvd_bufferSize(H, N, N, &Size);
    return cusolverDnSgesvd(H, 'A', 'A', N, N, A, N, B, C, N, C + N * N, N,
                            Work, Size, nullptr, Info);
  });
}

static void random(float *A) {
  for (auto Kind : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                    CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_QUASI_SOBOL32}) {
    curandGenerator_t G;
    curandCreateGenerator(&G, Kind);
    count("curandGenerateUniform",
          [&] { return curandGenerateUniform(G, A, 65536); });
    count("curandGenerateNormal",
          [&] { return curandGenerateNormal(G, A, 65536, 0, 1); });
  }
}

static void networks(float *A, float *B, float *C) {
  cudnnHandle_t H;
  cudnnCreate(&H);
  cudnnTensorDescriptor_t X, Y;
  cudnnCreateTensorDescriptor(&X);
  cudnnCreateTensorDescriptor(&Y);
  cudnnSetTensor4dDescriptor(X, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 4, 8, 32,
                             32);
  cudnnSetTensor4dDescriptor(Y, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 4, 8, 32,
                             32);
  float One = 1, Zero = 0;
  count("cudnnTransformTensor, the same",
        [&] { return cudnnTransformTensor(H, &One, X, A, &Zero, X, B); });
  count("cudnnTransformTensor, another order",
        [&] { return cudnnTransformTensor(H, &One, X, A, &Zero, Y, B); });
  count("cudnnAddTensor",
        [&] { return cudnnAddTensor(H, &One, X, A, &One, X, B); });
  count("cudnnScaleTensor", [&] { return cudnnScaleTensor(H, X, A, &One); });
  count("cudnnSoftmaxForward", [&] {
    return cudnnSoftmaxForward(H, CUDNN_SOFTMAX_ACCURATE,
                               CUDNN_SOFTMAX_MODE_CHANNEL, &One, X, A, &Zero, X,
                               B);
  });
  cudnnPoolingDescriptor_t Pool;
  cudnnCreatePoolingDescriptor(&Pool);
  cudnnSetPooling2dDescriptor(Pool, CUDNN_POOLING_MAX, CUDNN_PROPAGATE_NAN, 1,
                              1, 0, 0, 1, 1);
  count("cudnnPoolingForward, 1 by 1",
        [&] { return cudnnPoolingForward(H, Pool, &One, X, A, &Zero, X, B); });
  cudnnFilterDescriptor_t F;
  cudnnCreateFilterDescriptor(&F);
  cudnnSetFilter4dDescriptor(F, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 8, 8, 3,
                             3);
  cudnnConvolutionDescriptor_t Conv;
  cudnnCreateConvolutionDescriptor(&Conv);
  cudnnSetConvolution2dDescriptor(Conv, 1, 1, 1, 1, 1, 1, CUDNN_CONVOLUTION,
                                  CUDNN_DATA_FLOAT);
  void *Work;
  cudaMalloc(&Work, size_t(256) << 20);
  for (auto Algorithm :
       {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
        CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_FFT,
        CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD})
    count("cudnnConvolutionForward", [&] {
      return cudnnConvolutionForward(H, &One, X, A, F, C, Conv, Algorithm, Work,
                                     size_t(256) << 20, &Zero, X, B);
    });
}

int main() {
  constexpr size_t Bytes = size_t(64) << 20;
  float *A, *B, *C;
  cudaMalloc(&A, Bytes);
  cudaMalloc(&B, Bytes);
  cudaMalloc(&C, Bytes);
  cudaMemset(A, 0, Bytes);
  cudaMemset(B, 0, Bytes);
  cudaMemset(C, 0, Bytes);
  cuptiActivityRegisterCallbacks(request, complete);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET);
  count("cudaMemcpyAsync", [&] {
    return cudaMemcpyAsync(B, A, 4096, cudaMemcpyDeviceToDevice, nullptr);
  });
  blas(A, B, C);
  sparse(A, B);
  solver(A, B, C);
  random(A);
  networks(A, B, C);
  auto *CA = reinterpret_cast<cufftComplex *>(A),
       *CB = reinterpret_cast<cufftComplex *>(B);
  for (int N : {1, 2, 16, 17, 1000, 1009, 4099, 65536, 100003, 1 << 20})
    fft(CA, CB, N, "1-d");
  for (int N : {1, 16, 17, 101, 1009, 1024})
    fft(CA, CB, N, "2-d");
}
