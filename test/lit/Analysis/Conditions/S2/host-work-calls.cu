// What lets GPU work wait for the host (models/cuda.model): an upload of
// pageable memory that may return at once is then one that stays.
// REQUIRES: cuda-toolkit
// DEFINE: %{see} = %echo_cc -w --device=cpu -c %s -o %t.o --report %t.txt
// RUN: %{see}
// RUN: FileCheck --input-file=%t.txt --check-prefix=OK %s
// RUN: %{see} -DCALL='cudaStreamAddCallback(0, nullptr, nullptr, 0)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaGraphAddHostNode(nullptr, nullptr, nullptr, 0, nullptr)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaGraphExecHostNodeSetParams(nullptr, nullptr, nullptr)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaGraphLaunch(nullptr, nullptr)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cuStreamWaitValue32(nullptr, 0, 1, 0)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cuStreamBatchMemOp(nullptr, 0, nullptr, 0)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaWaitExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaIpcOpenEventHandle(nullptr, cudaIpcEventHandle_t())'
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='cudaStreamWaitEvent(nullptr, nullptr, 0)'
// RUN: FileCheck --input-file=%t.txt --check-prefix=OK %s
// RUN: echo 'mine is waits-for-host' > %t.model
// RUN: %{see} -DCALL='mine()' --model=%t.model
// RUN: FileCheck --input-file=%t.txt --check-prefix=BAD %s
// RUN: %{see} -DCALL='mine()'
// RUN: FileCheck --input-file=%t.txt --check-prefix=OK %s
// RUN: echo 'mine is asleep' > %t.model
// RUN: not %{see} --model=%t.model 2>&1 | FileCheck --check-prefix=WORD %s
// WORD: {{model:1: is takes host-function, .* not 'asleep'}}
#include "../../../Inputs/case.h"
#include <cuda.h>

extern "C" void mine();
#ifdef CALL
void queue() { CALL; }
#endif

// OK: h + {{.*}} unified
// BAD: h + {{.*}} declined {{.*}} host-concurrency
void upload() {
  PAIR;
  memset(h, 0, Bytes);
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 1>>>(d);
  DOWN;
  LOOK;
  FREE;
}
