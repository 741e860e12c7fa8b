// A function that launches, and calls itself last, is a loop.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w -O2 --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../Inputs/case.h"

static int half(const int &n) { return n / 2; }

// What a level does is done before the next one begins; or behind it.
static void levels(float *data, int size, int left) {
  SAFE(update<<<size, 256>>>(data);)
  if (left > 1)
    levels(data, half(size), left - 1);
  UNSAFE(update<<<size, 256>>>(data);)
}
// OK: tail-calls.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: tail-calls.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void down(int left) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  levels(d, 64, left);
  DOWN;
  LOOK;
  FREE;
}

// All levels count: a later one writes what the host still has.
static void later(float *data, int *flag, int left) {
  readOnly<<<1, 1>>>(data, flag);
  UNSAFE(if (left == 3) update<<<1, 256>>>(data);)
  if (left > 1)
    return later(data, flag, left - 1);
}
// OK: tail-calls.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: tail-calls.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void counts(int *flag, int left) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  later(d, flag, left);
  cudaDeviceSynchronize();
  LOOK;
  FREE;
}

// The pointers change places from level to level.
__global__ void scaleTo(const float *in, float *out) { *out = *in; }
static void swaps(float *in, float *out, int left) {
  scaleTo<<<1, 256>>>(in, out);
  if (left > 1)
    swaps(out, in, left - 1);
}
// OK: tail-calls.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: tail-calls.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined S1 device-write-live-host
void exchange(int left) {
  PAIR;
  float *e;
  cudaMalloc(&e, Bytes);
  memset(h, 0, Bytes);
  UP;
  swaps(d, e, left);
  SAFE(DOWN;)
  UNSAFE(cudaDeviceSynchronize();)
  LOOK;
  FREE;
  cudaFree(e);
}

// A level keeps a variable of its own for the one behind it.
static void chained(float *data, const int *above, int left) {
  int mine = *above + left;
  update<<<mine, 256>>>(data);
  if (left > 1)
    chained(data, SAFE(above) UNSAFE(&mine), left - 1);
}
// OK: tail-calls.cu:[[#@LINE+3]]:{{[0-9]+}} h + {{.*}} unified
// BAD: tail-calls.cu:[[#@LINE+2]]:{{[0-9]+}} h + {{.*}} declined coverage unknown-call
void variables(int left) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  chained(d, &left, left);
  DOWN;
  LOOK;
  FREE;
}
