//===- Workers.cpp - The number of workers of these tests -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than one worker, on any machine.
//
//===----------------------------------------------------------------------===//
#include <cstdlib>

static const int TwoWorkers = setenv("ECHO_CPU_THREADS", "2", 0);
