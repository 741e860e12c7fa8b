// Each condition alone, of a function that holds and of one that does not. The
// conditions before it are not asked.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.ok.ll
// RUN: %echo_cc -w --cuda-host-only --no-unify -O0 -S -emit-llvm %s -o %t.bad.ll -DBLOCKED
// DEFINE: %{show} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Mutation/Inputs/kernels.facts -disable-output
// RUN: %{show} -passes='function(echo-normalize,print<echo-S3>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=S3
// RUN: %{show} -passes='function(echo-normalize,print<echo-S3>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=S3-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-control-flow>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=CONTROL_FLOW
// RUN: %{show} -passes='function(echo-normalize,print<echo-control-flow>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=CONTROL_FLOW-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-copy-shape>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=COPY_SHAPE
// RUN: %{show} -passes='function(echo-normalize,print<echo-copy-shape>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=COPY_SHAPE-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-device>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: %{show} -passes='function(echo-normalize,print<echo-device>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=DEVICE-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-capture>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=CAPTURE
// RUN: %{show} -passes='function(echo-normalize,print<echo-capture>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=CAPTURE-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-S4>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=S4
// RUN: %{show} -passes='function(echo-normalize,print<echo-S4>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=S4-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-S1>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=S1
// RUN: %{show} -passes='function(echo-normalize,print<echo-S1>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=S1-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-S2>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=S2
// RUN: %{show} -passes='function(echo-normalize,print<echo-S2>)' %t.bad.ll 2>&1 | FileCheck %s --check-prefix=S2-BAD
// RUN: %{show} -passes='function(echo-normalize,print<echo-pairs>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: %{show} -passes='function(echo-normalize,print<echo-added-waits>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=ADDED
// RUN: %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Mutation/Inputs/waiting.facts -disable-output -passes='function(echo-normalize,print<echo-added-waits>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=ADDED-BAD
// RUN: not %{show} -passes='function(print<echo-none>)' %t.ok.ll 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: unknown function pass 'print<echo-none>'
#include "../../Inputs/case.h"

extern "C" {

// S3: S3 of 'addresses'
// S3-NEXT: + {{.*}}: holds
// S3-BAD: S3 of 'addresses'
// S3-BAD-NEXT: pointer-escapes
float *kept;
void addresses() {
  PAIR;
  UNSAFE(kept = h;)
  h[0] = 1;
  UP;
  FREE;
}

// CONTROL_FLOW: control-flow of 'loops'
// CONTROL_FLOW-NEXT: : holds
// CONTROL_FLOW-BAD: control-flow of 'loops'
// CONTROL_FLOW-BAD-NEXT: complex-control
void loops(int n) {
  PAIR;
  UP;
  int i = 0;
  UNSAFE(if (n == 7) goto inside;)
  for (; i < n; ++i) {
  inside:
    puts("again");
  }
  FREE;
}

// PAIRS: pairs of 'shape'
// PAIRS-NEXT: #{{[01]}} {{.*}} + #{{[01]}} {{.*}}: 1 copies, 0 that may be{{$}}
// COPY_SHAPE: copy-shape of 'shape'
// COPY_SHAPE-NEXT: : holds
// COPY_SHAPE-BAD: copy-shape of 'shape'
// COPY_SHAPE-BAD-NEXT: partial-copy
void shape() {
  PAIR;
  cudaMemcpy(d, h SAFE(+0) UNSAFE(+1), Bytes UNSAFE(-4), cudaMemcpyHostToDevice);
  FREE;
}

// DEVICE: device of 'device'
// DEVICE-NEXT: : holds
// DEVICE-BAD: device of 'device'
// DEVICE-BAD-NEXT: unmodelled-api (cudaSetDevice may select another device)
void device(int which) {
  SAFE(cudaSetDevice(which);)
  PAIR;
  UNSAFE(cudaSetDevice(which);)
  UP;
  FREE;
}

// CAPTURE: capture of 'capture'
// CAPTURE-NEXT: : holds
// CAPTURE-BAD: capture of 'capture'
// CAPTURE-BAD-NEXT: stream-capture
// ADDED: added-waits of 'capture'
// ADDED-NEXT: : holds
// An upload of pageable memory may return at once, what stays of it waits: for a
// kernel that waits for the host.
// ADDED-BAD: added-waits of 'capture'
// ADDED-BAD-NEXT: host-concurrency (GPU work may wait for the host
void unknown(cudaStream_t);
void capture(cudaStream_t s) {
  PAIR;
  cudaMemcpyAsync(d, h, Bytes, cudaMemcpyHostToDevice, s);
  UNSAFE(unknown(s);)
  cudaStreamSynchronize(s);
  FREE;
}

// S4: S4 of 'lifetime'
// S4-NEXT: : holds
// S4-BAD: S4 of 'lifetime'
// S4-BAD-NEXT: : device-reset (
void lifetime() {
  PAIR;
  UP;
  UNSAFE(cudaDeviceReset();)
  h[0] = 1;
  FREE;
  SAFE(cudaDeviceReset();)
}

// S1: S1 of 'values'
// S1-NEXT: : holds
// S1-BAD: S1 of 'values'
// S1-BAD-NEXT: device-write-live-host (kernel 'update', then host
float values() {
  PAIR;
  h[1] = 1;
  UP;
  update<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  SAFE(DOWN;)
  float seen = h[1];
  UNSAFE(DOWN;)
  FREE;
  return seen;
}

// S2: S2 of 'order'
// S2-NEXT: : holds
// S2-BAD: S2 of 'order'
// S2-BAD-NEXT: host-write-in-flight (kernel 'readOnly', then host
void order(int *flag) {
  PAIR;
  h[1] = 1;
  UP;
  readOnly<<<1, 256>>>(d, flag);
  SAFE(cudaDeviceSynchronize();)
  h[1] = 2;
  FREE;
}
}
