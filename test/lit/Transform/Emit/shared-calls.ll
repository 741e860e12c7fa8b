; Calls that echort can make become calls of its functions; each object has weak ones, which make the call as written.
; Other calls of one form share one internal function, which asks echort and makes the call. What is given to both beside
; the call's own operands is what they may not know. A call that has a form of its own is asked about in its place.
; RUN: env ECHO_CHECK_ERASURE=1 %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -echo-share-calls=true -passes='default<O0>,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @twice
; CHECK: %h = call noalias ptr @echo_call_malloc(i64 1048576, ptr [[G:@echo.group[.0-9]*]], ptr null)
; CHECK: %a = call i32 @echo_call_cudaMalloc(ptr %slot, i64 1048576, ptr [[G]], ptr
; CHECK: %u = call i32 @echo_call_cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1, ptr [[G]], i32 224)
; CHECK: %v = call i32 @echo_call_cudaMemcpy(ptr %h, ptr %d, i64 1048576, i32 2, ptr [[G]], i32 609)
; CHECK: call void @echo_call_free(ptr %h)
; CHECK: call i32 @echo_call_cudaFree(ptr %d)
define void @twice() {
  %slot = alloca ptr
  %h = call noalias ptr @malloc(i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 1048576, i1 false)
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1)
  %v = call i32 @cudaMemcpy(ptr %h, ptr %d, i64 1048576, i32 2)
  call void @free(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  ret void
}

; Another pair, another group. An allocation that no pair has asks for room: it has no group.
; CHECK-LABEL: define void @again
; CHECK: %o = call i32 @echo_call_cudaMalloc(ptr %other, i64 4096, ptr null, ptr null)
; CHECK: %h = call noalias ptr @echo_call_malloc(i64 2097152, ptr [[H:@echo.group[.0-9]*]], ptr null)
; CHECK: %a = call i32 @echo_call_cudaMalloc(ptr %slot, i64 2097152, ptr [[H]], ptr
; CHECK: %u = call i32 @echo_call_cudaMemcpy(ptr %d, ptr %h, i64 2097152, i32 1, ptr [[H]], i32 224)
; CHECK: call void @echo_call_free(ptr %h)
; CHECK: call i32 @echo_call_cudaFree(ptr %d)
define void @again() {
  %slot = alloca ptr
  %other = alloca ptr
  %o = call i32 @cudaMalloc(ptr %other, i64 4096)
  call void @keep(ptr %other)
  %h = call noalias ptr @malloc(i64 2097152)
  %a = call i32 @cudaMalloc(ptr %slot, i64 2097152)
  call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 2097152, i1 false)
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 2097152, i32 1)
  call void @free(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  ret void
}

; calloc is none of the calls that echort makes.
; CHECK-LABEL: define void @zeroed
; CHECK: %h = call noalias ptr @echo.calloc(i64 1, i64 1048576, ptr {{@echo.group[.0-9]*}}, ptr null)
; CHECK: %a = call i32 @echo_call_cudaMalloc(
define void @zeroed() {
  %slot = alloca ptr
  %h = call noalias ptr @calloc(i64 1, i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1)
  call void @free(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  ret void
}

; CHECK-LABEL: define void @zeroed_again
; CHECK: @echo.calloc(
define void @zeroed_again() {
  %slot = alloca ptr
  %h = call noalias ptr @calloc(i64 1, i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1)
  call void @free(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  ret void
}
; CHECK: define weak hidden void @echo_call_free(ptr [[P:%.*]]) [[SMALL:#[0-9]+]]
; CHECK-NEXT: call void @free(ptr [[P]])
; CHECK-NEXT: ret void
; CHECK: define weak hidden i32 @echo_call_cudaMemcpy(ptr [[D:%.*]], ptr [[S:%.*]], i64 [[N:%.*]], i32 [[K:%.*]], ptr {{%.*}}, i32 {{%.*}}) [[SMALL]]
; CHECK-NEXT: [[E:%.*]] = call i32 @cudaMemcpy(ptr [[D]], ptr [[S]], i64 [[N]], i32 [[K]])
; CHECK-NEXT: ret i32 [[E]]
; CHECK: define internal ptr @echo.calloc(i64 {{%.*}}, i64 {{%.*}}, ptr [[G:%.*]], ptr [[W:%.*]]) [[SMALL]]
; CHECK: call noalias ptr @echort_acquire(ptr [[G]], i32 0, i64 {{%.*}}, ptr [[W]], i32 1)
; CHECK: call noalias ptr @calloc(
; CHECK: define weak hidden ptr @echo_call_malloc(i64 [[N:%.*]], ptr {{%.*}}, ptr {{%.*}}) [[SMALL]]
; CHECK-NEXT: call noalias ptr @malloc(i64 [[N]])
; CHECK: attributes [[SMALL]] = { minsize noinline optsize
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @keep(ptr %p) noinline {
  ret void
}
