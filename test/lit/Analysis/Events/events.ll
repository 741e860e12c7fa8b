; Every kind of event, as print<echo-events> shows it: buffers first, then each
; block's events in order, with accesses ("all": every byte) and streams.
; RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Inputs/kernels.facts -passes='function(echo-normalize,print<echo-events>)' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: events of 'kinds'
; CHECK-NEXT: #0 malloc %h, 4096 B
; CHECK-NEXT: #1 cudaMalloc %[[D:[0-9]+]], 4096 B
; CHECK-NEXT: #2 calloc %z, (4 * %n){{.*}} B
; CHECK-NEXT: %entry:
; CHECK-NEXT: alloc malloc #0
; CHECK-NEXT: alloc cudaMalloc #1
; CHECK-NEXT: alloc calloc #2: w #2 all
; CHECK-NEXT: host host: w #0 all
; CHECK-NEXT: host host: w #0
; CHECK-NEXT: copy cudaMemcpy #1 <- #0, H2D, 4096 B, stream default: w #1 all, r #0
; CHECK-NEXT: copy cudaMemcpyAsync #0 at an offset <- #1, D2H, 16 B, async, stream %s: w #0, r #1
; CHECK-NEXT: gpu cudaMemsetAsync, stream %s: w #1 all
; CHECK-NEXT: event-record cudaEventRecord, stream %s, event %e
; CHECK-NEXT: stream-wait cudaStreamWaitEvent, stream %s, event %e
; CHECK-NEXT: sync-event cudaEventSynchronize, event %e
; CHECK-NEXT: sync-stream cudaStreamSynchronize, stream %s
; CHECK-NEXT: gpu kernel 'write', stream %s: w #1
; CHECK-NEXT: sync-device cudaDeviceSynchronize
; CHECK-NEXT: other 'unknown'
; CHECK-NEXT: free free #0
; CHECK-NEXT: free cudaFree #1
; CHECK-NEXT: free free #2
; CHECK-NEXT: reset cudaDeviceReset
define void @kinds(i64 %n, ptr %s, ptr %e) {
entry:
  %slot = alloca ptr
  %h = call ptr @malloc(i64 4096)
  %a = call i32 @cudaMalloc(ptr %slot, i64 4096)
  %z = call ptr @calloc(i64 %n, i64 4)
  call void @llvm.memset.p0.i64(ptr %h, i8 1, i64 4096, i1 false)
  %at = getelementptr i8, ptr %h, i64 16
  store volatile float 1.0, ptr %at
  %d = load ptr, ptr %slot
  %b = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 4096, i32 1)
  %c = call i32 @cudaMemcpyAsync(ptr %at, ptr %d, i64 16, i32 2, ptr %s)
  %m = call i32 @cudaMemsetAsync(ptr %d, i32 0, i64 4096, ptr %s)
  %r = call i32 @cudaEventRecord(ptr %e, ptr %s)
  %w = call i32 @cudaStreamWaitEvent(ptr %s, ptr %e, i32 0)
  %es = call i32 @cudaEventSynchronize(ptr %e)
  %ss = call i32 @cudaStreamSynchronize(ptr %s)
  %p = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, i64 1, i32 1, i64 0, ptr %s)
  call void @_Z20__device_stub__writePf(ptr %d)
  %ds = call i32 @cudaDeviceSynchronize()
  call void @unknown(ptr %e)
  call void @free(ptr %h)
  %f = call i32 @cudaFree(ptr %d)
  call void @free(ptr %z)
  %x = call i32 @cudaDeviceReset()
  ret void
}

; Refusals stand beside the buffer, the first reason of each; a function that
; is no root stays as it is, and its own accesses belong to no buffer.
; CHECK-LABEL: events of 'refused'
; CHECK-NEXT: #0 malloc %h, %n B, refused: unknown-call ('unknown')
; CHECK-NEXT: #1 cudaMalloc %{{[0-9]+}}, %n B, refused: unknown-kernel (kernel 'absent')
; CHECK-LABEL: events of 'other'
; CHECK-NEXT: %entry:
; CHECK-NEXT: other 'unknown'
; CHECK-NEXT: events of
define void @refused(i64 %n) {
entry:
  %slot = alloca ptr
  %h = call ptr @malloc(i64 %n)
  %a = call i32 @cudaMalloc(ptr %slot, i64 %n)
  %d = load ptr, ptr %slot
  %b = call i32 @cudaMemcpy(ptr %d, ptr %h, i64 %n, i32 1)
  %p = call i32 @__cudaPushCallConfiguration(i64 1, i32 1, i64 1, i32 1, i64 0, ptr null)
  call void @_Z21__device_stub__absentPf(ptr %d)
  call void @unknown(ptr %h)
  ret void
}

define void @other(ptr %p) {
entry:
  %slot = alloca ptr
  store ptr %p, ptr %slot
  call void @unknown(ptr %p)
  ret void
}

; The stub of a kernel, as clang makes it.
define void @_Z20__device_stub__writePf(ptr %p) {
  %slot = alloca ptr
  store ptr %p, ptr %slot
  %args = alloca ptr, i64 1
  store ptr %slot, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z20__device_stub__writePf, i64 1, i32 1, i64 1, i32 1, ptr %args, i64 0, ptr null)
  ret void
}
declare void @_Z21__device_stub__absentPf(ptr)
declare noalias ptr @malloc(i64)
declare noalias ptr @calloc(i64, i64)
declare void @free(ptr)
declare void @unknown(ptr)
declare i32 @cudaMalloc(ptr, i64)
declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare i32 @cudaMemcpyAsync(ptr, ptr, i64, i32, ptr)
declare i32 @cudaMemsetAsync(ptr, i32, i64, ptr)
declare i32 @cudaEventRecord(ptr, ptr)
declare i32 @cudaStreamWaitEvent(ptr, ptr, i32)
declare i32 @cudaEventSynchronize(ptr)
declare i32 @cudaStreamSynchronize(ptr)
declare i32 @cudaDeviceSynchronize()
declare i32 @cudaDeviceReset()
declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64, ptr)
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
