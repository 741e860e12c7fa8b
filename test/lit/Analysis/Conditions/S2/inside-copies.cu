// A copy from one of several device buffers to another one reads, and writes,
// each of them perhaps: as the kernels that the buffers take turns in.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-gpu-arch=sm_75 -O1 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --cuda-gpu-arch=sm_75 -O1 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --cuda-gpu-arch=sm_75 -O1 -c %s
#include "../../../Inputs/case.h"

#define TURNS(other)                                                           \
  float *other;                                                                \
  cudaMalloc(&other, Bytes);                                                   \
  float *from = which ? d : other, *to = which ? other : d

// It may write d: what the host reads behind it is not what d had before.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void writes(int which) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  cudaMemcpy(to, from, Bytes, cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  SAFE(DOWN);
  LOOK;
  cudaFree(other);
  FREE;
}

// It may read d: the host may not write before it is done.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void reads(int which) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  cudaMemcpy(to, from, Bytes, cudaMemcpyDeviceToDevice);
  SAFE(cudaDeviceSynchronize());
  memset(h, 2, Bytes);
  UP;
  readOnly<<<1, 32>>>(d, (int *)other);
  cudaFree(other);
  FREE;
}

// What it reads of d is not what the host wrote since.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void late(int which) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  memset(h, 2, Bytes);
  SAFE(UP);
  cudaMemcpy(to, from, Bytes, cudaMemcpyDeviceToDevice);
  cudaFree(other);
  FREE;
}

// It may copy a part only: what d had stays.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
void parts(int which, int n) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  UNSAFE(memset(h, 2, Bytes); LOOK;)
  cudaMemcpy(to + n, from + n, Bytes - n * sizeof(float),
             cudaMemcpyDeviceToDevice);
  DOWN;
  LOOK;
  cudaFree(other);
  FREE;
}

// One side may be a host buffer: that is another copy.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void mixed(int which) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  UNSAFE(from = which ? h : from;)
  cudaMemcpy(to, from, Bytes, cudaMemcpyDeviceToDevice);
  DOWN;
  LOOK;
  cudaFree(other);
  FREE;
}

// What it is called does not make it a copy from the host, which waits.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void misnamed(int which) {
  PAIR;
  TURNS(other);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 32>>>(d, (int *)other);
  SAFE(cudaDeviceSynchronize());
  UNSAFE(cudaMemcpy(to, from, Bytes, cudaMemcpyHostToDevice);)
  memset(h, 2, Bytes);
  UP;
  readOnly<<<1, 32>>>(d, (int *)other);
  cudaFree(other);
  FREE;
}
