; What carries buffers, or is small enough to be part of a size, is inlined into
; a root; the user's noinline, recursion and kernels' stubs stay calls.
; Functions that are no roots stay as they are.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize)' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; At -O0 clang marks every function noinline and optnone: no wish of the user.
; CHECK-LABEL: define void @root(i64 %n)
; CHECK-NOT: @wrapper
; CHECK: call noalias ptr @malloc(i64 %n)
; CHECK-NOT: @wrapper
; CHECK: call i32 @cudaMalloc(ptr {{.*}}%echo.out{{[0-9]*}}, i64 %n)
; CHECK: %[[D:[0-9]+]] = load ptr, ptr %echo.out
; CHECK: call i32 @cudaMemcpy(ptr %[[D]], ptr %{{.*}}, i64 %n, i32 1)
; CHECK: call void @kept(ptr %[[D]])
; CHECK: call void @recursive(ptr %[[D]], i64 {{.*}})
; CHECK: call void @_Z20__device_stub__writePf(ptr %[[D]])
; CHECK-NOT: call i64 @numbers
; CHECK: mul i64 %n, %n
; CHECK: ret void
define void @root(i64 %n) noinline optnone {
  %d = alloca ptr
  %h = alloca ptr
  %a = call ptr @hostWrapper(i64 %n)
  store ptr %a, ptr %h
  call void @wrapper(ptr %d, i64 %n)
  %dv = load ptr, ptr %d
  %hv = load ptr, ptr %h
  %c = call i32 @cudaMemcpy(ptr %dv, ptr %hv, i64 %n, i32 1)
  call void @kept(ptr %dv)
  call void @recursive(ptr %dv, i64 %n)
  call void @_Z20__device_stub__writePf(ptr %dv)
  %s = call i64 @numbers(i64 %n)
  store volatile i64 %s, ptr @size
  ret void
}

; CHECK-LABEL: define internal ptr @hostWrapper
; CHECK: call noalias ptr @malloc
define internal ptr @hostWrapper(i64 %n) noinline optnone {
  %h = call noalias ptr @malloc(i64 %n)
  ret ptr %h
}

; No root: it allocates no host memory and does not copy.
; CHECK-LABEL: define internal void @wrapper
; CHECK-NEXT: %r = call i32 @cudaMalloc(ptr %p, i64 %n)
; CHECK-NEXT: ret void
define internal void @wrapper(ptr %p, i64 %n) noinline optnone {
  %r = call i32 @cudaMalloc(ptr %p, i64 %n)
  ret void
}

define void @kept(ptr %p) noinline {
  store float 1.0, ptr %p
  ret void
}

define void @recursive(ptr %p, i64 %n) {
  %more = icmp ne i64 %n, 0
  br i1 %more, label %again, label %end
again:
  %less = sub i64 %n, 1
  store float 1.0, ptr %p
  call void @recursive(ptr %p, i64 %less)
  br label %end
end:
  ret void
}

define i64 @numbers(i64 %n) noinline optnone {
  %m = mul i64 %n, %n
  ret i64 %m
}

define void @_Z20__device_stub__writePf(ptr %p) {
  ret void
}

@size = global i64 0
declare noalias ptr @malloc(i64)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
