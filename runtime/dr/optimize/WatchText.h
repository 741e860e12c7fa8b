//===- WatchText.h - What a watched window showed, in words -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what is not watched, and what the host did to a pair that is one buffer;
// notes that in the plan, so that later runs leave the pair.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_WATCHTEXT_H
#define ECHO_RUNTIME_DR_OPTIMIZE_WATCHTEXT_H

#include "runtime/dr/PlanFile.h"
#include "runtime/dr/validate/Pages.h"

namespace echo::dr {

/// Says which pairs of \p Plan rest on validation and are not watched. True if
/// some are in memory that can be.
bool sayUnwatched(const PlanFile &Plan);

/// The access \p A to the pair \p P was seen; one window in \p Every is watched
/// so far, none if that is 0.
void sayWatched(const PlanPair &P, const Access &A, unsigned Every);

} // namespace echo::dr

#endif
