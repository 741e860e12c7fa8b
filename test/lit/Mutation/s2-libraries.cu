// S2 with a rule of library calls turned off: what it declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-model=%echo_source/models/cublas.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=library-stream | %{merges}=setStream
// RUN: %{opt} -echo-without=library-stream | %{merges}=given
// RUN: %{opt} -echo-without=library-handle-shared | %{merges}=perhapsTheSame
// RUN: %{opt} -echo-without=library-handle-shared | %{merges}=perhapsSet
// RUN: %{opt} -echo-without=unknown-waits-not | %{merges}=setStream
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Analysis/Api/Inputs/library.h"

#define SCALE cublasSscal_v2(handle, Count, &two, d, 1)
const float two = 2;

extern "C" {

void setStream(cudaStream_t s) {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

void given(cublasHandle_t handle) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(0);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

void perhapsTheSame(cublasHandle_t handle, cublasHandle_t other,
                    cudaStream_t s, cudaStream_t t) {
  PAIR;
  cublasSetStream_v2(handle, s);
  cublasSetStream_v2(other, t);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// By another thread.
void perhapsSet(cublasHandle_t handle, cudaStream_t s) {
  PAIR;
  cublasSetStream_v2(handle, s);
  memset(h, 0, Bytes);
  UP;
  SCALE;
  cudaStreamSynchronize(s);
  memset(h, 1, Bytes);
  UP;
  FREE;
}
}
