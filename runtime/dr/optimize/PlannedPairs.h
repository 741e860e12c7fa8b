//===- PlannedPairs.h - The pairs of the plan at run time -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pairs of the plan are carried out, and which calls may be of them, from
// sites and sizes alone. A pair of whose choice the plan does not have what it
// needs is none.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_PLANNEDPAIRS_H
#define ECHO_RUNTIME_DR_OPTIMIZE_PLANNEDPAIRS_H

#include "runtime/dr/Core.h"
#include "runtime/dr/optimize/Memory.h"

namespace echo::dr {

/// Takes the pairs of \p Plan that can be carried out. False: there is none.
bool takePairs(const PlanFile &Plan);

/// True if the call site of the allocation or copy \p R counts. Unwinding costs
/// more than a comparison: only a size that the plan names can be of a planned
/// buffer.
bool isOfPlannedSize(const TraceRecord &R);
/// True if a host buffer of \p Bytes may be a pair's.
bool isPlannedSize(uint64_t Bytes);

/// The pair that a buffer of the site and size of \p R belongs to, if the plan
/// serves that side of it; else null.
Pair *pairOf(const TraceRecord &R, Side Which);

/// All pairs that are one buffer run as written from now on.
void turnOffMerged(const char *Why);

} // namespace echo::dr

#endif
