// A texture of a device buffer: each kernel behind it may read the buffer.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-gpu-arch=sm_75 -O1 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --cuda-gpu-arch=sm_75 -O1 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S2 -w --cuda-gpu-arch=sm_75 -O1 -c %s
#include "../../../Inputs/case.h"


__global__ void fetch(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}

#define TEXTURE(buffer)                                                        \
  cudaResourceDesc Of;                                                         \
  memset(&Of, 0, sizeof Of);                                                   \
  Of.resType = cudaResourceTypeLinear;                                         \
  Of.res.linear.devPtr = buffer;                                               \
  Of.res.linear.sizeInBytes = Bytes;                                           \
  Of.res.linear.desc = cudaCreateChannelDesc<float>();                         \
  cudaTextureDesc How;                                                         \
  memset(&How, 0, sizeof How);                                                 \
  cudaTextureObject_t t;                                                       \
  cudaCreateTextureObject(&t, &Of, &How, nullptr)

// Functions that stay calls may launch such kernels.
__attribute__((noinline)) static void outside(cudaTextureObject_t t,
                                              float *out) {
  fetch<<<1, 32>>>(t, out);
}
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
static void calls(float *out) {
  PAIR;
  SAFE(outside(0, out));
  TEXTURE(d);
  memset(h, 1, Bytes);
  UP;
  UNSAFE(outside(0, out));
  fetch<<<1, 32>>>(t, out);
  FREE;
}

// The kernel reads what the texture reads: the host has to wait for it.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
static void waits(float *out) {
  PAIR;
  TEXTURE(d);
  memset(h, 1, Bytes);
  UP;
  fetch<<<1, 32>>>(t, out);
  SAFE(cudaDeviceSynchronize());
  h[1] = 2;
  cudaDestroyTextureObject(t);
  FREE;
}

// What the host writes before the kernel reads it, the plain one does not read.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
static void dead(float *out) {
  PAIR;
  TEXTURE(d);
  memset(h, 1, Bytes);
  UP;
  UNSAFE(h[1] = 2);
  fetch<<<1, 32>>>(t, out);
  cudaDeviceSynchronize();
  FREE;
}

// Other kernels may have the texture, too.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
static void others(float *out) {
  PAIR;
  TEXTURE(d);
  memset(h, 1, Bytes);
  UP;
  writeOnly<<<1, 32>>>(out);
  SAFE(cudaDeviceSynchronize());
  h[1] = 2;
  FREE;
}

// The caller gets the texture, and the buffer is still there.
// OK-DAG: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-escapes
__attribute__((noinline)) static cudaTextureObject_t
returned(float *out) {
  PAIR;
  TEXTURE(d);
  memset(h, 1, Bytes);
  UP;
  fetch<<<1, 32>>>(t, out);
  free(h);
  SAFE(cudaFree(d));
  return t;
}

// A texture of the host's memory reads what no launch names.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
static void ofHost(float *out) {
  PAIR;
  TEXTURE(SAFE(d) UNSAFE(h));
  memset(h, 1, Bytes);
  UP;
  fetch<<<1, 32>>>(t, out);
  readOnly<<<1, 1>>>(d, (int *)out);
  FREE;
}

int main() {
  float *out;
  cudaMalloc(&out, Bytes);
  calls(out);
  waits(out);
  dead(out);
  others(out);
  cudaTextureObject_t t = returned(out);
  ofHost(out);
  return t != 0;
}

// OK: 6 pairs: 6 unified
// BAD: 6 pairs: 6 declined
