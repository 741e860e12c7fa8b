; Calls of one form share one function, which asks echort and makes the call; what is given to it beside the call's own
; operands is what it may not know. A call that has a form of its own is asked about in its place.
; RUN: env ECHO_CHECK_ERASURE=1 %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -echo-share-calls=true -passes='default<O0>,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @twice
; CHECK: %h = call noalias ptr @echo.malloc(i64 1048576, ptr [[G:@echo.group[.0-9]*]])
; CHECK: %a = call i32 @echo.cudaMalloc(ptr %slot, i64 1048576, ptr [[G]], ptr
; CHECK: %u = call i32 @echo.cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1, ptr [[G]], i32 224)
; CHECK: %v = call i32 @echo.cudaMemcpy(ptr %h, ptr %d, i64 1048576, i32 2, ptr [[G]], i32 609)
; CHECK: call void @echo.free(ptr %h)
; CHECK: call i32 @echo.cudaFree(ptr %d)
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

; Another pair, another group. An allocation that no pair has asks for room, which is another form.
; CHECK-LABEL: define void @again
; CHECK: call ptr @echort_acquire(ptr null, i32 1, i64 4096, ptr null, i32 0)
; CHECK-NEXT: %o = call i32 @cudaMalloc(ptr %other, i64 4096)
; CHECK: %h = call noalias ptr @echo.malloc(i64 2097152, ptr [[H:@echo.group[.0-9]*]])
; CHECK: %a = call i32 @echo.cudaMalloc(ptr %slot, i64 2097152, ptr [[H]], ptr
; CHECK: %u = call i32 @echo.cudaMemcpy(ptr %d, ptr %h, i64 2097152, i32 1, ptr [[H]], i32 224)
; CHECK: call void @echo.free(ptr %h)
; CHECK: call i32 @echo.cudaFree(ptr %d)
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

; CHECK: define internal void @echo.free(ptr [[P:%.*]]) [[SMALL:#[0-9]+]]
; CHECK: call i32 @echort_release(i32 0, ptr [[P]])
; CHECK: call void @free(ptr [[P]])
; CHECK: define internal i32 @echo.cudaMemcpy(ptr [[D:%.*]], ptr [[S:%.*]], i64 [[N:%.*]], i32 [[K:%.*]], ptr [[G:%.*]], i32 [[O:%.*]]) [[SMALL]]
; CHECK: call i32 @echort_linking_copy(ptr [[G]], i32 [[O]], ptr null, ptr [[D]], ptr [[S]], i64 [[N]])
; CHECK: [[E:%.*]] = call i32 @cudaMemcpy(ptr [[D]], ptr [[S]], i64 [[N]], i32 [[K]])
; CHECK: call void @echort_copy_ran(i32 [[O]], ptr null, i32 [[E]])
; CHECK: define internal ptr @echo.malloc(i64 [[N:%.*]], ptr [[G:%.*]]) [[SMALL]]
; CHECK: call noalias ptr @echort_acquire(ptr [[G]], i32 0, i64 [[N]], ptr null, i32 0)
; CHECK: call noalias ptr @malloc(i64 [[N]])
; CHECK: attributes [[SMALL]] = { minsize noinline optsize
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @keep(ptr %p) noinline {
  ret void
}
