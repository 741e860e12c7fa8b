; The end of a container is begin + n on every way, or it stays a phi.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize)' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare ptr @malloc(i64)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare void @work(i64)

; CHECK-LABEL: define void @sum(i64 %n)
; CHECK: done:
; CHECK: %[[BYTES:.*]] = shl i64 %n, 2
; CHECK: call i32 @cudaMemcpy(ptr %{{.*}}, ptr %{{.*}}, i64 %[[BYTES]], i32 1)
define void @sum(i64 %n) {
entry:
  %d = alloca ptr
  %none = icmp eq i64 %n, 0
  br i1 %none, label %join, label %some
some:
  %size = mul i64 %n, 4
  %new = call ptr @malloc(i64 %size)
  br label %join
join:
  %begin = phi ptr [ null, %entry ], [ %new, %some ]
  br i1 %none, label %done, label %first
first:
  %second = getelementptr i8, ptr %begin, i64 4
  %one = icmp eq i64 %n, 1
  br i1 %one, label %done, label %more
more:
  call void @work(i64 %n)
  %last = getelementptr float, ptr %begin, i64 %n
  br label %done
done:
  %end = phi ptr [ %begin, %join ], [ %second, %first ], [ %last, %more ]
  %e = ptrtoint ptr %end to i64
  %b = ptrtoint ptr %begin to i64
  %bytes = sub i64 %e, %b
  %a = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dev = load ptr, ptr %d
  %c = call i32 @cudaMemcpy(ptr %dev, ptr %begin, i64 %bytes, i32 1)
  ret void
}

; One way gives another element.
; CHECK-LABEL: define void @offByOne(i64 %n)
; CHECK: phi ptr
; CHECK: %[[END:.*]] = phi ptr [ {{.*}} ], [ {{.*}} ], [ {{.*}} ]
; CHECK: ptrtoint ptr %[[END]] to i64
define void @offByOne(i64 %n) {
entry:
  %d = alloca ptr
  %none = icmp eq i64 %n, 0
  br i1 %none, label %join, label %some
some:
  %size = mul i64 %n, 4
  %new = call ptr @malloc(i64 %size)
  br label %join
join:
  %begin = phi ptr [ null, %entry ], [ %new, %some ]
  br i1 %none, label %done, label %first
first:
  %second = getelementptr i8, ptr %begin, i64 8
  %one = icmp eq i64 %n, 1
  br i1 %one, label %done, label %more
more:
  call void @work(i64 %n)
  %last = getelementptr float, ptr %begin, i64 %n
  br label %done
done:
  %end = phi ptr [ %begin, %join ], [ %second, %first ], [ %last, %more ]
  %e = ptrtoint ptr %end to i64
  %b = ptrtoint ptr %begin to i64
  %bytes = sub i64 %e, %b
  %a = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dev = load ptr, ptr %d
  %c = call i32 @cudaMemcpy(ptr %dev, ptr %begin, i64 %bytes, i32 1)
  ret void
}

; The way is taken where n is not 1, too.
; CHECK-LABEL: define void @otherSide(i64 %n)
; CHECK: %[[END:.*]] = phi ptr [ %second, {{.*}} ], [ %last, {{.*}} ]
; CHECK: ptrtoint ptr %[[END]] to i64
define void @otherSide(i64 %n) {
entry:
  %d = alloca ptr
  %size = mul i64 %n, 4
  %begin = call ptr @malloc(i64 %size)
  %second = getelementptr i8, ptr %begin, i64 4
  %one = icmp ne i64 %n, 1
  br i1 %one, label %done, label %more
more:
  call void @work(i64 %n)
  %last = getelementptr float, ptr %begin, i64 %n
  br label %done
done:
  %end = phi ptr [ %second, %entry ], [ %last, %more ]
  %e = ptrtoint ptr %end to i64
  %b = ptrtoint ptr %begin to i64
  %bytes = sub i64 %e, %b
  %a = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dev = load ptr, ptr %d
  %c = call i32 @cudaMemcpy(ptr %dev, ptr %begin, i64 %bytes, i32 1)
  ret void
}

; Begin and end both change with the way: the phi beside is the begin. A number
; of 8 bits that is 200 counts as -56.
; CHECK-LABEL: define void @beside(i64 %n, i8 %m)
; CHECK: done:
; CHECK: %[[BYTES:.*]] = shl i64 %n, 2
; CHECK: call i32 @cudaMemcpy(ptr %{{.*}}, ptr %{{.*}}, i64 %[[BYTES]], i32 1)
; CHECK: %[[FAR:.*]] = select i1 %is, i64 200, i64 %{{.*}}
; CHECK: call void @work(i64 %[[FAR]])
define void @beside(i64 %n, i8 %m) {
entry:
  %d = alloca ptr
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %some
some:
  %size = mul i64 %n, 4
  %new = call ptr @malloc(i64 %size)
  %last = getelementptr float, ptr %new, i64 %n
  br label %done
done:
  %begin = phi ptr [ null, %entry ], [ %new, %some ]
  %end = phi ptr [ null, %entry ], [ %last, %some ]
  %e = ptrtoint ptr %end to i64
  %b = ptrtoint ptr %begin to i64
  %bytes = sub i64 %e, %b
  %a = call i32 @cudaMalloc(ptr %d, i64 %bytes)
  %dev = load ptr, ptr %d
  %c = call i32 @cudaMemcpy(ptr %dev, ptr %begin, i64 %bytes, i32 1)
  %wide = sext i8 %m to i64
  %is = icmp eq i8 %m, -56
  br i1 %is, label %known, label %unknown
known:
  %far = getelementptr i8, ptr %begin, i64 200
  br label %out
unknown:
  %near = getelementptr i8, ptr %begin, i64 %wide
  br label %out
out:
  %p = phi ptr [ %far, %known ], [ %near, %unknown ]
  %pi = ptrtoint ptr %p to i64
  %x = sub i64 %pi, %b
  call void @work(i64 %x)
  ret void
}
