// Where the CPU device runs textures, a texture of a device buffer still
// captures its address: a kernel of another thread may read by it. textures.cu
// has what is accepted where the whole program is known.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %echo_cc -w --device=cpu -O1 -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -O1 -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../../Inputs/case.h"

__global__ void fetch(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0) + tex1Dfetch<float>(t, 0);
}

static cudaTextureObject_t make(const cudaResourceDesc *of) {
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, of, &how, nullptr);
  return t;
}

// The kernel has a texture of an array, or of d.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void inFlight(cudaArray_t array, float *out, int *flag) {
  PAIR;
  cudaResourceDesc of;
  memset(&of, 0, sizeof of);
  SAFE(of.resType = cudaResourceTypeArray; of.res.array.array = array;)
  UNSAFE(of.resType = cudaResourceTypeLinear; of.res.linear.devPtr = d;
         of.res.linear.sizeInBytes = Bytes;
         of.res.linear.desc = cudaCreateChannelDesc<float>();)
  cudaTextureObject_t t = make(&of);
  memset(h, 1, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  fetch<<<1, 32>>>(t, out);
  h[1] = 2;
  cudaDeviceSynchronize();
  FREE;
}

// The same kernel, with no texture of d, or with one that nobody uses.
// OK-DAG: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD-DAG: [[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-escapes
void given(cudaTextureObject_t t, float *out, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  UP;
  UNSAFE(cudaResourceDesc of; memset(&of, 0, sizeof of);
         of.resType = cudaResourceTypeLinear; of.res.linear.devPtr = d;
         of.res.linear.sizeInBytes = Bytes; make(&of);)
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  fetch<<<1, 32>>>(t, out);
  h[1] = 2;
  cudaDeviceSynchronize();
  FREE;
}

// An array is no buffer: h has no partner, whatever is in the array.
// The summary does not count them.
void onlyToArray(cudaArray_t array, int *flag) {
  PAIR;
  memset(h, 1, Bytes);
  cudaMemcpyToArray(array, 0, 0, h, Bytes, cudaMemcpyHostToDevice);
  h[1] = 2;
  readOnly<<<1, 1>>>(d, flag);
  cudaDeviceSynchronize();
  FREE;
}

// OK: 2 pairs: 2 unified
// BAD: 2 pairs: 2 declined
