// S2 with one rule of waiting turned off: the program that it declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=async-copy-waits-not | %{merges}=hostRead
// RUN: %{opt} -echo-without=host-write-in-flight | %{merges}=hostWrite
// RUN: %{opt} -echo-without=copy-in-flight | %{merges}=otherCopy
// RUN: %{opt} -echo-without=upload-wait-is-own | %{merges}=uploadElsewhere
// RUN: %{opt} -echo-without=download-wait-is-own | %{merges}=downloadElsewhere
// RUN: %{opt} -echo-without=failing-copy-waits-not | %{merges}=nullDestination
// RUN: %{opt} -echo-without=empty-copy-waits-not | %{merges}=perhapsEmpty
// RUN: %{opt} -echo-without=inside-copy-waits-not | %{merges}=insideDevice
// RUN: %{opt} -echo-without=host-copy-unordered | %{merges}=hostCopy
// RUN: %{opt} -echo-without=upload-goes-on | %{merges}=otherUpload
// RUN: %{opt} -echo-without=set-waits-not | %{merges}=set
// RUN: %{opt} -echo-without=free-waits-not | %{merges}=freed
// RUN: %{opt} -echo-without=query-waits-not | %{merges}=query
// RUN: %{opt} -echo-without=query-waits-not | %{merges}=eventQuery
// RUN: %{opt} -echo-without=destroy-waits-not | %{merges}=destroyed
// RUN: %{opt} -echo-without=unknown-waits-not | %{merges}=unknown
// RUN: %{opt} -echo-without=wait-on-every-path | %{merges}=waitOnOnePath
// RUN: %{opt} -echo-without=in-flight-around-loop | %{merges}=nextIteration
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

extern "C" {

float hostRead(cudaStream_t s) {
  float *h, *d;
  cudaMallocHost(&h, Bytes);
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s);
  float seen = h[0];
  cudaFreeHost(h);
  cudaFree(d);
  return seen;
}

void hostWrite(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  h[0] = 1;
  UP;
  FREE;
}

void otherCopy(float *elsewhere, cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpyAsync(elsewhere, h, Bytes, cudaMemcpyHostToDevice, t);
  writeOnly<<<1, 256, 0, s>>>(d);
  cudaDeviceSynchronize();
  DOWN;
  FREE;
}

void uploadElsewhere(int *flag, const int *value) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemcpy(flag, value, 4, cudaMemcpyHostToDevice);
  h[0] = 1;
  UP;
  FREE;
}

void downloadElsewhere(int *flag, int *seen) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaMemcpy(seen, flag, 4, cudaMemcpyDeviceToHost);
  h[0] = 1;
  UP;
  FREE;
}

void nullDestination(int *flag, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  float *to = b ? h : nullptr;
  cudaMemcpy(to, d, Bytes, cudaMemcpyDeviceToHost);
  h[0] = 1;
  UP;
  FREE;
}

void perhapsEmpty(int *flag, int *seen, size_t n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaMemcpy(seen, flag, n, cudaMemcpyDeviceToHost);
  h[0] = 1;
  UP;
  FREE;
}

void insideDevice(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  h[0] = 1;
  UP;
  FREE;
}

void hostCopy(int *flag, float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaMemcpy(h, other, Bytes, cudaMemcpyHostToHost);
  UP;
  FREE;
}

// The transfer into d may go on when the upload returns.
void otherUpload(float *other) {
  PAIR;
  cudaMemcpy(d, other, Bytes, cudaMemcpyHostToDevice);
  h[0] = 1;
  UP;
  FREE;
}

void set(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaMemset(flag, 0, 4);
  h[0] = 1;
  UP;
  FREE;
}

void freed(int *flag, void *unused) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaFree(unused);
  h[0] = 1;
  UP;
  FREE;
}

void query(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaStreamQuery(0);
  h[0] = 1;
  UP;
  FREE;
}

void eventQuery(int *flag, cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaEventRecord(e, s);
  cudaEventQuery(e);
  h[0] = 1;
  UP;
  FREE;
}

void destroyed(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  cudaStreamDestroy(s);
  h[0] = 1;
  UP;
  FREE;
}

void outOfSight();
void unknown(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  outOfSight();
  h[0] = 1;
  UP;
  FREE;
}

void waitOnOnePath(int *flag, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  if (b)
    cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

void nextIteration(int *flag, int n) {
  PAIR;
  for (int i = 0; i < n; ++i) {
    memset(h, i, Bytes);
    UP;
    readOnly<<<1, 1>>>(d, flag);
  }
  FREE;
}

}
