; The same events as the host ABI of aarch64 has them: a dim3 is one argument,
; and so is a struct of at most 16 bytes, whose pointers are numbers then.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Inputs/kernels.facts -passes='function(echo-normalize,print<echo-events>)' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"

%struct.Pair = type { ptr, ptr }
%struct.Handl = type { ptr }

; CHECK-LABEL: events of 'streams'
; CHECK: gpu kernel 'write', stream %s: w #0
; CHECK-NEXT: gpu kernel 'write', stream %t: w #0
define void @streams(ptr %s, ptr %t) {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr %s)
  call void @_Z20__device_stub__writePf(ptr %d)
  %q = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr %t)
  call void @_Z20__device_stub__writePf(ptr %d)
  ret void
}

; The first of the struct's pointers is read, the second written through.
; CHECK-LABEL: events of 'packed'
; CHECK-NEXT: #0 cudaMalloc %{{[^,]*}}, 4096 B{{$}}
; CHECK-NEXT: #1 cudaMalloc %{{[^,]*}}, 4096 B{{$}}
; CHECK: gpu kernel 'both', stream null: w #1, r #0
define void @packed() {
  %in.slot = alloca ptr
  %out.slot = alloca ptr
  %pair = alloca %struct.Pair
  %a = call i32 @cudaMalloc(ptr %in.slot, i64 4096)
  %b = call i32 @cudaMalloc(ptr %out.slot, i64 4096)
  %in = load ptr, ptr %in.slot
  %out = load ptr, ptr %out.slot
  store ptr %in, ptr %pair
  %second = getelementptr %struct.Pair, ptr %pair, i32 0, i32 1
  store ptr %out, ptr %second
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %in, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %packed = load [2 x i64], ptr %pair
  call void @_Z19__device_stub__both4Pair([2 x i64] %packed)
  ret void
}

; In a variable that stays in memory: one of the pointers is put anywhere in it.
; CHECK-LABEL: events of 'chosen'
; CHECK-NEXT: #0 cudaMalloc %{{[^,]*}}, 4096 B{{$}}
; CHECK-NEXT: #1 cudaMalloc %{{[^,]*}}, 4096 B{{$}}
; CHECK: gpu kernel 'both', stream null: w #1, r #0
define void @chosen(i64 %i) {
  %in.slot = alloca ptr
  %out.slot = alloca ptr
  %pair = alloca %struct.Pair
  %a = call i32 @cudaMalloc(ptr %in.slot, i64 4096)
  %b = call i32 @cudaMalloc(ptr %out.slot, i64 4096)
  %in = load ptr, ptr %in.slot
  %out = load ptr, ptr %out.slot
  %other = getelementptr ptr, ptr %pair, i64 %i
  store ptr %in, ptr %other
  %second = getelementptr %struct.Pair, ptr %pair, i32 0, i32 1
  store ptr %out, ptr %second
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %in, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %packed = load [2 x i64], ptr %pair
  call void @_Z19__device_stub__both4Pair([2 x i64] %packed)
  ret void
}

; A struct of one pointer is one number.
; CHECK-LABEL: events of 'number'
; CHECK-NEXT: #0 cudaMalloc %{{[^,]*}}, 4096 B{{$}}
; CHECK: gpu kernel 'number', stream null: w #0
define void @number() {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %n = ptrtoint ptr %d to i64
  call void @_Z21__device_stub__number5Handl(i64 %n)
  ret void
}

; The twin: the number goes elsewhere, too.
; CHECK-LABEL: events of 'number_shown'
; CHECK-NEXT: #0 cudaMalloc %{{[^,]*}}, 4096 B, refused: pointer-to-integer
define void @number_shown() {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %n = ptrtoint ptr %d to i64
  call void @_Z21__device_stub__number5Handl(i64 %n)
  call void @show(i64 %n)
  ret void
}

; The twin: a kernel whose parameter is a number may do anything with it.
; CHECK-LABEL: events of 'plain_number'
; CHECK-NEXT: #0 cudaMalloc %{{[^,]*}}, 4096 B, refused: pointer-to-integer
define void @plain_number() {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %d = load ptr, ptr %slot
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %n = ptrtoint ptr %d to i64
  call void @_Z20__device_stub__plainl(i64 %n)
  ret void
}

; The twin: half of the struct comes from memory that is not followed; what is
; known of the other half stays.
; CHECK-LABEL: events of 'half'
; CHECK: gpu kernel 'both', stream null: w #0
define void @half(ptr %from) {
  %slot = alloca ptr
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %d = load ptr, ptr %slot
  %n = ptrtoint ptr %d to i64
  %rest = load [2 x i64], ptr %from
  %h = call ptr @malloc(i64 4096)
  %c = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %p = call i32 @__cudaPushCallConfiguration([2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], i64 0, ptr null)
  %packed = insertvalue [2 x i64] %rest, i64 %n, 1
  call void @_Z19__device_stub__both4Pair([2 x i64] %packed)
  ret void
}

; The stubs, as clang makes them.
define void @_Z20__device_stub__writePf(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  %args = alloca ptr, i64 1
  store ptr %slot, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z20__device_stub__writePf, [2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], ptr %args, i64 0, ptr null)
  ret void
}
define void @_Z19__device_stub__both4Pair([2 x i64] %p) {
  %slot = alloca %struct.Pair
  store [2 x i64] %p, ptr %slot
  %args = alloca ptr, i64 1
  store ptr %slot, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z19__device_stub__both4Pair, [2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], ptr %args, i64 0, ptr null)
  ret void
}
define void @_Z21__device_stub__number5Handl(i64 %p) {
  %slot = alloca %struct.Handl
  store i64 %p, ptr %slot
  %args = alloca ptr, i64 1
  store ptr %slot, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z21__device_stub__number5Handl, [2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], ptr %args, i64 0, ptr null)
  ret void
}
define void @_Z20__device_stub__plainl(i64 %p) {
  %slot = alloca i64
  store i64 %p, ptr %slot
  %args = alloca ptr, i64 1
  store ptr %slot, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z20__device_stub__plainl, [2 x i64] [i64 4294967297, i64 1], [2 x i64] [i64 4294967297, i64 1], ptr %args, i64 0, ptr null)
  ret void
}
declare noalias ptr @malloc(i64)
declare void @show(i64)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare i32 @__cudaPushCallConfiguration([2 x i64], [2 x i64], i64, ptr)
declare i32 @cudaLaunchKernel(ptr, [2 x i64], [2 x i64], ptr, i64, ptr)
