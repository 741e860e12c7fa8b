//===- FakeCore.h - What the driver interposer told the core ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests preload the driver interposer with a core that only remembers.
// Programs read here what it remembers.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_DR_FAKECORE_H
#define ECHO_TEST_DR_FAKECORE_H

#include "runtime/abi/DrTrace.h"

struct Told {
  echo::dr::TraceRecord R; ///< dropped out: A = pointer, Flags = reason
  bool DroppedOut;
  bool Ended; ///< after() was called, and R.Status is what it got
};

extern "C" {
/// What was told since the last call, at most \p Most; the number of it.
unsigned fakeCoreTold(Told *Out, unsigned Most);
/// The next call is skipped; an allocation gives \p Pointer.
void fakeCoreSkip(void *Pointer);
}

#endif
