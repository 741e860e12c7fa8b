// Which uploads may go on behind their return where the host buffer is pinned:
// those that nobody meets before a wait. Each function has a twin. Orders are
// sums (runtime/abi/EchoRt.h): 96 a pageable copy that is waited for, 128 it may
// be queued, 512 others rest on it.
// REQUIRES: cuda-toolkit
// DEFINE: %{check} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../../Mutation/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ok.ll
// RUN: %{check} %t.ok.ll | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.bad.ll -DBLOCKED
// RUN: %{check} %t.bad.ll | FileCheck %s --check-prefix=BAD --implicit-check-not='i32 224, ptr null, ptr'
#include "../../../Inputs/case.h"

// Where it merges the wait stays as it was; else echort is asked first, and
// what it leaves runs as written.
// OK-LABEL: define {{.*}}rounds
// OK: %[[DONE:.*]] = call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 224, ptr null, ptr {{.*}}%[[D:[0-9]+]], ptr {{.*}}%[[H:[0-9]+]], i64 1048576)
// OK-NEXT: %[[IS:.*]] = icmp ne i32 %[[DONE]], 0
// OK-NEXT: br i1 %[[IS]], label %[[QUEUED:[a-z0-9.]+]], label %[[WRITTEN:[a-z0-9.]+]]
// OK: [[QUEUED]]:
// OK-NEXT: %{{.*}} = sub i32 %[[DONE]], 1
// OK: [[WRITTEN]]:
// OK-NEXT: %[[RAN:.*]] = call i32 @cudaMemcpy(ptr {{.*}}%[[D]], ptr {{.*}}%[[H]], i64 {{.*}}1048576, i32 {{.*}}1)
// OK-NEXT: call void @echort_copy_ran(i32 224, ptr null, i32 %[[RAN]])
// BAD-LABEL: define {{.*}}rounds
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 608,
// The host writes the next round's input behind a wait, or before one.
void rounds(int *flag) {
  PAIR;
  for (int round = 0; round < 9; ++round) {
    memset(h, round, Bytes);
    UP;
    SAFE(readOnly<<<1, 1>>>(d, flag);)
    SAFE(cudaDeviceSynchronize();)
  }
  FREE;
}

// OK-LABEL: define {{.*}}inStream
// OK: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 224,
// BAD-LABEL: define {{.*}}inStream
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 96,
// A kernel's stream follows the legacy stream, or does not.
void inStream(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, SAFE(cudaStreamDefault) UNSAFE(cudaStreamNonBlocking));
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  FREE;
}

// OK-LABEL: define {{.*}}asked
// OK: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 224,
// BAD-LABEL: define {{.*}}asked
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 96,
// The program asks whether the legacy stream is idle.
bool asked(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(cudaStreamSynchronize(0);)
  bool idle = cudaStreamQuery(0) == cudaSuccess;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
  return idle;
}

// OK-LABEL: define {{.*}}failing
// OK: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 736,
// OK: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 224,
// BAD-LABEL: define {{.*}}failing
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 608,
// BAD: call i32 @echort_linking_copy(ptr @echo.group{{[.0-9]*}}, i32 736,
// A copy of perhaps no bytes is no wait for the first upload.
void failing(int *flag, size_t n) {
  PAIR;
  float *other = (float *)malloc(Bytes), *from;
  cudaMalloc(&from, Bytes);
  cudaMemset(from, 0, Bytes);
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(other, from, SAFE(Bytes) UNSAFE(n), cudaMemcpyDeviceToHost);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  free(other);
  cudaFree(from);
  FREE;
}
