; A rewritten allocation that may throw, in control flow that joins behind it and
; in a landing pad shared with other calls: every phi keeps one value an edge.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-model=%echo_source/models/libcxx.model -echo-unify -passes='default<O0>,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
; One buffer may be allocated without the other: then there is no partner.
; CHECK-LABEL: define void @joined
; CHECK: store ptr null, ptr %[[PARTNER:echo.partner[0-9]*]]
; CHECK: {{^}}make:
; CHECK: %[[B:[0-9]+]] = call noalias ptr @echort_acquire(ptr @echo.group{{.*}}, i32 0, i64 %n, ptr null, i32 0)
; CHECK: %[[C:.*]] = invoke noalias ptr @_Znam(i64 %n)
; CHECK: store ptr %[[H:[0-9]+]], ptr %[[PARTNER]]
; CHECK: {{^}}next:
; CHECK-NEXT: %p = phi ptr [ %[[H]], %make.next_crit_edge ], [ null, %other ]
; CHECK: %[[P:[0-9]+]] = load ptr, ptr %[[PARTNER]]
; CHECK: call ptr @echort_acquire(ptr @echo.group{{.*}}, i32 1, i64 %n, ptr %[[P]], i32 0)
define void @joined(i64 %n, i1 %b) personality ptr @__gxx_personality_v0 {
entry:
  %slot = alloca ptr
  call void @handled()
  br i1 %b, label %make, label %other
make:
  %h = invoke noalias ptr @_Znam(i64 %n)
          to label %next unwind label %bad
other:
  call void @handled()
  br label %next
next:
  %p = phi ptr [ %h, %make ], [ null, %other ]
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpy(ptr %p, ptr %d, i64 %n, i32 2)
  %f = call i32 @cudaFree(ptr %d)
  %nn = icmp eq ptr %p, null
  br i1 %nn, label %end, label %del
del:
  call void @_ZdaPv(ptr %p)
  br label %end
end:
  ret void
bad:
  %e = landingpad { ptr, i32 }
          catch ptr null
  call void @handled()
  ret void
}

; CHECK-LABEL: define void @sharedPad
; CHECK: {{^}}bad:
; CHECK-NEXT: %p = phi ptr [ null, %echo.split{{[0-9]*}} ], [ %{{[0-9]+}}, %echo.join{{[0-9]*}} ]
; CHECK: call i32 @echort_release(i32 1, ptr %dd)
; CHECK: call i32 @cudaFree(ptr {{.*}}%dd)
; CHECK: call i32 @echort_release(i32 0, ptr {{.*}}%p)
; CHECK: call void @_ZdaPv(ptr {{.*}}%p)
define void @sharedPad(i64 %n, i1 %b) personality ptr @__gxx_personality_v0 {
entry:
  %slot = alloca ptr
  %h = invoke noalias ptr @_Znam(i64 %n)
          to label %next unwind label %bad
next:
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %v = call i32 @cudaMemcpy(ptr %h, ptr %d, i64 %n, i32 2)
  invoke void @mayThrow() to label %fin unwind label %bad
fin:
  %f = call i32 @cudaFree(ptr %d)
  call void @_ZdaPv(ptr %h)
  ret void
bad:
  %p = phi ptr [ null, %entry ], [ %h, %next ]
  %dd = phi ptr [ null, %entry ], [ %d, %next ]
  %e = landingpad { ptr, i32 }
          catch ptr null
  %f2 = call i32 @cudaFree(ptr %dd)
  call void @_ZdaPv(ptr %p)
  ret void
}

declare void @handled()
declare void @mayThrow()
declare i32 @__gxx_personality_v0(...)
declare noalias ptr @_Znam(i64)
declare void @_ZdaPv(ptr) nounwind
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
