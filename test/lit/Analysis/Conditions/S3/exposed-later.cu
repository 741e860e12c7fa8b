// GPU work that waits for the host may find an address that comes to the device
// later: so may all that is queued before the address goes there.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

__device__ float *table;
__global__ void use() { table[threadIdx.x] += 1; }
static void hold(void *) {}

#define EXPOSE                                                                 \
  memset(h, 0, Bytes);                                                         \
  UP;                                                                          \
  cudaMemcpyToSymbol(table, &d, sizeof d)
#define END                                                                    \
  DOWN;                                                                        \
  LOOK;                                                                        \
  FREE

// Of the function's own work, that behind it alone.
// OK: exposed-later.cu:[[#@LINE+5]]:3 h + {{.*}} unified
// BAD: exposed-later.cu:[[#@LINE+4]]:3 h + {{.*}} declined S3 pointer-escapes
// BAD: GPU work of the callers may wait for the buffer's address
static void __attribute__((noinline)) callee() {
  cudaDeviceSynchronize();
  PAIR;
  EXPOSE;
  use<<<1, 64>>>();
  END;
}

// OK: exposed-later.cu:[[#@LINE+7]]:3 h + {{.*}} unified
// BAD: exposed-later.cu:[[#@LINE+6]]:3 h + {{.*}} declined S3 pointer-escapes
// BAD: may wait for the buffer's address
int main() {
  callee();
  UNSAFE(cudaLaunchHostFunc(0, hold, nullptr);)
  UNSAFE(use<<<1, 64>>>();)
  PAIR;
  EXPOSE;
  use<<<1, 64>>>();
  END;
}
