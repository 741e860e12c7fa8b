; A function in sight stays a call where it has nothing to do with what CUDA
; gets or gives: buffers, memory with their addresses, numbers that make sizes,
; answers of CUDA's calls. Small functions that call nothing are inlined.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize)' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@log = global ptr null

; CHECK-LABEL: define void @root(
; What is measured, and printed, is no buffer.
; CHECK: call void @start(ptr {{.*}}%timer)
; Number and address come out of objects.
; CHECK-NOT: call i64 @sizeOf
; CHECK-NOT: call void @make
; CHECK: call {{.*}}ptr @malloc(i64 %{{.*}})
; CHECK-NOT: @smallLeaf
; The answer of CUDA's call, of which the rest depends.
; CHECK-NOT: call void @check
; CHECK: call i32 @puts(
; A number of the sizes makes no carrier of what it is given to.
; CHECK: call void @stop(ptr {{.*}}%timer, i64 %n)
; It uses a variable that others see.
; CHECK-NOT: call void @remember
; CHECK: ret void

; What an operator of the C++ library returns is its stream: the number that it
; reads makes a size, and the stream leads nowhere near it.
; CHECK-LABEL: define void @parsed(
; CHECK: call void @begin(ptr {{.*}}%stream)
; CHECK: call ptr @_ZNSirsERi(
; CHECK-LABEL: define void @parsedBlocked(
; CHECK-NOT: call void @begin(
; CHECK: call ptr @parse(
define void @root(i64 %n) {
  %timer = alloca { ptr, i64 }
  %size = alloca { i64, i64 }
  %vector = alloca { ptr, i64 }
  %d = alloca ptr
  call void @start(ptr %timer)
  call void @setSize(ptr %size, i64 %n)
  %bytes = call i64 @sizeOf(ptr %size)
  call void @make(ptr %vector, i64 %bytes)
  %error = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  call void @check(i32 %error, ptr %timer)
  %h = load ptr, ptr %vector
  %dv = load ptr, ptr %d
  %c = call i32 @cudaMemcpy(ptr %dv, ptr %h, i64 %bytes, i32 1)
  call void @stop(ptr %timer, i64 %n)
  call void @smallLeaf(ptr %timer)
  call void @remember(ptr %timer)
  %f = call i32 @cudaFree(ptr %dv)
  call void @free(ptr %h)
  ret void
}

define void @parsed() {
  %stream = alloca { ptr, i64 }
  %n = alloca i64
  %d = alloca ptr
  call void @begin(ptr %stream)
  %same = call ptr @_ZNSirsERi(ptr %stream, ptr %n)
  %bytes = load i64, ptr %n
  %error = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dv = load ptr, ptr %d
  %h = call ptr @malloc(i64 %bytes)
  %c = call i32 @cudaMemcpy(ptr %dv, ptr %h, i64 %bytes, i32 1)
  %f = call i32 @cudaFree(ptr %dv)
  call void @free(ptr %h)
  ret void
}

define void @parsedBlocked() {
  %stream = alloca { ptr, i64 }
  %n = alloca i64
  %d = alloca ptr
  call void @begin(ptr %stream)
  %same = call ptr @parse(ptr %stream, ptr %n)
  %bytes = load i64, ptr %n
  %error = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dv = load ptr, ptr %d
  %h = call ptr @malloc(i64 %bytes)
  %c = call i32 @cudaMemcpy(ptr %dv, ptr %h, i64 %bytes, i32 1)
  %f = call i32 @cudaFree(ptr %dv)
  call void @free(ptr %h)
  ret void
}

define void @begin(ptr %s) {
  %m = call ptr @malloc(i64 64)
  store ptr %m, ptr %s
  ret void
}

define void @start(ptr %t) {
  %m = call ptr @malloc(i64 64)
  store ptr %m, ptr %t
  ret void
}

define void @stop(ptr %t, i64 %n) {
  %p = getelementptr i8, ptr %t, i64 8
  store i64 %n, ptr %p
  %m = load ptr, ptr %t
  call void @free(ptr %m)
  ret void
}

define void @setSize(ptr %s, i64 %n) {
  %x = call i64 @twice(i64 %n)
  store i64 %x, ptr %s
  ret void
}

define i64 @twice(i64 %n) {
  %x = mul i64 %n, 2
  ret i64 %x
}

define i64 @sizeOf(ptr %s) {
  %x = load i64, ptr %s
  %b = call i64 @twice(i64 %x)
  ret i64 %b
}

define void @make(ptr %v, i64 %bytes) {
  %m = call ptr @malloc(i64 %bytes)
  store ptr %m, ptr %v
  ret void
}

define void @check(i32 %error, ptr %t) {
  %ok = icmp eq i32 %error, 0
  br i1 %ok, label %done, label %bad
bad:
  %p = call i32 @puts(ptr %t)
  br label %done
done:
  ret void
}

define void @smallLeaf(ptr %t) {
  %p = getelementptr i8, ptr %t, i64 8
  store i64 0, ptr %p
  ret void
}

define void @remember(ptr %t) {
  %m = call ptr @malloc(i64 8)
  store ptr %m, ptr @log
  ret void
}

declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr)
declare i32 @puts(ptr)
declare ptr @_ZNSirsERi(ptr, ptr)
declare ptr @parse(ptr, ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare i32 @cudaFree(ptr)
