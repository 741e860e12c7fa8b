; R1 for other allocations: operator new that may throw, calloc's product,
; pinned memory, run-time sizes, the device buffer first, and pairs in a loop.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-model=%echo_source/models/libcxx.model -echo-unify -passes='default<O0>' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @echo.group = internal global { i32, i32, ptr, ptr, i64, ptr } { i32 15, i32 {{(16384|16385)}},
; A pinned host buffer says so in its group's flags.
; CHECK: @echo.group.[[PINNED:[0-9]+]] = internal global { i32, i32, ptr, ptr, i64, ptr } { i32 15, i32 {{(2|3|16386|16387)}},

; operator new throws in split mode only; both modes go on to the same place.
; CHECK-LABEL: define void @newArray
; CHECK: %[[B:[0-9]+]] = call noalias ptr @echort_acquire(ptr @echo.group{{.*}}, i32 0, i64 %n, ptr null, i32 0)
; CHECK: br i1 %{{[0-9]+}}, label %[[MERGED:.*]], label %[[SPLIT:.*]]
; CHECK: [[MERGED]]:
; CHECK-NEXT: br label %[[JOIN:.*]]
; CHECK: [[SPLIT]]:
; CHECK-NEXT: %[[C:.*]] = invoke noalias ptr @_Znam(i64 %n)
; CHECK-NEXT: to label %[[JOIN]] unwind label %bad
; CHECK: [[JOIN]]:
; CHECK-NEXT: phi ptr [ %[[B]], %[[MERGED]] ], [ %[[C]], %[[SPLIT]] ]
; CHECK: call i32 @echort_release(i32 0,
; CHECK: call void @_ZdaPv(
define void @newArray(i64 %n) personality ptr @__gxx_personality_v0 {
entry:
  %slot = alloca ptr
  %h = invoke noalias ptr @_Znam(i64 %n)
          to label %next unwind label %bad
next:
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpy(ptr %h, ptr %d, i64 %n, i32 2)
  %f = call i32 @cudaFree(ptr %d)
  call void @_ZdaPv(ptr %h)
  ret void
bad:
  %e = landingpad { ptr, i32 }
          catch ptr null
  call void @handled()
  ret void
}

; calloc: zeroed, and a product that overflows becomes a size that is refused.
; CHECK-LABEL: define void @callocProduct
; CHECK: %[[MUL:[0-9]+]] = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %n, i64 4)
; CHECK: %[[OVER:[0-9]+]] = extractvalue { i64, i1 } %[[MUL]], 1
; CHECK: %[[VALUE:[0-9]+]] = extractvalue { i64, i1 } %[[MUL]], 0
; CHECK: %[[SIZE:[0-9]+]] = select i1 %[[OVER]], i64 -1, i64 %[[VALUE]]
; CHECK: call noalias ptr @echort_acquire(ptr @echo.group{{.*}}, i32 0, i64 %[[SIZE]], ptr null, i32 1)
; CHECK: call noalias ptr @calloc(i64 %n, i64 4)
; CHECK: call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 1, i64 %{{.*}}, ptr %{{[0-9]+}}, i32 0)
define void @callocProduct(i64 %n) {
  %slot = alloca ptr
  %h = call noalias ptr @calloc(i64 %n, i64 4)
  %bytes = mul i64 %n, 4
  %a = call i32 @cudaMalloc(ptr %slot, i64 %bytes)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 %bytes, i32 1)
  %f = call i32 @cudaFree(ptr %d)
  call void @free(ptr %h)
  ret void
}

; Pinned host memory: an out-parameter on both sides, cudaSuccess when merged,
; and copies that never wait.
; CHECK-LABEL: define void @pinned
; CHECK: %[[HB:[0-9]+]] = call noalias ptr @echort_acquire(ptr @echo.group.[[PINNED]], i32 0,
; CHECK: store ptr %[[HB]], ptr %[[HSLOT:hslot]]
; CHECK: call i32 @cudaMallocHost(ptr {{.*}}%[[HSLOT]],
; CHECK: phi i32 [ 0,
; CHECK: %[[DB:[0-9]+]] = call ptr @echort_acquire(ptr @echo.group.[[PINNED]], i32 1,
; CHECK: store ptr %[[DB]], ptr %[[DSLOT:slot]]
; CHECK: call i32 @cudaMalloc(ptr {{.*}}%[[DSLOT]],
; CHECK: call i32 @echort_linking_copy(ptr @echo.group.[[PINNED]], i32 4, ptr %s, ptr {{.*}}, ptr {{.*}}, i64 1048576)
; CHECK: call i32 @cudaMemcpyAsync(
; CHECK: call i32 @echort_release(i32 0,
; CHECK: call i32 @cudaFreeHost(
define void @pinned(ptr %s) {
  %slot = alloca ptr
  %hslot = alloca ptr
  %b = call i32 @cudaMallocHost(ptr %hslot, i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %h = load ptr, ptr %hslot
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpyAsync(ptr %d, ptr %h, i64 1048576, i32 1, ptr %s)
  %w = call i32 @cudaStreamSynchronize(ptr %s)
  %g = call i32 @cudaFreeHost(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  ret void
}

; The device buffer first: then it is the partner. In a loop the partner is
; null again at the start of each iteration. Asynchronous pageable copies have
; kinds of their own.
; CHECK-LABEL: define void @deviceFirst
; CHECK: store ptr null, ptr %[[PARTNER:echo.partner[0-9]*]]
; CHECK: {{^}}loop:
; CHECK: store ptr null, ptr %[[PARTNER]]
; CHECK: call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 1, i64 1048576, ptr null, i32 0)
; CHECK: store ptr %{{[0-9]+}}, ptr %[[PARTNER]]
; CHECK: %[[D:[0-9]+]] = load ptr, ptr %[[PARTNER]]
; CHECK: call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 0, i64 1048576, ptr %[[D]], i32 0)
; CHECK: call i32 @echort_linking_copy(ptr @echo.group{{.*}}, i32 66, ptr %s, ptr {{.*}}, ptr {{.*}}, i64 1048576)
; CHECK: call i32 @echort_linking_copy(ptr @echo.group{{.*}}, i32 67, ptr %s, ptr {{.*}}, ptr {{.*}}, i64 1048576)
define void @deviceFirst(ptr %s, i32 %n) {
entry:
  %slot = alloca ptr
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %h = call noalias ptr @malloc(i64 1048576)
  call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 1048576, i1 false)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpyAsync(ptr %d, ptr %h, i64 1048576, i32 1, ptr %s)
  %w = call i32 @cudaMemcpyAsync(ptr %h, ptr %d, i64 1048576, i32 2, ptr %s)
  %y = call i32 @cudaStreamSynchronize(ptr %s)
  %f = call i32 @cudaFree(ptr %d)
  call void @free(ptr %h)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Every free asks for itself.
; CHECK-LABEL: define void @freedOnBothPaths
; CHECK-COUNT-2: call i32 @echort_release(i32 0,
; CHECK: call i32 @echort_release(i32 1,
define void @freedOnBothPaths(i1 %b) {
  %slot = alloca ptr
  %h = call noalias ptr @malloc(i64 1048576)
  %a = call i32 @cudaMalloc(ptr %slot, i64 1048576)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpy(ptr %h, ptr %d, i64 1048576, i32 2)
  br i1 %b, label %one, label %two
one:
  call void @free(ptr %h)
  %x = call i32 @cudaDeviceSynchronize()
  br label %end
two:
  call void @free(ptr %h)
  br label %end
end:
  %f = call i32 @cudaFree(ptr %d)
  ret void
}

declare void @handled()
declare i32 @__gxx_personality_v0(...)
declare noalias ptr @_Znam(i64)
declare void @_ZdaPv(ptr) nounwind
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMallocHost(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaFreeHost(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare i32 @cudaMemcpyAsync(ptr, ptr, i64, i32, ptr)
declare i32 @cudaStreamSynchronize(ptr)
declare i32 @cudaDeviceSynchronize()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
