; Loops of few rounds that fill tables of buffers are written out; pointers that
; walk through an array member, and copies of some numbers, leave the other
; fields of an object alone.

; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize)' -S %s | FileCheck %s

%struct.Mixed = type { [4 x i64], ptr, i64 }
%struct.Numbers = type { i64, ptr, [4 x i64] }

declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; Two rounds: two allocations, each in a place of its own.
; CHECK-LABEL: define void @table
; CHECK-COUNT-2: call i32 @cudaMalloc
; CHECK-NOT: call i32 @cudaMalloc
; CHECK: ret void
define void @table(ptr %h, i64 %n) {
entry:
  %t = alloca [2 x ptr]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %at = getelementptr inbounds [2 x ptr], ptr %t, i64 0, i64 %i
  %r0 = call i32 @cudaMalloc(ptr %at, i64 %n)
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 2
  br i1 %again, label %fill, label %use
use:
  %first = load ptr, ptr %t
  %r1 = call i32 @cudaMemcpy(ptr %first, ptr %h, i64 %n, i32 1)
  ret void
}

; As many rounds as the caller says: one allocation.
; CHECK-LABEL: define void @anyRounds
; CHECK-COUNT-1: call i32 @cudaMalloc
; CHECK-NOT: call i32 @cudaMalloc
; CHECK: ret void
define void @anyRounds(ptr %h, i64 %n, i64 %rounds) {
entry:
  %t = alloca [2 x ptr]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %at = getelementptr inbounds [2 x ptr], ptr %t, i64 0, i64 %i
  %r0 = call i32 @cudaMalloc(ptr %at, i64 %n)
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %rounds
  br i1 %again, label %fill, label %use
use:
  %first = load ptr, ptr %t
  %r1 = call i32 @cudaMemcpy(ptr %first, ptr %h, i64 %n, i32 1)
  ret void
}

; A table of sizes, and one pointer: one allocation.
; CHECK-LABEL: define void @sizes
; CHECK-COUNT-1: call i32 @cudaMalloc
; CHECK-NOT: call i32 @cudaMalloc
; CHECK: ret void
define void @sizes(ptr %h, ptr %from) {
entry:
  %t = alloca [2 x i64]
  %slot = alloca ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %from, i64 16, i1 false)
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %next, %round ]
  %at = getelementptr inbounds [2 x i64], ptr %t, i64 0, i64 %i
  %n = load i64, ptr %at
  %r0 = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %r1 = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 %n, i32 1)
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 2
  br i1 %again, label %round, label %done
done:
  ret void
}

; The pointer that walks stays in the array: the field is a value.
; CHECK-LABEL: define void @walk
; CHECK: %h = call ptr @malloc
; CHECK: call i32 @cudaMemcpy(ptr %{{[0-9a-z.]+}}, ptr %h,
define void @walk(i64 %n, i64 %x) {
entry:
  %slot = alloca ptr
  %m = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %o = alloca %struct.Mixed
  %f = getelementptr inbounds %struct.Mixed, ptr %o, i32 0, i32 1
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %f
  %a = getelementptr inbounds %struct.Mixed, ptr %o, i32 0, i32 0
  %end = getelementptr inbounds i64, ptr %a, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  store i64 %x, ptr %p
  %q = getelementptr inbounds i64, ptr %p, i64 1
  %again = icmp ne ptr %q, %end
  br i1 %again, label %loop, label %use
use:
  %g = load ptr, ptr %f
  %r0 = call i32 @cudaMemcpy(ptr %d, ptr %g, i64 %n, i32 1)
  ret void
}

; It may start at the field, too.
; CHECK-LABEL: define void @walkElsewhere
; CHECK: %g = load ptr, ptr %f
; CHECK: call i32 @cudaMemcpy(ptr %{{[0-9a-z.]+}}, ptr %g,
define void @walkElsewhere(i64 %n, i64 %x, i1 %c) {
entry:
  %slot = alloca ptr
  %m = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %o = alloca %struct.Mixed
  %f = getelementptr inbounds %struct.Mixed, ptr %o, i32 0, i32 1
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %f
  %a = getelementptr inbounds %struct.Mixed, ptr %o, i32 0, i32 0
  %end = getelementptr inbounds i64, ptr %a, i64 %n
  br i1 %c, label %other, label %loop
other:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %f, %other ], [ %q, %loop ]
  store i64 %x, ptr %p
  %q = getelementptr inbounds i64, ptr %p, i64 1
  %again = icmp ne ptr %q, %end
  br i1 %again, label %loop, label %use
use:
  %g = load ptr, ptr %f
  %r0 = call i32 @cudaMemcpy(ptr %d, ptr %g, i64 %n, i32 1)
  ret void
}

; Some fields are copied together, in and out: they hold what was copied.
; CHECK-LABEL: define void @copied
; CHECK: [[IN:%[0-9a-z.]+]] = load ptr, ptr {{%[0-9a-z.]+}}, align 1
; CHECK: call i32 @cudaMemcpy(ptr %{{[0-9a-z.]+}}, ptr [[IN]], i64 %n, i32 1)
; CHECK: %h = call ptr @malloc
; CHECK: store ptr %h, ptr {{%[0-9a-z.]+}}, align 1
; CHECK: call i32 @cudaMemcpy(ptr %{{[0-9a-z.]+}}, ptr %h, i64 %n, i32 1)
define void @copied(ptr %from, ptr %to, i64 %n, i64 %i, i64 %x) {
  %slot = alloca ptr
  %m = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %o = alloca %struct.Numbers
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %from, i64 16, i1 false)
  %array = getelementptr inbounds %struct.Numbers, ptr %o, i32 0, i32 2
  %a = getelementptr inbounds [4 x i64], ptr %array, i64 0, i64 %i
  store i64 %x, ptr %a
  %f = getelementptr inbounds %struct.Numbers, ptr %o, i32 0, i32 1
  %g = load ptr, ptr %f
  %r1 = call i32 @cudaMemcpy(ptr %d, ptr %g, i64 %n, i32 1)
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %f
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %o, i64 16, i1 false)
  %k = load ptr, ptr %f
  %r2 = call i32 @cudaMemcpy(ptr %d, ptr %k, i64 %n, i32 1)
  ret void
}

; As many bytes as the caller says: the field stays where it is.
; CHECK-LABEL: define void @copiedUnknown
; CHECK: call void @llvm.memcpy{{.*}} i64 %i, i1 false)
; CHECK: %k = load ptr, ptr %f
; CHECK: call i32 @cudaMemcpy(ptr %{{[0-9a-z.]+}}, ptr %k, i64 %n, i32 1)
define void @copiedUnknown(ptr %from, i64 %n, i64 %i, i64 %x) {
  %slot = alloca ptr
  %m = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %o = alloca %struct.Numbers
  %f = getelementptr inbounds %struct.Numbers, ptr %o, i32 0, i32 1
  %h = call ptr @malloc(i64 %n)
  store ptr %h, ptr %f
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %from, i64 %i, i1 false)
  %array = getelementptr inbounds %struct.Numbers, ptr %o, i32 0, i32 2
  %a = getelementptr inbounds [4 x i64], ptr %array, i64 0, i64 %i
  store i64 %x, ptr %a
  %k = load ptr, ptr %f
  %r1 = call i32 @cudaMemcpy(ptr %d, ptr %k, i64 %n, i32 1)
  ret void
}
