; Where no pair is safe nothing is changed, not even by normalizing. The report
; says why.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -passes='default<O0>' -S %s | FileCheck %s
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -echo-report=%t.txt -passes='default<O0>' -disable-output %s
; RUN: FileCheck --check-prefix=REPORT --input-file=%t.txt %s
; REPORT: declined S3 pointer-escapes
; REPORT-NEXT: the buffer's address is stored
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-NOT: {{echort|echo\.}}
; CHECK-LABEL: define void @declined
; CHECK-NEXT: %slot = alloca ptr
; CHECK-NEXT: %h = call noalias ptr @malloc
; CHECK-NEXT: %a = call i32 @cudaMalloc(ptr %slot
; CHECK-NEXT: store ptr %h, ptr %p
; CHECK-NEXT: %d = load ptr, ptr %slot
; CHECK-NEXT: %u = call i32 @cudaMemcpy
; CHECK-NEXT: ret void
; CHECK-NOT: {{echort|echo\.}}
define void @declined(ptr %p) {
  %slot = alloca ptr
  %h = call noalias ptr @malloc(i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  store ptr %h, ptr %p
  %d = load ptr, ptr %slot
  %u = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 1048576, i32 1)
  ret void
}

declare noalias ptr @malloc(i64)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
