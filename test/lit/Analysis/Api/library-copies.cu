// cublasSetVector and its kind are copies where they move one piece, and uses
// of both sides where they do not.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.ok && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} --report %t.bad -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} --report %t.thread -fgpu-default-stream=per-thread && FileCheck --input-file=%t.thread --check-prefix=THREAD %s
// Their default stream is the legacy one: of per-thread ones nothing is said.
// THREAD: 3 pairs: 3 declined
#include "../../Inputs/case.h"
extern "C" {
int cublasSetVector(int n, int size, const void *x, int incx, void *y,
                    int incy);
int cublasGetVector(int n, int size, const void *x, int incx, void *y,
                    int incy);
int cublasSetMatrix(int rows, int cols, int size, const void *a, int lda,
                    void *b, int ldb);
int cublasGetMatrix_64(int64_t rows, int64_t cols, int64_t size, const void *a,
                       int64_t lda, void *b, int64_t ldb);
int cublasGetVectorAsync(int n, int size, const void *x, int incx, void *y,
                         int incy, cudaStream_t s);
}
constexpr int Rows = 512, Columns = Count / Rows;

// OK: library-copies.cu:[[#@LINE+4]]:3 h + {{.*}} unified    2 copies removed
// BAD: library-copies.cu:[[#@LINE+3]]:3 h + {{.*}} declined S1 device-write-live-host
// BAD-NEXT: [[#@LINE+6]]:11 'cublasSetVector' writes d
int strides() {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(if (cublasSetVector(Count, sizeof(float), h, 1, d, 1)) return 1;)
  UNSAFE(
      if (cublasSetVector(Count / 2, sizeof(float), h, 2, d, 1)) return 1;)
  update<<<1, 256>>>(d);
  DOWN;
  LOOK;
  FREE;
  return 0;
}

// OK: library-copies.cu:[[#@LINE+3]]:3 h + {{.*}} unified    2 copies removed
// BAD: library-copies.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
int matrix() {
  PAIR;
  memset(h, 1, Bytes);
  SAFE(cublasSetMatrix(Rows, Columns, sizeof(float), h, Rows, d, Rows);)
  UNSAFE(cublasSetMatrix(Rows / 2, Columns, sizeof(float), h, Rows, d, Rows);)
  update<<<1, 256>>>(d);
  DOWN;
  LOOK;
  FREE;
  return 0;
}

// Merged, a copy to another place would move the block onto itself.
// OK: library-copies.cu:[[#@LINE+3]]:3 h + {{.*}} unified    2 copies removed
// BAD: library-copies.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
int download() {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  update<<<1, 256>>>(d);
  SAFE(int status = cublasGetMatrix_64(Rows, Columns, sizeof(float), d, Rows, h,
                                       Rows);)
  UNSAFE(int status = cublasGetMatrix_64(Rows, Columns, sizeof(float), d, Rows,
                                         h, Rows / 2);)
  LOOK;
  FREE;
  return status;
}

// The library finds fault with a negative number, cudaMemcpy with a huge one.
// OK: library-copies.cu:[[#@LINE+3]]:23 h + {{.*}} unified
void number(int n, int *flag) {
  SAFE(n &= 0xfffff;)
  float *h = (float *)malloc(n * sizeof(float)), *d;
  cudaMalloc(&d, n * sizeof(float));
  memset(h, 1, n * sizeof(float));
  cublasSetVector(n, sizeof(float), h, 1, d, 1);
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
}

// An asynchronous one waits for nothing.
// OK: library-copies.cu:[[#@LINE+6]]:3 h + {{.*}} unified    1 copy removed
// BAD: library-copies.cu:[[#@LINE+5]]:3 h + {{.*}} declined S2 host-read-in-flight
float async(cudaStream_t t) {
  cudaStream_t s;
  float *h, *d;
  cudaStreamCreate(&s);
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256, 0, s>>>(d);
  cublasGetVectorAsync(Count, sizeof(float), d, 1, h, 1, s);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  float seen = h[0];
  cudaFreeHost(h);
  cudaFree(d);
  return seen;
}

// OK: 5 pairs: 5 unified
// BAD: 4 pairs: 4 declined
