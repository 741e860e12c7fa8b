//===- FakeDriver.h - What programs of the fake driver see ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of the fake driver is a function of the program: cuLaunchKernel's
// CUfunction is the address of a FakeKernel.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_DR_FAKEDRIVER_H
#define ECHO_TEST_DR_FAKEDRIVER_H

#include <stddef.h>
#include <stdint.h>

struct FakeKernel {
  void (*Run)(uint64_t *Params);
  unsigned NumParams; ///< of eight bytes each
};

/// How often the driver's function of that exported name ran.
extern "C" int fakeCalls(const char *Name);
/// The 64 bytes of the IPC handle that was opened last.
extern "C" const char *fakeHandle();

#endif
