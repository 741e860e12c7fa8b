// sync(c) with the rule of one kind of copy turned off: the call says that
// nothing is in flight (flag 8), and waits for nothing. The wait after a copy
// that stays (kept_copy) has the flags of that copy.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{see} = grep -Eo '@echort_(linking|kept)_copy\(ptr @.*\)' | FileCheck %s -D#UP=0 -D#DOWN=0 -D#AUP=0 -D#ADOWN=0 -D#PINNED=0 -D#KEPT=0
// RUN: %{opt} | %{see}
// RUN: %{opt} -echo-without=sync-upload | %{see} -D#UP=8
// RUN: %{opt} -echo-without=sync-download | %{see} -D#DOWN=8
// RUN: %{opt} -echo-without=async-upload | %{see} -D#AUP=8
// RUN: %{opt} -echo-without=async-download | %{see} -D#ADOWN=8
// RUN: %{opt} -echo-without=async-pinned | %{see} -D#PINNED=8
// RUN: %{opt} -echo-without=kept-copy | %{see} -D#KEPT=8
// RUN: %{opt} | FileCheck %s --check-prefix=READ
// RUN: %{opt} -echo-without=kept-reads | FileCheck %s --check-prefix=NOT-READ

// CHECK: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#UP+224]], ptr null, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#DOWN+609]], ptr null, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#AUP+66]], ptr %{{.*}}, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: kept_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#AUP+1]], ptr %{{.*}})
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#ADOWN+67]], ptr %{{.*}}, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: kept_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#ADOWN+1]], ptr %{{.*}})
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#PINNED+4]], ptr %{{.*}}, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: kept_copy(ptr @echo.group{{[.0-9]*}}, i32 1, ptr %{{.*}})
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#PINNED+4]], ptr %{{.*}}, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#UP+224]], ptr null, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: kept_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#KEPT+1]], ptr %{{.*}})
// CHECK-NEXT: linking_copy(ptr @echo.group{{[.0-9]*}}, i32 [[#PINNED+4]], ptr %{{.*}}, ptr {{.*}}, i64 1048576)
// CHECK-NEXT: kept_copy(ptr @echo.group{{[.0-9]*}}, i32 1, ptr %{{.*}})
// CHECK-NOT: echo
#include "../Inputs/case.h"

void synchronous() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  FREE;
}

void pageable(cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  update<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  FREE;
}

void pinned(cudaStream_t s) {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  update<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  cudaFreeHost(h);
  cudaFree(d);
}

void kept(float *other, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpyAsync(other, h, Bytes, cudaMemcpyHostToDevice, s);
  FREE;
}

// The copy to elsewhere would read a pinned h in its turn, and reads other
// memory at once: a wait comes before it.
// READ: define {{.*}}pinnedElsewhere
// READ: call i32 @echort_kept_copy(ptr @echo.group{{[.0-9]*}}, i32 1, ptr %{{.*}})
// READ: call i32 @cudaMemcpyAsync(
// READ: ret
// NOT-READ: define {{.*}}pinnedElsewhere
// NOT-READ: call i32 @cudaMemcpyAsync(
// NOT-READ-NOT: @echort_kept_copy(
// NOT-READ: call i32 @cudaMemcpyAsync(
void pinnedElsewhere(float *other, cudaStream_t s) {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  cudaMemcpyAsync(other, h, Bytes, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  cudaFreeHost(h);
  cudaFree(d);
}
