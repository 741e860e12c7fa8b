// -g and -O0 keep their places: what the rewrite adds stands where the call
// that it replaces stood, and the debugger finds the variables where they were.
// REQUIRES: cuda-toolkit
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O0 -g -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: FileCheck --input-file=%t.ll %s
// RUN: %llvm_tools/opt -passes=verify -disable-output %t.ll
// RUN: %echo_cc -w --device=cpu -mllvm -echo-share-calls=false -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
#include <cstdlib>
void pair() {
  float *h = (float *)malloc(1 << 20);
  float *d;
  cudaMalloc(&d, 1 << 20);
  cudaMemcpy(h, d, 1 << 20, cudaMemcpyDeviceToHost);
  free(h);
  cudaFree(d);
}
// CHECK-LABEL: define dso_local void @_Z4pairv()
// CHECK: #dbg_declare(ptr %h, ![[HVAR:[0-9]+]],
// CHECK: @echort_acquire({{.*}}, i32 0, i64 1048576, {{.*}} !dbg ![[HA:[0-9]+]]
// CHECK: @malloc({{.*}} !dbg ![[HA]]
// CHECK: %[[H:[0-9]+]] = phi ptr {{.*}} !dbg ![[HA]]
// CHECK: store ptr %[[H]], ptr %h
// CHECK: #dbg_declare(ptr %d, ![[DVAR:[0-9]+]],
// CHECK: @echort_acquire({{.*}}, i32 1, i64 %{{.*}}, {{.*}} !dbg ![[DA:[0-9]+]]
// CHECK: @cudaMalloc({{.*}} !dbg ![[DA]]
// CHECK: @echort_linking_copy({{.*}} !dbg ![[COPY:[0-9]+]]
// CHECK: @cudaMemcpy({{.*}} !dbg ![[COPY]]
// CHECK: @echort_release(i32 0, {{.*}} !dbg ![[FREE:[0-9]+]]
// CHECK: @free({{.*}} !dbg ![[FREE]]
// CHECK-DAG: ![[HA]] = !DILocation(line: 10, column: 23,
// CHECK-DAG: ![[HVAR]] = !DILocalVariable(name: "h",
// CHECK-DAG: ![[DVAR]] = !DILocalVariable(name: "d",
// CHECK-DAG: ![[COPY]] = !DILocation(line: 13, column: 3,
// CHECK-DAG: ![[FREE]] = !DILocation(line: 14, column: 3,

// Without -g the places that reports need are no debug information.
// NONE: define {{.*}}pair
// NONE-NOT: !DICompileUnit
