// A copy of a part, which echort compares with the device buffer: the address
// of the block is kept in a variable, as not all paths to a copy lead past the
// allocation.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -O0 -fno-discard-value-names -S -emit-llvm %s -o %t.ll --report %t.txt
// RUN: FileCheck --input-file=%t.ll %s
// RUN: FileCheck --input-file=%t.txt --check-prefix=REPORT %s
// RUN: %llvm_tools/opt -passes=verify -disable-output %t.ll
#include "../../Inputs/case.h"

// REPORT: 2 pairs: 2 unified
// CHECK-LABEL: define {{.*}}sometimes
// CHECK: %echo.device.base = alloca ptr
// CHECK: store ptr null, ptr %echo.device.base
// CHECK: %[[D:.*]] = call ptr @echort_acquire({{.*}}, i32 1,
// CHECK: store ptr %[[D]], ptr %echo.device.base
// CHECK: %[[BASE:.*]] = load ptr, ptr %echo.device.base
// CHECK: call i32 @echort_linking_part({{.*}}, ptr %[[BASE]],
// CHECK: {{^}}}
void sometimes(int n) {
  float *h = (float *)malloc(Bytes), *d = nullptr;
  if (n)
    cudaMalloc(&d, Bytes);
  memset(h, 1, Bytes);
  puts("filled");
  if (n)
    cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  FREE;
}
// CHECK-LABEL: define {{.*}}always
// CHECK: call i32 @echort_linking_part(
// CHECK: {{^}}}
void always() {
  PAIR;
  memset(h, 1, Bytes);
  cudaMemcpy(d, h, 1024, cudaMemcpyHostToDevice);
  FREE;
}
