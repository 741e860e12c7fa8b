; Rules R1 to R4 on a malloc/cudaMalloc pair. echort is asked before each
; allocation; the original calls stay in the split branch.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-unify -echo-report=%t.txt -passes='default<O0>' -S %s | FileCheck %s
; RUN: FileCheck --check-prefix=REPORT --input-file=%t.txt %s
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -passes='function(echo-normalize,print<echo-decisions>)' -disable-output %s 2>&1 | FileCheck --check-prefix=DECISIONS %s
; REPORT: 1 pair: 1 unified
; DECISIONS: decisions of 'pair'
; DECISIONS-NEXT: ? (pair) + ? (pair) slot 1.00 MiB unified 2 copies removed (- H2D, - D2H), 1 wait kept
; DECISIONS-NEXT: 1 pair: 1 unified
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK: @[[NAME:echo.name[.0-9]*]] = private unnamed_addr constant {{.*}} c":0:0 + :0:0 slot
; CHECK: @echo.group = internal global { i32, i32, ptr, ptr, i64, ptr } { i32 15, i32 {{(16384|16385)}}, ptr @[[NAME]], ptr null, i64 204800, ptr {{.*}} }

; The host buffer comes first: it has no partner yet, the device buffer has it.
; CHECK-LABEL: define void @pair()
; CHECK: %[[OUT:slot]] = alloca ptr
; CHECK-NOT: echo.out
; CHECK: store ptr null, ptr %echo.partner
; CHECK: %[[HB:[0-9]+]] = call noalias ptr @echort_acquire(ptr @echo.group, i32 0, i64 1048576, ptr null, i32 0)
; CHECK: %[[HM:[0-9]+]] = icmp ne ptr %[[HB]], null
; CHECK: br i1 %[[HM]], label %[[HMERGED:.*]], label %[[HSPLIT:.*]]
; CHECK: [[HMERGED]]:
; CHECK-NEXT: br label %[[HJOIN:.*]]
; CHECK: [[HSPLIT]]:
; CHECK-NEXT: %[[HC:.*]] = call noalias ptr @malloc(i64 1048576)
; CHECK-NEXT: br label %[[HJOIN]]
; CHECK: [[HJOIN]]:
; CHECK-NEXT: %[[H:[0-9]+]] = phi ptr [ %[[HB]], %[[HMERGED]] ], [ %[[HC]], %[[HSPLIT]] ]
; CHECK-NEXT: store ptr %[[H]], ptr %echo.partner
; CHECK-NEXT: %[[PARTNER:[0-9]+]] = load ptr, ptr %echo.partner
; CHECK-NEXT: %[[DB:[0-9]+]] = call ptr @echort_acquire(ptr @echo.group, i32 1, i64 1048576, ptr %[[PARTNER]], i32 0)
; CHECK: %[[DM:[0-9]+]] = icmp ne ptr %[[DB]], null
; CHECK: br i1 %[[DM]], label %[[DMERGED:.*]], label %[[DSPLIT:.*]]
; CHECK: [[DMERGED]]:
; CHECK-NEXT: store ptr %[[DB]], ptr %[[OUT]]
; CHECK: [[DSPLIT]]:
; CHECK-NEXT: %{{.*}} = call i32 @cudaMalloc(ptr {{.*}}%[[OUT]], i64 1048576)
; CHECK: phi i32 [ 0, %[[DMERGED]] ]
; CHECK: %[[D:d]] = load ptr, ptr %[[OUT]]

; Copies: echort compares the pointers. An answer of 0 leaves the copy.
; CHECK: %[[UP:[0-9]+]] = call i32 @echort_linking_copy(ptr @echo.group, i32 224, ptr null, ptr %[[D]], ptr %[[H]], i64 1048576)
; CHECK: %[[LINK:[0-9]+]] = icmp ne i32 %[[UP]], 0
; CHECK: br i1 %[[LINK]], label %[[UPMERGED:.*]], label %[[UPSPLIT:.*]]
; CHECK: [[UPMERGED]]:
; CHECK-NEXT: sub i32 %[[UP]], 1
; CHECK: [[UPSPLIT]]:
; CHECK-NEXT: %[[RAN:.*]] = call i32 @cudaMemcpy(ptr {{.*}}%[[D]], ptr {{.*}}%[[H]], i64 1048576, i32 1)
; CHECK-NEXT: call void @echort_copy_ran(i32 224, ptr null, i32 %[[RAN]])
; CHECK: call i32 @echort_linking_copy(ptr @echo.group, i32 609, ptr null, ptr {{.*}}, ptr {{.*}}, i64 1048576)
; CHECK: call i32 @cudaMemcpy(ptr {{.*}}%[[H]], ptr {{.*}}%[[D]], i64 1048576, i32 2)

; Frees: the program's own runs only for memory that is no merged block.
; CHECK: %[[FREED:[0-9]+]] = call i32 @echort_release(i32 0, ptr %[[H]])
; CHECK: icmp ne i32 %[[FREED]], 0
; CHECK: call void @free(ptr {{.*}}%[[H]])
; CHECK: call i32 @echort_release(i32 1, ptr %[[D]])
; CHECK: call i32 @cudaFree(ptr {{.*}}%[[D]])
define void @pair() {
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

; Without echort at link time every answer is "as written".
; CHECK: define weak hidden ptr @echort_acquire(ptr %{{.*}}) #[[NT:[0-9]+]]
; CHECK-NEXT: call void @echort_unlinked()
; CHECK-NEXT: ret ptr null
; CHECK: attributes #[[NT]] = { minsize noinline nounwind optsize }
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
