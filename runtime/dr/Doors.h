//===- Doors.h - What the doors share with the core -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few words that are read on a path so short that a call would cost too
// much, and the locks that a fork takes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DOORS_H
#define ECHO_RUNTIME_DR_DOORS_H

#include <stdint.h>

namespace echo::dr {

/// Host allocations of fewer bytes are no events: the largest number until a
/// mode has begun.
extern uint64_t HostThreshold;

void lockThreads();
void unlockThreads();
void lockModules();
void unlockModules();

} // namespace echo::dr

#endif
