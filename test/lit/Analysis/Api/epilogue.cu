// A descriptor of cuBLASLt keeps the address of a bias: each launch and library
// call behind that may use it.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*.txt
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o --model=%echo_source/models/cublas.model --report
// RUN: %{cc} %t.ok.txt && FileCheck --input-file=%t.ok.txt --check-prefix=OK %s
// RUN: %{cc} %t.early.txt -DEARLY && FileCheck --input-file=%t.early.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.live.txt -DLIVE && FileCheck --input-file=%t.live.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.back.txt -DBACK && FileCheck --input-file=%t.back.txt --check-prefix=ESCAPES %s
// RUN: %{cc} %t.thread.txt -DTHREADS && FileCheck --input-file=%t.thread.txt --check-prefix=ESCAPES %s
// OK: h + {{.*}} unified
// EARLY: h + {{.*}} declined S2 host-write-in-flight
// LIVE: h + {{.*}} declined S1 device-write-live-host
// ESCAPES: h + {{.*}} declined S3 pointer-escapes
#include "Inputs/library.h"

void multiply(cublasLtHandle_t lt, float *out, const float *in,
              const float *weight, const float *bias, int n) {
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t layout;
  int transposed = 1, add = bias ? 4 : 1;
  float one = 1, zero = 0;
  cublasLtMatmulDescCreate(&operation, 68, 0);
  cublasLtMatmulDescSetAttribute(operation, 3, &transposed, sizeof(transposed));
  cublasLtMatmulDescSetAttribute(operation, 7, &add, sizeof(add));
  cublasLtMatmulDescSetAttribute(operation, 8, &bias, sizeof(bias));
  cublasLtMatrixLayoutCreate(&layout, 0, n, n, n);
  cublasLtMatmul(lt, operation, &one, weight, layout, in, layout, &zero, out,
                 layout, out, layout, nullptr, nullptr, 0, 0);
#ifdef BACK
  float *kept;
  size_t size;
  cublasLtMatmulDescGetAttribute(operation, 8, &kept, sizeof(kept), &size);
#endif
  cublasLtMatmulDescDestroy(operation);
}

int main() {
  cublasLtHandle_t lt;
  float *out, *in, *weight, *d;
  float *h = (float *)malloc(Bytes);
  cudaMalloc(&d, Bytes);
  cudaMalloc(&out, Bytes);
  cudaMalloc(&in, Bytes);
  cudaMalloc(&weight, Bytes);
  memset(h, 0, Bytes);
  UP;
  cublasLtCreate(&lt);
  multiply(lt, out, in, weight, d, 16);
#ifndef EARLY
  cudaDeviceSynchronize();
#endif
#ifndef LIVE
  memset(h, 1, Bytes);
#endif
  UP;
  multiply(lt, out, in, weight, d, 32);
#ifndef LIVE
  DOWN;
#endif
  cudaDeviceSynchronize();
  printf("%g\n", h[0]);
  cudaFree(d);
  free(h);
}
#ifdef THREADS
void elsewhere();
void __attribute__((constructor)) before() { elsewhere(); }
#endif
