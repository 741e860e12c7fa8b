// A user's models of a library that uses the GPU, and one that says no stream.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.none %t.ok %t.bad
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o
// RUN: %{cc} --report %t.none && FileCheck --input-file=%t.none --check-prefix=NONE %s
// RUN: %{cc} --report %t.ok --model=%S/Inputs/gpu.model && FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %{cc} --report %t.bad --model=%S/Inputs/gpu.model -DBLOCKED && FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: not %{cc} --model=%S/Inputs/gpu-bad.model 2>&1 | FileCheck --check-prefix=ERROR %s
// NONE-COUNT-4: declined coverage unknown-call
// ERROR: error: {{.*}}gpu-bad.model:2: memory that the GPU uses needs a stream: on handle(N), on stream(N), on default or on unknown
#include "../../Inputs/case.h"

extern "C" {
void gpulib_blur(const float *in, float *out, size_t n, cudaStream_t s);
void gpulib_clear(float *out, size_t bytes);
void gpulib_mix(float *inout, const float *scalar);
}

// OK: gpu.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: gpu.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void streamArgument(float *other, cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  gpulib_blur(d, other, Count, s);
  SAFE(cudaStreamSynchronize(s);)
  UNSAFE(cudaStreamSynchronize(t);)
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// OK: gpu.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: gpu.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void defaultStream(cudaStream_t s) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  gpulib_clear(d, Bytes);
  SAFE(cudaStreamSynchronize(0);)
  UNSAFE(cudaStreamSynchronize(s);)
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// OK: gpu.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: gpu.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void unknownStream(const float *scalar) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  gpulib_mix(d, scalar);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaStreamSynchronize(0);)
  memset(h, 1, Bytes);
  UP;
  FREE;
}

// What it may write is not overwritten for sure.
// OK: gpu.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: gpu.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 host-write-live-device
float writesPart() {
  PAIR;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  memset(h, 0, Bytes), LOOK;
  SAFE(cudaMemset(d, 0, Bytes);)
  gpulib_clear(d, Bytes);
  DOWN;
  float sum = h[0];
  FREE;
  return sum;
}
