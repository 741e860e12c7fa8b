// NCCL's collectives use their buffers at once, or when a group ends.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.*.txt
// DEFINE: %{cc} = %echo_cc -w --device=cpu -c %s -o %t.o --model=%echo_source/models/nccl.model --report
// RUN: %{cc} %t.ok.txt && FileCheck --input-file=%t.ok.txt --check-prefix=OK %s
// RUN: %{cc} %t.group.txt -DGROUP && FileCheck --input-file=%t.group.txt --check-prefix=OK %s
// RUN: %{cc} %t.live.txt -DLIVE && FileCheck --input-file=%t.live.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.grouped.txt -DGROUP -DLIVE && FileCheck --input-file=%t.grouped.txt --check-prefix=LIVE %s
// RUN: %{cc} %t.early.txt -DGROUP -DEARLY && FileCheck --input-file=%t.early.txt --check-prefix=EARLY %s
// RUN: %{cc} %t.stream.txt -DSTREAM && FileCheck --input-file=%t.stream.txt --check-prefix=EARLY %s
// OK: h + {{.*}} unified
// LIVE: h + {{.*}} declined S1 device-write-live-host
// EARLY: h + {{.*}} declined S2 host-{{read|write}}-in-flight
#include "../../Inputs/case.h"

typedef struct ncclComm *ncclComm_t;
extern "C" {
int ncclCommInitAll(ncclComm_t *, int n, const int *devices);
int ncclAllReduce(const void *in, void *out, size_t n, int type, int op,
                  ncclComm_t, cudaStream_t);
int ncclGroupStart();
int ncclGroupEnd();
}

int main() {
  ncclComm_t comm;
  ncclCommInitAll(&comm, 1, nullptr);
  PAIR;
  cudaStream_t s;
  cudaStreamCreate(&s);
  memset(h, 0, Bytes);
  UP;
#ifdef GROUP
  ncclGroupStart();
#endif
  ncclAllReduce(d, d, Count, 7, 0, comm, s);
#ifdef GROUP
#ifdef EARLY
  cudaDeviceSynchronize(); // the work has not begun
#endif
  ncclGroupEnd();
#endif
#ifdef STREAM
  cudaStreamSynchronize(s);
#elif !defined(EARLY)
  cudaDeviceSynchronize();
#endif
#ifndef LIVE
  DOWN;
#endif
  printf("%g\n", h[0]);
  FREE;
}
