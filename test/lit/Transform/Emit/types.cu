// Two host buffers share a block where all accesses to them are of one type.
// What clang says of types stays: of two types LLVM would take accesses for
// ones that never meet.
// REQUIRES: cuda-toolkit
// DEFINE: %{see} = %opt -echo-model=%echo_source/models/libc.model -echo-model=%echo_source/models/cuda.model -echo-kernel-facts=%S/../../Mutation/Inputs/kernels.facts -echo-unify -echo-report=%t.txt -passes='default<O0>,verify' -S %t.ll
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -g1 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: rm -f %t.txt
// RUN: %{see} | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=ONE-REPORT --input-file=%t.txt
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -g1 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -DBLOCKED %s -o %t.ll
// RUN: rm -f %t.txt
// RUN: %{see} | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=TWO-REPORT --input-file=%t.txt
// Members of one structure meet, those of two do not, although both are floats.
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -g1 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -DMEMBERS %s -o %t.ll
// RUN: rm -f %t.txt
// RUN: %{see} | FileCheck %s --check-prefix=ONE
// RUN: FileCheck %s --check-prefix=ONE-REPORT --input-file=%t.txt
// RUN: %echo_cc -w --cuda-host-only --no-unify -O1 -g1 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -DMEMBERS -DBLOCKED %s -o %t.ll
// RUN: rm -f %t.txt
// RUN: %{see} | FileCheck %s --check-prefix=TWO
// RUN: FileCheck %s --check-prefix=TWO-REPORT --input-file=%t.txt
// ONE: define {{.*}} @_Z10twoBuffersv(
// ONE-COUNT-3: call {{.*}}ptr @echort_acquire(ptr @echo.group
// ONE: load float, {{.*}} !tbaa
// ONE-REPORT: 2 pairs: 2 unified
// TWO: define {{.*}} @_Z10twoBuffersv(
// TWO-COUNT-2: call {{.*}}ptr @echort_acquire(ptr @echo.group
// TWO: load float, {{.*}} !tbaa
// TWO-REPORT: 2 pairs: 1 unified, 1 declined
#include "../../Inputs/case.h"

struct Cell {
  float value;
};
struct Member {
  float value;
};
#ifdef MEMBERS
using Mine = Cell;
#ifdef BLOCKED
using Other = Member;
#else
using Other = Cell;
#endif
static float valueOf(const Cell &c) { return c.value; }
static float valueOf(const Member &c) { return c.value; }
static void set(Cell &c, float v) { c.value = v; }
static void set(Member &c, float v) { c.value = v; }
#else
using Mine = float;
#ifdef BLOCKED
using Other = int;
#else
using Other = float;
#endif
#define valueOf(x) x
#define set(x, v) x = v
#endif

float twoBuffers() {
  PAIR;
  Other *other = (Other *)malloc(Bytes);
  memset(h, 0, Bytes);
  UP;
  update<<<1, 256>>>(d);
  cudaMemcpy(h, d, Bytes, cudaMemcpyDeviceToHost);
  float seen = valueOf(((Mine *)h)[3]);
  for (int i = 0; i < Count; ++i)
    set(other[i], i);
  cudaMemcpy(d, other, Bytes, cudaMemcpyHostToDevice);
  update<<<1, 256>>>(d);
  cudaMemcpy(other, d, Bytes, cudaMemcpyDeviceToHost);
  float last = valueOf(other[0]);
  FREE;
  free(other);
  return seen + last;
}
