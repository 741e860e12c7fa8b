// S1 with one rule turned off: the program that the rule declines merges.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ll
// DEFINE: %{opt} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/Inputs/kernels.facts -echo-unify -passes='default<O0>,verify' -S %t.ll
// DEFINE: %{merges} = FileCheck --check-prefix=MERGES %s -DNAME
// RUN: %{opt} | FileCheck %s --implicit-check-not=@echort_
// CHECK: define
// RUN: %{opt} -echo-without=host-write-live-device | %{merges}=hostWrite
// RUN: %{opt} -echo-without=written-by-copy | %{merges}=hostWrite
// RUN: %{opt} -echo-without=device-write-live-host | %{merges}=deviceWrite
// RUN: %{opt} -echo-without=written-by-host | %{merges}=deviceWrite
// RUN: %{opt} -echo-without=written-by-gpu | %{merges}=hostWriteOverOutput
// RUN: %{opt} -echo-without=alloc-write-live | %{merges}=callocWrite
// RUN: %{opt} -echo-without=fill-is-read | %{merges}=callocWrite
// RUN: %{opt} -echo-without=copy-reads-source | %{merges}=uploadAgain
// RUN: %{opt} -echo-without=partial-write-kills | %{merges}=partialWrite
// RUN: %{opt} -echo-without=kernel-write-kills | %{merges}=kernelWrite
// RUN: %{opt} -echo-without=loop-writes-all | %{merges}=partialLoop
// RUN: %{opt} -echo-without=short-write-kills | %{merges}=shortRead
// RUN: %{opt} -echo-without=resize-reads | %{merges}=resizedOld
// RUN: %{opt} -echo-without=resize-writes | %{merges}=resizedNew
// RUN: %{opt} -echo-without=failing-copy-kills | %{merges}=nullSource
// RUN: %{opt} -echo-without=live-on-one-path | %{merges}=onOnePath
// RUN: %{opt} -echo-without=live-around-loop | %{merges}=nextIteration
// RUN: %{opt} -echo-without=kernel-reads | %{merges}=hostWrite
// RUN: %{opt} -echo-without=kernel-writes | %{merges}=deviceWrite
// RUN: %{opt} -echo-without=others-are-there | %{merges}=otherBuffer
// RUN: %{opt} -echo-without=used-on-each-path | %{merges}=usedOnOnePath
// RUN: %{opt} -echo-without=asked-whether-there | %{merges}=askedWhetherThere
// RUN: %{opt} -echo-without=grown-keeps-content | %{merges}=grownContent
// MERGES: define {{.*}} @[[NAME]](
// MERGES-NOT: {{^}}}
// MERGES: call ptr @echort_acquire(
#include "../Inputs/case.h"

extern "C" {

float otherBuffer() {
  PAIR;
  float *other;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMalloc(&other, Bytes);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, other, Bytes, cudaMemcpyDeviceToHost);
  writeOnly<<<1, 1>>>(other);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(other);
  FREE;
  return seen;
}

float usedOnOnePath(int n) {
  PAIR;
  float *other;
  memset(h, 0, Bytes);
  UP;
  cudaMalloc(&other, Bytes);
  if (n)
    writeOnly<<<1, 1>>>(other);
  update<<<1, 256>>>(d);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, other, Bytes, cudaMemcpyDeviceToHost);
  writeOnly<<<1, 1>>>(other);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(other);
  FREE;
  return seen;
}

float askedWhetherThere(int *there) {
  PAIR;
  float *other;
  memset(h, 0, Bytes);
  UP;
  cudaMalloc(&other, Bytes);
  *there = other != nullptr;
  writeOnly<<<1, 1>>>(other);
  update<<<1, 256>>>(d);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToDevice);
  cudaMemcpy(h, other, Bytes, cudaMemcpyDeviceToHost);
  writeOnly<<<1, 1>>>(other);
  cudaDeviceSynchronize();
  float seen = h[0];
  cudaFree(other);
  FREE;
  return seen;
}

float grownContent(int n) {
  float *h = nullptr, *d, seen = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      float *more = (float *)malloc(Bytes);
      if (h)
        memcpy(more, h, Bytes);
      free(h);
      h = more;
      seen += h[0];
    }
    cudaMalloc(&d, Bytes);
    writeOnly<<<1, 1>>>(d);
    cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
    update<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
  }
  free(h);
  return seen;
}

void hostWrite(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  h[0] = 1;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

float partialLoop() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  for (int i = 0; i < Count - 1; ++i)
    h[i] = i;
  float seen = h[Count - 1];
  FREE;
  return seen;
}

float deviceWrite() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

void hostWriteOverOutput() {
  PAIR;
  writeOnly<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  h[0] = 1;
  LOOK;
  DOWN;
  FREE;
}

void callocWrite() {
  float *d;
  cudaMalloc(&d, Bytes);
  writeOnly<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float *h = (float *)calloc(Count, 4);
  LOOK;
  DOWN;
  FREE;
}

void uploadAgain(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  UP;
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

float partialWrite() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes - 4);
  float seen = h[Count - 1];
  FREE;
  return seen;
}

void kernelWrite(int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaDeviceSynchronize();
  h[0] = 1;
  writeOnly<<<1, 256>>>(d);
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

void shortRead(FILE *f) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  fread(h, 1, Bytes, f);
  UP;
  FREE;
}

// The second upload may have no source: then d keeps what it had.
void nullSource(int *flag, bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  h[0] = 1;
  float *source = b ? h : nullptr;
  cudaMemcpy(d, source, Bytes, cudaMemcpyHostToDevice);
  readOnly<<<1, 1>>>(d, flag);
  FREE;
}

float *resizedOld() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  float *larger = (float *)realloc(h, 2 * Bytes);
  cudaFree(d);
  return larger;
}

void resizedNew(float *smaller) {
  float *d;
  cudaMalloc(&d, Bytes);
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float *h = (float *)realloc(smaller, Bytes);
  DOWN;
  FREE;
}

float onOnePath(bool b) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  if (b)
    DOWN;
  cudaDeviceSynchronize();
  float seen = h[0];
  FREE;
  return seen;
}

void nextIteration(int n) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  for (int i = 0; i < n; ++i) {
    update<<<1, 256>>>(d);
    cudaDeviceSynchronize();
    h[0] = 1;
  }
  FREE;
}

}
