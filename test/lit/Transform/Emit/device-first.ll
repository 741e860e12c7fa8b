; An asynchronous copy between pageable memory and a device buffer that came
; first: it runs where the host buffer stays apart, and the device buffer may be a
; block of managed memory. The wait behind it is there if either is a block. A
; host buffer that comes first knows by itself.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -passes='default<O0>' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @deviceFirst
; CHECK: %[[D:[0-9]+]] = call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 1, i64 1048576, ptr null, i32 0)
; CHECK: store ptr %[[D]], ptr %[[OFD:echo.block[0-9]*]]
; CHECK: %[[H:[0-9]+]] = call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 0, i64 1048576,
; CHECK: store ptr %[[H]], ptr %[[OFH:echo.block[0-9]*]]
; CHECK: call i32 @cudaMemcpyAsync(
; CHECK: load ptr, ptr %[[OFH]]
; CHECK: load ptr, ptr %[[OFD]]
; CHECK: or i1
; CHECK: call i32 @echort_kept_copy(ptr @echo.group{{.*}}, i32 1, ptr null)
define void @deviceFirst() {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %d = load ptr, ptr %slot
  %h = call noalias ptr @malloc(i64 1048576)
  %v = call i32 @cudaMemcpyAsync(ptr %h, ptr %d, i64 1048576, i32 2, ptr null)
  %f = call i32 @cudaFree(ptr %d)
  call void @free(ptr %h)
  ret void
}

; CHECK-LABEL: define void @hostFirst
; CHECK: call i32 @cudaMemcpyAsync(
; CHECK-NOT: or i1
; CHECK: ret void
define void @hostFirst() {
  %slot = alloca ptr
  %h = call noalias ptr @malloc(i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpyAsync(ptr %h, ptr %d, i64 1048576, i32 2, ptr null)
  %f = call i32 @cudaFree(ptr %d)
  call void @free(ptr %h)
  ret void
}

declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpyAsync(ptr, ptr, i64, i32, ptr)
declare noalias ptr @malloc(i64)
declare void @free(ptr)
