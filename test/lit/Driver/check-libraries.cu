// --check follows the work of CUDA libraries: what each call reads and writes
// of vectors, matrices with gaps, triangles, transforms and random numbers, in
// the order of its stream. A function that does not say it is not followed.
// REQUIRES: cuda-toolkit, cpu-device, cpu-cublas, cpu-cufft, cpu-curand
// RUN: %echo_cc -w --check --min-bytes=0 %s -o %t -lcublas -lcufft -lcurand
// RUN: env ECHO_CHECK_REPORT=%t.txt %t
// RUN: FileCheck %s < %t.txt
#include <cstdlib>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

static const int N = 64;
static float *onDevice(size_t Count) {
  float *D;
  cudaMalloc(&D, Count * sizeof(float));
  return D;
}

static void vectors(cublasHandle_t B) {
  float *h = (float *)calloc(N, 4), *d, *e = onDevice(N), One = 1;
  cudaMalloc(&d, N * 4);
  cudaMemcpy(d, h, N * 4, cudaMemcpyHostToDevice);
  cudaMemset(e, 0, N * 4);
  // Every third element: 22 of them.
  cublasSaxpy(B, 22, &One, d, 3, e, 1);
  h[1] = 2; // which no call reads
  cublasSscal(B, 1, &One, d, 1);
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:21:{{[0-9]+}} h + {{.*}}check-libraries.cu:22:{{[0-9]+}} d{{.*}}safe in this run
// CHECK: seen   d: {{[0-9]+}} accesses, 96 B

static void stale(cublasHandle_t B) {
  float *h = (float *)calloc(N, 4), *d, Sum = 0;
  cudaMalloc(&d, N * 4);
  cudaMemcpy(d, h, N * 4, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  h[1] = 2;
  cublasSdot(B, N, d, 1, d, 1, &Sum);
}
// CHECK: check-libraries.cu:35:{{[0-9]+}} h + {{.*}}check-libraries.cu:36:{{[0-9]+}} d{{.*}}refuted: S1
// CHECK: host writes h
// CHECK: cublasSdot_v2 reads d

static void unordered(cublasHandle_t B) {
  float *h = (float *)calloc(N, 4), *d, Two = 2;
  cudaMalloc(&d, N * 4);
  cudaMemcpy(d, h, N * 4, cudaMemcpyHostToDevice);
  cublasSscal(B, N, &Two, d, 1);
  h[1] = 2;
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:47:{{[0-9]+}} h + {{.*}}check-libraries.cu:48:{{[0-9]+}} d{{.*}}refuted: S2

static void product(cublasHandle_t B) {
  float *h = (float *)calloc(N * N, 4), *d, *c = onDevice(N * N);
  float One = 1, Zero = 0;
  cudaMalloc(&d, N * N * 4);
  cudaMemcpy(d, h, N * N * 4, cudaMemcpyHostToDevice);
  // 16 columns of 8 elements, twice.
  cublasSgemm(B, CUBLAS_OP_N, CUBLAS_OP_T, 8, 8, 16, &One, d, N, d, N, &Zero,
              c, N);
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:57:{{[0-9]+}} h + {{.*}}check-libraries.cu:59:{{[0-9]+}} d{{.*}}safe in this run
// CHECK: seen   d: {{[0-9]+}} accesses, 1024 B

static void triangle(cublasHandle_t B) {
  float *h = (float *)calloc(N * N, 4), *d, *x = onDevice(N);
  cudaMalloc(&d, N * N * 4);
  cudaMemcpy(d, h, N * N * 4, cudaMemcpyHostToDevice);
  cudaMemset(x, 0, N * 4);
  // 8 columns, below the diagonal: 7 + 6 + ... + 1.
  cublasStrmv(B, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8, d, N,
              x, 1);
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:70:{{[0-9]+}} h + {{.*}}check-libraries.cu:71:{{[0-9]+}} d{{.*}}safe in this run
// CHECK: seen   d: {{[0-9]+}} accesses, 112 B

static void packed(cublasHandle_t B) {
  float *h = (float *)calloc(N * N, 4), *d, *x = onDevice(N);
  cudaMalloc(&d, N * N * 4);
  cudaMemcpy(d, h, N * N * 4, cudaMemcpyHostToDevice);
  cublasStpmv(B, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 8, d, x,
              1);
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:83:{{[0-9]+}} h + {{.*}}check-libraries.cu:84:{{[0-9]+}} d{{.*}}not followed

static void transform() {
  cufftHandle P;
  cufftPlan1d(&P, 16, CUFFT_R2C, 2);
  float *h = (float *)calloc(N * 2, 4), *d;
  cufftComplex *o = (cufftComplex *)onDevice(N * 2);
  cudaMalloc(&d, N * 8);
  cudaMemcpy(d, h, N * 8, cudaMemcpyHostToDevice);
  cufftExecR2C(P, d, o);
  cudaDeviceSynchronize();
}
// CHECK: check-libraries.cu:95:{{[0-9]+}} h + {{.*}}check-libraries.cu:97:{{[0-9]+}} d{{.*}}safe in this run
// CHECK: seen   d: {{[0-9]+}} accesses, 128 B

static void numbers() {
  curandGenerator_t G;
  curandCreateGenerator(&G, CURAND_RNG_PSEUDO_DEFAULT);
  float *h = (float *)calloc(N, 4), *d;
  cudaMalloc(&d, N * 4);
  curandGenerateUniform(G, d, 32);
  cudaMemcpy(h, d, N * 4, cudaMemcpyDeviceToHost);
}
// CHECK: check-libraries.cu:108:{{[0-9]+}} h + {{.*}}check-libraries.cu:109:{{[0-9]+}} d{{.*}}safe in this run
// CHECK: seen   d: {{[0-9]+}} accesses, 128 B

int main() {
  cublasHandle_t B;
  cublasCreate(&B);
  vectors(B);
  stale(B);
  unordered(B);
  product(B);
  triangle(B);
  packed(B);
  transform();
  numbers();
}
