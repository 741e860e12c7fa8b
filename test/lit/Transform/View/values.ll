; Out-parameters, fields of structs and unwinding that cannot happen become
; plain values and plain calls.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize)' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
%struct.Both = type { ptr, ptr, [8 x i32] }

; Pointers beside an array that is indexed at run time. The variable's value
; before the call is kept for the case that the call fails.
; CHECK-LABEL: define i32 @fields(i64 %n, i64 %i)
; CHECK: %[[OUT:echo.out[0-9]*]] = alloca ptr
; CHECK: %h = call ptr @malloc(i64 %n)
; CHECK: call i32 @cudaMalloc(ptr {{.*}}%[[OUT]], i64 %n)
; CHECK: %[[D:[0-9]+]] = load ptr, ptr %[[OUT]]
; CHECK: call i32 @cudaMemcpy(ptr %[[D]], ptr %h, i64 %n, i32 1)
; CHECK: call void @free(ptr %h)
; CHECK: ret i32
define i32 @fields(i64 %n, i64 %i) {
  %s = alloca %struct.Both
  %hs = getelementptr inbounds %struct.Both, ptr %s, i32 0, i32 0
  %ds = getelementptr inbounds %struct.Both, ptr %s, i32 0, i32 1
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %hs
  %a = call i32 @cudaMalloc(ptr %ds, i64 %n)
  %array = getelementptr inbounds %struct.Both, ptr %s, i32 0, i32 2
  %slot = getelementptr inbounds [8 x i32], ptr %array, i64 0, i64 %i
  store i32 7, ptr %slot
  %d = load ptr, ptr %ds
  %h1 = load ptr, ptr %hs
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h1, i64 %n, i32 1)
  %h2 = load ptr, ptr %hs
  call void @free(ptr %h2)
  %v = load i32, ptr %array
  ret i32 %v
}

; A pointer that is read again from a struct whose address CUDA reads: a store of
; other bytes of the struct, whatever their type, leaves it as it is.
; CHECK-LABEL: define void @readAgain
; CHECK: store <2 x float>
; CHECK-NEXT: cudaMemcpy(
; CHECK-NEXT: call void @free(ptr %h)
; CHECK-NEXT: ret void
define void @readAgain(i64 %n) {
  %s = alloca { <2 x float>, ptr }
  %hs = getelementptr inbounds { <2 x float>, ptr }, ptr %s, i32 0, i32 1
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %hs
  store <2 x float> <float 1.0, float 2.0>, ptr %s
  %c = call i32 @cudaMemcpy(ptr %d, ptr %s, i64 16, i32 1)
  %h1 = load ptr, ptr %hs
  call void @free(ptr %h1)
  ret void
}
; What is read is put back (x = x) and read again.
; CHECK-LABEL: define void @putBack
; CHECK: cudaMemcpy(
; CHECK-NEXT: store ptr %h, ptr %hs
; CHECK-NEXT: call void @free(ptr %h)
; CHECK-NEXT: ret void
define void @putBack(i64 %n) {
  %s = alloca { <2 x float>, ptr }
  %hs = getelementptr inbounds { <2 x float>, ptr }, ptr %s, i32 0, i32 1
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %hs
  %old = load ptr, ptr %hs
  store ptr %old, ptr %hs
  %c = call i32 @cudaMemcpy(ptr %d, ptr %s, i64 16, i32 1)
  %again = load ptr, ptr %hs
  store ptr %again, ptr %hs
  %last = load ptr, ptr %hs
  call void @free(ptr %last)
  ret void
}
; CHECK-LABEL: define void @readOverwritten
; CHECK: cudaMemcpy(
; CHECK-NEXT: %[[AGAIN:.*]] = load ptr
; CHECK: call void @free(ptr %[[AGAIN]])
define void @readOverwritten(i64 %n, <2 x i64> %other) {
  %s = alloca { i64, ptr }
  %hs = getelementptr inbounds { i64, ptr }, ptr %s, i32 0, i32 1
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %hs
  store <2 x i64> %other, ptr %s
  %c = call i32 @cudaMemcpy(ptr %d, ptr %s, i64 16, i32 1)
  %h1 = load ptr, ptr %hs
  call void @free(ptr %h1)
  ret void
}

; CUDA calls and kernels' stubs never unwind; unknown functions may.
; CHECK-LABEL: define void @unwinding
; CHECK: call i32 @cudaMalloc(
; CHECK: call i32 @cudaMemcpy(
; CHECK: invoke void @unknown()
; CHECK: landingpad
define void @unwinding(i64 %n) personality ptr @__gxx_personality_v0 {
  %slot = alloca ptr
  %h = call ptr @malloc(i64 %n)
  %a = invoke i32 @cudaMalloc(ptr %slot, i64 %n)
          to label %one unwind label %bad
one:
  %d = load ptr, ptr %slot
  %c = invoke i32 @cudaMemcpy(ptr %d, ptr %h, i64 %n, i32 1)
          to label %two unwind label %bad
two:
  invoke void @unknown()
          to label %end unwind label %bad
end:
  ret void
bad:
  %e = landingpad { ptr, i32 }
          catch ptr null
  call void @free(ptr %h)
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @unknown()
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
