// Buffers whose address a library keeps, in a descriptor or in a device array of
// pointers: each call of a GPU library behind that may use them.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*.txt
// DEFINE: %{models} = --model=%echo_source/models/cusparse.model --model=%echo_source/models/cublas.model
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o %{models} --report
// RUN: %{cc} %t.ok.txt && FileCheck --input-file=%t.ok.txt --check-prefix=OK %s
// RUN: %{cc} %t.live.txt -DLIVE && FileCheck --input-file=%t.live.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.early.txt -DEARLY && FileCheck --input-file=%t.early.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.left.txt -DLEFT && FileCheck --input-file=%t.left.txt --check-prefix=LEFT %s
// RUN: %{cc} %t.back.txt -DBACK && FileCheck --input-file=%t.back.txt --check-prefix=BACK %s
// RUN: %{cc} %t.thread.txt -DTHREADS && FileCheck --input-file=%t.thread.txt --check-prefix=THREADS %s
// RUN: %{cc} %t.work.txt -DWORKSPACE && FileCheck --input-file=%t.work.txt --check-prefix=WORKSPACE %s
// RUN: %{cc} %t.batch.txt -DBATCH && FileCheck --input-file=%t.batch.txt --check-prefix=OK %s
// RUN: %{cc} %t.batched.txt -DBATCH -DLIVE && FileCheck --input-file=%t.batched.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.region.txt -fopenmp -DREGION && FileCheck --input-file=%t.region.txt --check-prefix=OK %s
// RUN: %{cc} %t.gpu.txt -fopenmp -DREGION -DREGION_LAUNCHES && FileCheck --input-file=%t.gpu.txt --check-prefix=THREADS %s
// RUN: %{cc} %t.task.txt -fopenmp -DREGION -DTASK && FileCheck --input-file=%t.task.txt --check-prefix=THREADS %s
// OK: h + {{.*}} unified
// LIVE: h + {{.*}} declined S1 device-write-live-host
// EARLY: h + {{.*}} declined S2 host-write-in-flight
// LEFT: h + {{.*}} declined S3 pointer-escapes
// BACK: h + {{.*}} declined S3 pointer-escapes
// THREADS: h + {{.*}} declined S3 pointer-escapes
// WORKSPACE: h + {{.*}} declined coverage unknown-call
#include "Inputs/library.h"

const float two = 2;

#ifdef LEFT
void later() { cudaDeviceSynchronize(); } // the GPU is used when main is over
#endif

int main() {
#ifdef LEFT
  atexit(later);
#endif
  float *values, *x, *d;
  int *offsets, *columns;
  float *h = (float *)malloc(Bytes);
  cudaMalloc(&d, Bytes);
  cudaMalloc(&x, Bytes);
  cudaMalloc(&values, Bytes);
  cudaMalloc(&offsets, Bytes);
  cudaMalloc(&columns, Bytes);
  memset(h, 0, Bytes);
  UP;
#ifdef BATCH
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  float **arrays, *in[2] = {d, x};
  cudaMalloc(&arrays, sizeof(in));
  cudaMemcpy(arrays, in, sizeof(in), cudaMemcpyHostToDevice);
  cublasSgemmBatched(handle, 0, 0, 8, 8, 8, &two, arrays, 8, arrays, 8, &two, arrays, 8, 2);
#else
  cusparseHandle_t handle;
  cusparseSpMatDescr_t A;
  cusparseDnVecDescr_t vecX, vecY;
  cusparseCreate(&handle);
  cusparseCreateCsr(&A, 512, 512, 4096, offsets, columns, values, 2, 2, 0, 0);
  cusparseCreateDnVec(&vecX, 512, x, 0);
#ifdef WORKSPACE
  cusparseCreateDnVec(&vecY, 512, x, 0);
  cusparseSpMV_preprocess(handle, 0, &two, A, vecX, &two, vecY, 0, 0, d);
#else
  cusparseCreateDnVec(&vecY, 512, d, 0);
#endif
  cusparseSpMV(handle, 0, &two, A, vecX, &two, vecY, 0, 0, nullptr);
  cusparseDestroyDnVec(vecY);
#endif
#ifdef BACK
  void *found;
  cusparseDnVecGetValues(vecX, &found);
#endif
#ifdef EARLY
  memset(h, 1, Bytes); // the GPU may still be at it
  UP;
#endif
#ifndef LIVE
  DOWN;
#endif
  cudaDeviceSynchronize();
#ifdef REGION
  float seen = 0;
#pragma omp parallel for reduction(+ : seen)
  for (int i = 0; i < Count; ++i) {
    seen += h[i];
#ifdef REGION_LAUNCHES
    readOnly<<<1, 1>>>(x, offsets);
#endif
#ifdef TASK
#pragma omp task
    printf(".");
#endif
  }
  printf("%g\n", seen);
#endif
  printf("%g\n", h[0]);
  free(h);
  cudaFree(d);
}
#ifdef THREADS
void elsewhere();
void __attribute__((constructor)) before() { elsewhere(); }
#endif
