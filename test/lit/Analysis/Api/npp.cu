// NPP: its stream is in a global state or in a struct, so that only a wait for
// the whole device covers its work; structs that are passed by value count as
// the arguments that they are compiled to.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "Inputs/npp.h"

constexpr int Step = 512 * sizeof(float);
constexpr NppiSize Roi = {512, 512};
constexpr NppiRect Whole = {0, 0, 512, 512};

// OK: npp.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: npp.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void globalStream(float *out, cudaStream_t s) {
  PAIR;
  nppSetStream(s);
  memset(h, 0, Bytes);
  UP;
  nppiSqr_32f_C1R(d, Step, out, Step, Roi);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaStreamSynchronize(s);)
  memset(h, 1, Bytes);
  UP;
  cudaDeviceSynchronize();
  FREE;
}

// OK: npp.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: npp.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void streamInContext(float *out, cudaStream_t s) {
  PAIR;
  NppStreamContext context;
  nppGetStreamContext(&context);
  context.hStream = s;
  memset(h, 0, Bytes);
  UP;
  nppiSqr_32f_C1R_Ctx(d, Step, out, Step, Roi, context);
  SAFE(cudaDeviceSynchronize();)
  UNSAFE(cudaStreamSynchronize(s);)
  memset(h, 1, Bytes);
  UP;
  cudaDeviceSynchronize();
  FREE;
}

// The source is only read, the destination, behind a struct, is written.
// OK: npp.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: npp.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float warp(float *other) {
  PAIR;
  const double coeffs[2][3] = {{1, 0, 3}, {0, 1, 4}};
  memset(h, 0, Bytes);
  UP;
  SAFE(nppiWarpAffine_32f_C1R(d, Roi, Step, Whole, other, Step, Whole, coeffs, 1);)
  UNSAFE(nppiWarpAffine_32f_C1R(other, Roi, Step, Whole, d, Step, Whole, coeffs, 1);)
  cudaDeviceSynchronize();
  float first = h[0];
  FREE;
  return first;
}

// OK: npp.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: npp.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage ambiguous-pointer
void sum(unsigned char *scratch, double *result) {
  PAIR;
  int bytes;
  nppiSumGetBufferHostSize_32f_C1R(Roi, &bytes);
  memset(h, 0, Bytes);
  UP;
  SAFE(nppiSum_32f_C1R(d, Step, Roi, scratch, result);)
  UNSAFE(nppiSum_32f_C1R(h, Step, Roi, scratch, result);)
  cudaDeviceSynchronize();
  FREE;
}

// NPP's own memory is no buffer of a pair, and d none of NPP's.
// OK: npp.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: npp.cu:[[#@LINE+2]]:3 h + {{.*}} declined coverage unknown-call
void ownMemory() {
  PAIR;
  int step;
  float *own = nppiMalloc_32f_C1(512, 512, &step);
  memset(h, 0, Bytes);
  UP;
  nppiSqr_32f_C1R(d, Step, own, step, Roi);
  cudaDeviceSynchronize();
  nppiFree(own);
  UNSAFE(nppiFree(d);)
  FREE;
}
