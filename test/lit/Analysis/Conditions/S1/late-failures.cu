// Copies to the host that fail because a kernel did. Where the kernel fails when
// an asynchronous download waits for its turn, only a wait for that download
// tells that it did not.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S1 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

#include <cassert>

__global__ void checked(float *inout) {
  inout[threadIdx.x] += 1;
  assert(inout[threadIdx.x] < 9);
}

#define LATE cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, s)

// A wait for another stream may succeed before the kernel fails.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void otherStream(cudaStream_t s, cudaStream_t t) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  checked<<<1, 256, 0, s>>>(d);
  LATE;
  if (cudaStreamSynchronize(SAFE(s) UNSAFE(t)) != cudaSuccess)
    exit(1);
  cudaStreamSynchronize(s);
  LOOK;
  FREE;
}

// A wait for the device tells, one for an event of which nothing is known does
// not.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void anEvent(cudaStream_t s, cudaEvent_t e) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  checked<<<1, 256, 0, s>>>(d);
  LATE;
  if (SAFE(cudaDeviceSynchronize()) UNSAFE(cudaEventSynchronize(e)) != cudaSuccess)
    exit(1);
  cudaStreamSynchronize(s);
  LOOK;
  FREE;
}

// The download of something else, which does not wait for the stream.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void otherDownload(cudaStream_t s, float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  checked<<<1, 256, 0, SAFE(0) UNSAFE(s)>>>(d);
  cudaMemcpyAsync(h, d, Bytes, cudaMemcpyDeviceToHost, SAFE(0) UNSAFE(s));
  float seen;
  if (cudaMemcpy(&seen, other, 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    exit(1);
  cudaStreamSynchronize(s);
  LOOK;
  FREE;
}

// Another stream in each round.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void eachRound(cudaStream_t *streams, int rounds) {
  PAIR;
  cudaStream_t s = streams[0];
  memset(h, 0, Bytes);
  UP;
  for (int i = 0; i < rounds; ++i) {
    UNSAFE(s = streams[i];)
    if (cudaStreamSynchronize(s) != cudaSuccess)
      exit(1);
    checked<<<1, 256, 0, s>>>(d);
    LATE;
    if (cudaStreamSynchronize(s) != cudaSuccess)
      exit(1);
  }
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// A copy between host buffers, too, is CUDA's.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void onHost(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  checked<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memcpy(h, other, Bytes);)
  UNSAFE(cudaMemcpy(h, other, Bytes, cudaMemcpyHostToHost);)
  LOOK;
  FREE;
}

// The status of a wait says nothing of a download that comes behind it.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float earlier() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  UNSAFE(cudaError_t status = cudaDeviceSynchronize();)
  checked<<<1, 256>>>(d);
  DOWN;
  SAFE(cudaError_t status = cudaDeviceSynchronize();)
  float seen = status ? 0 : h[0];
  FREE;
  return seen;
}

// Nor does that of another download, tested behind a loop.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void testedLate(float *other, int rounds) {
  PAIR;
  float first;
  memset(h, 0, Bytes);
  UP;
  cudaError_t status = cudaMemcpy(&first, other, 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < rounds; ++i) {
    checked<<<1, 256>>>(d);
    SAFE(checked<<<1, 256>>>(d);)
    UNSAFE(DOWN;)
  }
  if (status != cudaSuccess)
    exit(1);
  SAFE(if (DOWN) exit(1);)
  LOOK;
  FREE;
}

// Work that comes behind the wait does not make an earlier download fail.
// OK: late-failures.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: late-failures.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
void launchedSince(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  checked<<<1, 256>>>(d);
  SAFE(DOWN;)
  cudaError_t status = cudaDeviceSynchronize();
  checked<<<1, 256>>>(other);
  UNSAFE(DOWN;)
  if (status != cudaSuccess)
    exit(1);
  LOOK;
  FREE;
}
