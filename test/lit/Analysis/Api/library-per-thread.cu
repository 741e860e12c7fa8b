// A library's default stream is the legacy one, whatever the program's is: with
// per-thread default streams no wait for "the" default stream covers its work.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.legacy && FileCheck --input-file=%t.legacy %s
// RUN: %{cc} --report %t.bad -fgpu-default-stream=per-thread && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %{cc} --report %t.ok -fgpu-default-stream=per-thread -DDEVICE && FileCheck --input-file=%t.ok %s
// CHECK-COUNT-2: unified
// BAD-COUNT-2: declined S2 host-write-in-flight
#include "Inputs/library.h"
#ifdef DEVICE
#define WAIT cudaDeviceSynchronize()
#else
#define WAIT cudaStreamSynchronize(0)
#endif

const float two = 2;

void newHandle() {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  WAIT;
  memset(h, 1, Bytes);
  UP;
  FREE;
}

void setToDefault() {
  PAIR;
  cublasHandle_t handle;
  cublasCreate_v2(&handle);
  cublasSetStream_v2(handle, 0);
  memset(h, 0, Bytes);
  UP;
  cublasSscal_v2(handle, Count, &two, d, 1);
  WAIT;
  memset(h, 1, Bytes);
  UP;
  FREE;
}
