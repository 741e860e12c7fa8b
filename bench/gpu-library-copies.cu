//===- gpu-library-copies.cu - Which library calls copy memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints for calls of cuBLAS and cuFFT how many kernels, copies and sets the
// GPU runs for one call, by CUPTI. A call that copies a buffer needs memory
// that CUDA takes for the device's (models/*.model: `is copies`).
// Build: echo-cc --device=cuda -arch=sm_90 -O2 --no-unify
//        bench/gpu-library-copies.cu -lcublas -lcufft -lcupti
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cufft.h>
#include <cupti.h>

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

/// Runs \p Call twice, so that what it does once is done, and counts the second.
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
    return cublasStrsv(H, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, N, A, N, B, 1);
  });
  count("cublasStpttr", [&] {
    return cublasStpttr(H, CUBLAS_FILL_MODE_LOWER, N, A, B, N);
  });
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
  auto *RA = reinterpret_cast<cufftReal *>(A), *RB = reinterpret_cast<cufftReal *>(B);
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
  auto *CA = reinterpret_cast<cufftComplex *>(A),
       *CB = reinterpret_cast<cufftComplex *>(B);
  for (int N : {1, 2, 16, 17, 1000, 1009, 4099, 65536, 100003, 1 << 20})
    fft(CA, CB, N, "1-d");
  for (int N : {1, 16, 17, 101, 1009, 1024})
    fft(CA, CB, N, "2-d");
}
