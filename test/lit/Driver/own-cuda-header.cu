// A project's own "cuda.h" hides the toolkit's from nobody: clang's wrapper finds
// the toolkit's, and the source its own.
// REQUIRES: cuda-toolkit
// RUN: rm -rf %t && mkdir %t && echo 'enum { Own = 3 };' > %t/cuda.h
// RUN: %echo_cc -w -I%t -c %s -o %t/a.o
// RUN: %echo_cc --device=cpu -w -I%t %s -o %t/a && %t/a
// RUN: %echo_cc --device=cpu -w -DTOOLKITS %s -o %t/b && %t/b
// RUN: not %echo_cc --device=cpu -w -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: use of undeclared identifier 'Own'
#include "cuda.h"
__global__ void k(int *p) { *p = 1; }
#ifdef TOOLKITS
enum { Own = CUDA_VERSION >= 12000 ? 3 : 0 };
#endif
int main() { return Own != 3; }
