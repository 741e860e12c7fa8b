// Standard input is read once: preprocessing works, compiling is refused.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w -x cuda -E - < %s | FileCheck %s
// RUN: %echo_cc -w -x cuda --cuda-device-only -S - -o %t.s < %s && FileCheck --check-prefix=PTX --input-file=%t.s %s
// RUN: not %echo_cc -x cuda -c - -o %t.o < %s 2>&1 | FileCheck --check-prefix=ERROR %s
// CHECK: void fromStdin(int *p)
// PTX: .entry {{.*}}fromStdin
// ERROR: error: cannot compile CUDA from standard input
__global__ void fromStdin(int *p) { *p = 1; }
