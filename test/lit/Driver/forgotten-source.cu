// What only the reports need, names of values and locations of code, goes before
// LLVM's own passes; what the user asked for stays.
// RUN: rm -f %t.txt
// RUN: %echo_cc -w --device=cpu -O1 -S -emit-llvm %s -o %t.ll --report %t.txt
// RUN: FileCheck --check-prefix=TEXT --input-file=%t.txt %s
// RUN: FileCheck --check-prefix=BARE --input-file=%t.ll %s
// RUN: %echo_cc -w --device=cpu -O1 -g -S -emit-llvm %s -o - | FileCheck --check-prefix=PLACES %s
// RUN: %echo_cc -w --device=cpu -O1 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck --check-prefix=NAMES %s
// RUN: %echo_cc -w --device=cpu -O1 -Rpass=inline -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REMARK %s
#include "../Inputs/case.h"

// TEXT: forgotten-source.cu:[[#@LINE+9]]:3 h + {{.*}}:[[#@LINE+9]]:3 d {{.*}} unified
// BARE-NOT: !dbg
// BARE-NOT: %given
// BARE-NOT: DILocation
// PLACES: define {{.*}}seen{{.*}} !dbg
// PLACES: !DILocation
// NAMES: define {{.*}}seen{{.*}}%given
// REMARK: forgotten-source.cu:[[#@LINE+5]]:3: remark: {{.*}} inlined into '_Z4seenf'
float seen(float given) {
  PAIR;
  h[0] = given;
  UP;
  readOnly<<<1, 1>>>(d, nullptr);
  cudaDeviceSynchronize();
  float result = 2 * h[0];
  FREE;
  return result;
}
