//===- Account.h - What merging saved ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts merged pairs, copies that did not run and waits that stayed, and
// prints them at exit if ECHO_VERBOSE=1 or ECHO_STATS=1 asks. Silent else.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_ACCOUNT_H
#define ECHO_RUNTIME_RT_ACCOUNT_H

#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

/// Arms the line at exit, if asked for. Cheap after the first call.
void armAccount();
/// \p Assumed: on the user's word.
void countPair(Backing Kind, bool Assumed = false);
/// An assumed pair that stays apart, as its copies are compared.
void countWatched();
void countCopy(size_t Bytes);
void countWait();
/// A copy of \p Bytes bytes that ran from or to memory that echort pinned.
void countPinned(size_t Bytes);

} // namespace echo::rt

#endif
