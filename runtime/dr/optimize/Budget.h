//===- Budget.h - How much memory may be pinned -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether a block may be pinned: from what its pages take already, the
// machine's memory, the limits of control groups and of locked memory, and what
// this user's other processes on the machine have pinned. These share a table
// in /dev/shm, so that several ranks get one budget. A process that is killed
// leaves an entry, which the next one that needs room takes away.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_BUDGET_H
#define ECHO_RUNTIME_DR_OPTIMIZE_BUDGET_H

#include "runtime/rt/Block.h"

namespace echo::dr {

/// Finds limits and table, when the mode starts: later the program may forbid
/// that files are opened.
void openBudget();

/// True if pinning \p B makes little more resident than there is, or will be
/// once a copy has written \p Fresh bytes.
bool isMostlyResident(const rt::Block &B, size_t Fresh);

/// Takes the \p Bytes at \p Base from the budget. False: there is no room.
bool takePinned(const void *Base, uint64_t Bytes);
/// What was taken for \p Base is free again.
void givePinned(const void *Base);

/// The process ends: its entry goes.
void closeBudget();

} // namespace echo::dr

#endif
