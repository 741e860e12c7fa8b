//===- Waits.h - What takes a copy's place waits for ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy that is not made, or that is made from pinned memory, waits for what
// the program's own copy would have waited for: no less, or values are wrong,
// and no more, or a kernel that waits for what the program does next never
// ends.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_WAITS_H
#define ECHO_RUNTIME_DR_OPTIMIZE_WAITS_H

#include "runtime/dr/Core.h"
#include "runtime/dr/PlanFile.h"
#include "runtime/dr/optimize/Memory.h"

namespace echo::dr {

/// Waits as the plan says for the copy \p E between the two sides of one
/// buffer, which is an upload if \p Up. Returns the status of the wait.
int waitAsPlanned(const Event &E, const PlanPair &P, bool Up);

/// Waits for all that the copy or set \p E follows, whatever a plan says.
int waitForEarlier(const Event &E);

/// True if \p E is an asynchronous upload after work that may wait for what
/// the program does next: then it is made from ordinary memory, and need not be
/// waited for.
bool takesQueued(Event &E, Pair &P);

/// The program puts a function into a stream.
void noteHostFunction();

} // namespace echo::dr

#endif
