// What the CPU device cannot take is an error at its place, also without -g.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: rm -f %t.o
// RUN: not %precompiled_cc -w --device=cpu -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %precompiled_cc -w --device=cpu -O0 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// RUN: %precompiled_cc -w --device=cpu -DALLOWED -c %s -o %t.o 2>&1 | count 0
__global__ void k(int *p) {
  unsigned r = 0;
#ifndef ALLOWED
  // CHECK: cpu-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}--device=cuda
  asm volatile("mma.sync.aligned.m8n8k4 %0;" : "=r"(r));
#endif
  *p = r;
}
