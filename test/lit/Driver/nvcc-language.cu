// A command in nvcc's language: __NVCC__ for the program's own files but not
// for system headers, 'register' as a warning. In clang's it is as in clang.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -arch=sm_90 -std=c++17 -isystem %S/Inputs/system -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: warning: ISO C++17 does not allow 'register'
// RUN: %echo_cc -w -Xcompiler -O1 -std=c++17 -isystem %S/Inputs/system --device=cpu %s -o %t && %t
// RUN: %echo_cc -w -arch=sm_90 -save-temps=obj -std=c++17 -isystem %S/Inputs/system -c %s -o %t.saved.o
// RUN: %echo_cc -w -arch=sm_90 -E -isystem %S/Inputs/system %s | FileCheck --check-prefix=TEXT %s
// TEXT: device{{.*}} inline int twice
// TEXT: int found;
// RUN: %echo_cc -w -arch=sm_90 -UFOO -U__NVCC__ -DUNSET -fsyntax-only -isystem %S/Inputs/system %s
// RUN: not %echo_cc -w --offload-arch=sm_90 -std=c++17 -fsyntax-only -isystem %S/Inputs/system %s 2>&1 | FileCheck --check-prefix=CLANG %s
// CLANG: error: "__NVCC__ is missing"
// CLANG: error: no matching function for call to 'twice'
// RUN: not %echo_cc -w -arch=sm_90 -std=c++17 -Werror=register -c %s -isystem %S/Inputs/system -o %t.o 2>&1 | FileCheck --check-prefix=STRICT %s
// STRICT: error: ISO C++17 does not allow 'register'
#include "Inputs/both_sides.h"
#include <needs_no_nvcc.h>
#ifdef UNSET
#ifdef __NVCC__
#error "the user's -U is void"
#endif
#else
#if __NVCC__ != 1
#error "__NVCC__ is missing"
#endif
int found;
// What the program does to it holds behind the next system header.
#undef __NVCC__
#include <cstddef>
#ifdef __NVCC__
#error "__NVCC__ came back"
#endif
__global__ void k(int *p) { *p = twice(*p); }
template <typename T> int next(T i) {
  register int j = i + 1;
  return j;
}
#endif
int main() {
#ifndef UNSET
  return next(-1);
#endif
}
