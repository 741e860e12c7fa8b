// --check sees what memset and memcpy in the program's own code access; without
// it their accesses are told to nobody.
// REQUIRES: cuda-toolkit, cpu-device
// RUN: %mutant -w --check -O1 --cuda-host-only -S -emit-llvm %s -o - | FileCheck %s
// RUN: env ECHO_TEST_WITHOUT=checked-intrinsics %mutant -w --check -O1 --cuda-host-only -S -emit-llvm %s -o - | FileCheck %s --check-prefix=BLIND
#include <cstring>

// CHECK: define {{.*}}clear
// CHECK: call void @echo_check_write(ptr %{{.*}}, i64 4096,
// BLIND: define {{.*}}clear
// BLIND-NOT: @echo_check_
// BLIND: ret
extern "C" void clear(char *p) { memset(p, 0, 4096); }
