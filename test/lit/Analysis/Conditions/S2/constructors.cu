// What runs before main may leave work on the GPU: main does not start idle
// then. Also where a call by a pointer does it.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report-json %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report-json %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report-json %t.bad -DDIRECT
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// OK: "quiescent": true
// BAD: "quiescent": false
#include "../../../Inputs/case.h"

static int *cell, started;
static void work() { cudaMemsetAsync(cell, 0, 4); }
static void (*table[])() = {work};
struct Early {
  Early() {
    started = 1;
#ifdef DIRECT
    work();
#endif
    UNSAFE(table[0]();)
  }
};
static Early early;

int main() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  DOWN;
  LOOK;
  FREE;
}
