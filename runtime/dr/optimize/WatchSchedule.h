//===- WatchSchedule.h - Which windows are watched --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from ECHO_DR_WATCH, from the device and from how many windows a pair
// has had which of them are watched, and leaves a pair that one showed to be
// unsafe, in this process and in the plan. It must never say that a window is
// watched where closed pages would be in the device's way.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_WATCHSCHEDULE_H
#define ECHO_RUNTIME_DR_OPTIMIZE_WATCHSCHEDULE_H

#include "runtime/dr/optimize/Memory.h"
#include "runtime/dr/validate/Pages.h"

namespace echo::dr {

/// Reads ECHO_DR_WATCH, when the mode starts; says what is not watched.
void startWatch(const PlanFile &Plan);

/// Whether any window is watched.
bool watchesAny();
/// Whether \p P is in its first windows, which are all watched.
bool watchesEach(const Pair &P);
/// A window of \p P was watched; that decides which one is next.
void noteWatched(Pair &P);

/// Whether closed pages are in nobody's way on this device. Asked once, of the
/// device that is current then; where they are, a line says so.
bool leavesPagesAlone();

/// The program did \p A in a watched window of \p P, which validation did not
/// see: the pair is left.
void noteUnsafe(Pair &P, const Access &A);

/// How many windows were watched.
uint64_t windowsWatched();

} // namespace echo::dr

#endif
