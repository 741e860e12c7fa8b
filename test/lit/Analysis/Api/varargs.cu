// scanf writes through its further arguments; printf may print addresses.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

// OK: varargs.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: varargs.cu:[[#@LINE+2]]:3 h + {{.*}} declined S3 pointer-to-integer
void reads(FILE *file, const char *format) {
  PAIR;
  for (int i = 0; i < Count; ++i)
    SAFE(fscanf(file, "%f", &h[i]);)
    UNSAFE(fprintf(file, format, &h[i]);)
  UP;
  FREE;
}

// OK: varargs.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: varargs.cu:[[#@LINE+2]]:3 h + {{.*}} declined S2 host-write-in-flight
void readsBesideKernel(const char *text, int *flag) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  sscanf(text, "%f %f", &h[0], &h[1]);
  UP;
  FREE;
}

// It may read fewer numbers than it was asked for.
// OK: varargs.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: varargs.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float readsPerhapsNothing(const char *text) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(memset(h, 0, Bytes);)
  sscanf(text, "%f", &h[0]);
  float sum = h[0];
  FREE;
  return sum;
}

// Text that is read is read.
// OK: varargs.cu:[[#@LINE+3]]:3 h + {{.*}} unified
// BAD: varargs.cu:[[#@LINE+2]]:3 h + {{.*}} declined S1 device-write-live-host
float textInBuffer(const char *text) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  float number = 0;
  SAFE(sscanf(text, "%f", &number);)
  UNSAFE(sscanf((char *)h, "%f", &number);)
  FREE;
  return number;
}
