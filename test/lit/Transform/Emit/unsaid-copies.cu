// echort is told of copies that stay and do not say their direction.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OK
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o - -DBLOCKED | FileCheck %s --check-prefix=BAD
// OK: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(0|1|16384|16385)}}, ptr
// BAD: @echo.group = internal global {{.*}} { i32 {{[0-9]+}}, i32 {{(32|33|16416|16417)}}, ptr
#include "../../Inputs/case.h"

void copied(float *other) {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  cudaMemcpyAsync(other, d, Bytes,
                  SAFE(cudaMemcpyDeviceToDevice) UNSAFE(cudaMemcpyDefault), 0);
  cudaDeviceSynchronize();
  FREE;
}
