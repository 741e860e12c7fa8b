// echo-cc-mutant is echo-cc but for the checks that ECHO_TEST_WITHOUT names;
// echo-cc itself knows no such variable.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %mutant -w --device=cpu %s -o %t --report %t.on
// RUN: FileCheck --input-file=%t.on --check-prefix=ON %s
// RUN: env ECHO_CPU_SCHED=lazy %t | FileCheck --check-prefix=RIGHT %s
// RUN: env ECHO_TEST_WITHOUT=set-waits-not,host-write-live-device %mutant -w --device=cpu %s -o %t --report %t.off
// RUN: FileCheck --input-file=%t.off --check-prefix=OFF %s
// RUN: env ECHO_CPU_SCHED=lazy %t | FileCheck --check-prefix=WRONG %s
// RUN: env ECHO_TEST_WITHOUT=list %mutant | FileCheck --check-prefix=LIST --match-full-lines %s
// RUN: env ECHO_TEST_WITHOUT=query-waits not %mutant -c %s 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: env ECHO_TEST_WITHOUT=query-waits-not %echo_cc -c %s -o %t.o 2>&1 | FileCheck --check-prefix=PRODUCT %s
// RUN: not %opt -echo-without query-waits -passes=verify -disable-output /dev/null 2>&1 | FileCheck --check-prefix=PLUGIN %s
// ON: 1 pair: 1 declined
// OFF: 1 pair: 1 unified
// RIGHT: 0
// WRONG: 1
// LIST: query-waits-not{{	}}S2{{	}}{{.+}}
// UNKNOWN: echo-cc-mutant: error: no check is called 'query-waits'
// PRODUCT: note: the environment variable 'ECHO_TEST_WITHOUT' is not Echo's
// PLUGIN: no check is called 'query-waits'
#include "../Inputs/case.h"

int main() {
  PAIR;
  int *flag, *other, seen;
  cudaMalloc(&flag, 4);
  cudaMalloc(&other, 4);
  memset(h, 0, Bytes);
  UP;
  readOnly<<<1, 1>>>(d, flag);
  cudaMemset(other, 0, 4);
  h[1] = 1;
  cudaMemcpy(&seen, flag, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", seen);
  UP;
  FREE;
  cudaFree(flag);
  cudaFree(other);
}
