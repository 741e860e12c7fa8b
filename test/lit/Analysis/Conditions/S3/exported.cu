// A buffer whose memory another process can open is not merged: an export
// of managed or pinned memory would fail, and nobody knows what the other one does.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
// RUN: %each_condition S3 -w --device=cpu -c %s
#include "../../../Inputs/case.h"

// OK: [[#@LINE+3]]:3 h + {{.*}} unified
// BAD: [[#@LINE+2]]:3 h + {{.*}} declined coverage unmodelled-api
int exported(cudaIpcMemHandle_t *handle, float *other) {
  PAIR;
  SAFE(if (cudaIpcGetMemHandle(handle, other)) return 1;)
  UNSAFE(if (cudaIpcGetMemHandle(handle, d)) return 1;)
  memset(h, 0, Bytes);
  UP;
  FREE;
  return 0;
}
