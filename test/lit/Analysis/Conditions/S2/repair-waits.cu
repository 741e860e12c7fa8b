// --repair: what echort is told of a wait says whether a default stream is the
// thread's own.
// No wait is added where work may wait for the host, or where kernels print.
// REQUIRES: cuda-toolkit
// DEFINE: %{cc} = %echo_cc --device=cpu -w -O1 --repair %s
// RUN: %{cc} -S -emit-llvm -o - | FileCheck %s --check-prefix=LEGACY
// RUN: %{cc} -S -emit-llvm -o - --default-stream=per-thread | FileCheck %s --check-prefix=OWN
// RUN: %{cc} -c -o %t.o --report %t.txt
// RUN: FileCheck %s --check-prefix=OK --input-file=%t.txt
// RUN: %{cc} -c -o %t.o --report %t.txt -DMORE='printf("%%g", *in);'
// RUN: FileCheck %s --check-prefix=BAD --input-file=%t.txt
// RUN: %{cc} -c -o %t.o --report %t.txt -DMORE='while (!*(volatile float *)in);'
// RUN: FileCheck %s --check-prefix=BAD --input-file=%t.txt
// RUN: %{cc} -c -o %t.o --report %t.txt -DHELD
// RUN: FileCheck %s --check-prefix=BAD --input-file=%t.txt
// OK: h + {{.*}} unified {{.*}} 1 wait added before
// BAD: h + {{.*}} declined S2 host-write-in-flight
// LEGACY: call void @echort_wait(i32 2097154, ptr null)
// OWN: call void @echort_wait(i32 2097158, ptr null)
#include "../../../Inputs/case.h"
#ifndef MORE
#define MORE
#endif

__global__ void sum(const float *in, float *out) {
  MORE out[0] = in[0] + 1;
}

#ifdef HELD
void queue(cudaGraph_t g, cudaHostNodeParams *p) {
  cudaGraphNode_t node;
  cudaGraphAddHostNode(&node, g, nullptr, 0, p);
}
#endif

void f(float *out) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  sum<<<1, 1>>>(d, out);
  h[0] = 5;
  UP;
  sum<<<1, 1>>>(d, out);
  cudaDeviceSynchronize();
  FREE;
}
