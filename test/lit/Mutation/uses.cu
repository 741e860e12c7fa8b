// S3 and coverage with one rule turned off: the program that it declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/with-system-atomics.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=part-copy | %{merges}=prefix
// RUN: %{opt} -echo-without=prefix-content | %{merges}=prefixContent
// RUN: %{opt} -echo-without=written-between | %{merges}=readAgain
// RUN: %{opt} -echo-without=offset-copy | %{merges}=offset
// RUN: %{opt} -echo-without=pointer-compared | %{merges}=compared
// RUN: %{opt} -echo-without=pointer-to-integer | %{merges}=number
// RUN: %{opt} -echo-without=pointer-escapes | %{merges}=stored
// RUN: %{opt} -echo-without=captured-by-kernel | %{merges}=captured
// RUN: %{opt} -echo-without=inspected-pointer | %{merges}=inspected
// RUN: %{opt} -echo-without=kernel-aggregate | %{merges}=inStruct
// RUN: %{opt} -echo-without=system-atomics | %{merges}=atomics
// RUN: %{opt} -echo-without=host-flags | %{merges}=unknownFlags
// RUN: %{opt} -echo-without=unknown-call | %{merges}=call
// RUN: %{opt} -echo-without=callee-accesses | %{merges}=staysACall
// RUN: %{opt} -echo-without=unmodelled-api | %{merges}=registered
// RUN: %{opt} -echo-without=ambiguous-pointer | %{merges}=ambiguous
// RUN: %{opt} -echo-without=stream-capture | %{merges}=capture
// RUN: %{opt} -echo-without=stream-capture | %{merges}=perhapsCaptured
// RUN: %{opt} -echo-without=complex-control | %{merges}=jumps
// RUN: %{opt} -echo-without=complex-control | %{merges}=twoEntries
// RUN: %{opt} -echo-without=host-concurrency | %{merges}=child
// RUN: %{opt} -echo-without=other-device | %{merges}=otherDevice
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"
#include <csetjmp>
#include <unistd.h>

struct View {
  float *p;
  int n;
};
__global__ void aggregate(View v) { v.p[0] = v.n; }
__global__ void keep(float **where, float *what) { *where = what; }
__global__ void systemAtomics(float *p) { atomicAdd_system(p, 1.0f); }

extern "C" {

float unknownFlags() {
  float *h, *d;
  if (cudaHostAlloc(&h, Bytes, 0x40))
    return 0;
  cudaMalloc(&d, Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  float seen = h[0];
  cudaFree(d);
  cudaFreeHost(h);
  return seen;
}

float prefix() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes / 2, cudaMemcpyDeviceToHost);
  float seen = h[Count - 1];
  FREE;
  return seen;
}

void prefixContent() {
  PAIR;
  writeOnly<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes);
  cudaMemcpy(d, h, Bytes / 2, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  FREE;
}

void offset() {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpy(d + 1, h, Bytes - 4, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  FREE;
}

bool compared() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  bool same = h == d;
  FREE;
  return same;
}

long number() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  long value = (long)h;
  FREE;
  return value;
}

float *global;
void stored() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  global = h;
  FREE;
}

void captured(float **where) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  keep<<<1, 1>>>(where, d);
  FREE;
}

void inspected() {
  PAIR;
  cudaPointerAttributes a;
  memset(h, 0, Bytes);
  UP;
  cudaPointerGetAttributes(&a, d);
  FREE;
}

float inStruct() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  aggregate<<<1, 1>>>(View{d, 1});
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

void atomics() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  systemAtomics<<<1, 1>>>(d);
  DOWN;
  FREE;
}

void unknown(void *);
void call() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  unknown(h);
  FREE;
}

float first(const float *p, int n) { return n ? first(p, n - 1) : p[0]; }
float staysACall() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = first(h, 3);
  FREE;
  return seen;
}

void registered() {
  PAIR;
  cudaHostRegister(h, Bytes, 0);
  memset(h, 0, Bytes);
  UP;
  cudaHostUnregister(h);
  FREE;
}

void ambiguous(void *other, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  free(b ? h : other);
  free(b ? other : h);
  cudaFree(d);
}

void capture(int *flag, cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  readOnly<<<1, 1, 0, s>>>(d, flag);
  FREE;
}

void outOfSight(cudaStream_t);
void perhapsCaptured(int *flag) {
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  outOfSight(s);
  UP;
  readOnly<<<1, 1, 0, s>>>(d, flag);
  FREE;
}

jmp_buf place;
void jumps() {
  PAIR;
  if (setjmp(place))
    return;
  memset(h, 0, Bytes);
  UP;
  FREE;
}

void twoEntries(int *flag, int n, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  if (b)
    goto second;
first:
  readOnly<<<1, 1>>>(d, flag);
second:
  if (n-- > 0)
    goto first;
  FREE;
}

void child() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  if (fork() == 0)
    h[0] = 1;
  FREE;
}

int elements;
void elsewhere();
float readAgain() {
  float *h = (float *)malloc(elements * 4), *d;
  cudaMalloc(&d, elements * 4);
  memset(h, 0, elements * 4);
  elsewhere();
  cudaMemcpy(d, h, elements * 4, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  elsewhere();
  cudaMemcpy(h, d, elements * 4, cudaMemcpyDeviceToHost);
  float seen = h[0];
  FREE;
  return seen;
}

void otherDevice(int *flag) {
  cudaSetDevice(0);
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  h[0] = 1;
  UP;
  FREE;
}

}
