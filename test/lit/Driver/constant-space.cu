// A host table that is const and larger than constant memory takes no place
// there, as with nvcc; one that fits stays.
// REQUIRES: cuda-toolkit
// RUN: %precompiled_cc -w -c %s -o %t.o
// RUN: %precompiled_cc -w --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %precompiled_cc -w -DSMALL --cuda-device-only -S %s -o - | FileCheck --check-prefix=SMALL %s
// RUN: not %precompiled_cc -w -DREAD -c %s -o %t.o 2>&1 | FileCheck --check-prefix=READ %s
// CHECK-DAG: .visible .const {{.*}} Used
// CHECK-DAG: .visible .global {{.*}} Table
// SMALL: .visible .const {{.*}} Table
// READ: too much global constant data
#ifdef SMALL
#define ROWS 100
#else
#define ROWS 10000
#endif
struct Row {
  unsigned A, B[18];
};
extern const Row Table[];
const Row Table[ROWS] = {{0, {1}}, {2, {3}}};
__constant__ int Used[4];
__global__ void k(int *P) {
  *P = Used[threadIdx.x];
#ifdef READ
  *P += Table[*P].A;
#endif
}
