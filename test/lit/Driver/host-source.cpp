// A host source that calls the CUDA runtime builds as with nvcc.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -c %s -o %t.o && %echo_cc %t.o -o %t && %t
// RUN: %echo_cc -### -c %s 2>&1 | FileCheck %s
// RUN: %echo_cc -### -c %S/Inputs/plain.c -I first -isystem second 2>&1 | FileCheck --check-prefix=LAST %s
// CHECK: "-idirafter" "{{[^"]*}}include"
// LAST: "-isystem" "second" "-idirafter"
// LAST-SAME: "-I" "first"
#include <cuda_runtime.h>
int main() {
  int Count = 0;
  return cudaGetDeviceCount(&Count) == cudaErrorInvalidValue;
}
