// An output stream may be given what a buffer holds, not where it is.
// REQUIRES: cuda-toolkit
// RUN: rm -f %t.ok %t.bad
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.ok
// RUN: FileCheck --input-file=%t.ok --check-prefix=OK %s
// RUN: %echo_cc -w --device=cpu -c %s -o %t.o --report %t.bad -DBLOCKED
// RUN: FileCheck --input-file=%t.bad --check-prefix=BAD %s
#include "../../../Inputs/case.h"
#include <iostream>

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-to-integer
// BAD: try {{ *}}print no address
void host() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(std::cout << h[0];)
  UNSAFE(std::cout << h;)
  FREE;
}

// OK: [[#@LINE+4]]:3 h + {{.*}} unified
// BAD: [[#@LINE+3]]:3 h + {{.*}} declined S3 pointer-to-integer
// BAD-NEXT: [[#@LINE+6]]:{{[0-9]+}} {{.*}}ostream
void device() {
  PAIR;
  memset(h, 0, Bytes);
  UP;
  SAFE(std::cerr << "device buffer" << std::endl;)
  UNSAFE(std::cerr << "device buffer " << (void *)d << std::endl;)
  FREE;
}
