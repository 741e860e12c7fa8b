//===- library.h - What programs of CUDA's libraries share ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends main where a call of CUDA's, or of a library's, fails: each library has
// a status of its own, and zero is success in all.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_E2E_LIBRARY_H
#define ECHO_TEST_E2E_LIBRARY_H

#include <cstdio>
#include <cstdlib>

#define CHECK(Call)                                                            \
  if ((Call) != 0) {                                                           \
    std::printf("failed: %s\n", #Call);                                        \
    return 1;                                                                  \
  }

#endif
