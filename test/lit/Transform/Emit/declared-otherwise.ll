; A function of CUDA's name that the unit declares with another result is not known, so the pair stays as written.
; RUN: env ECHO_CHECK_ERASURE=1 %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -echo-share-calls=true -passes='default<O0>,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @pair
; CHECK-NOT: @echo
; CHECK: call i64 @cudaFree(ptr %d)
; CHECK-NOT: @echo
define void @pair() {
  %slot = alloca ptr
  %h = call noalias ptr @malloc(i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 1048576, i1 false)
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1)
  call void @free(ptr %h)
  %f = call i64 @cudaFree(ptr %d)
  ret void
}
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i64 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
