//===- Describe.h - Decisions in words --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills the report of a pair from IR: names, places, the events that conflict
// and what the user can do. It decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_DESCRIBE_H
#define ECHO_ANALYSIS_DECISION_DESCRIBE_H

#include "Analysis/Conditions/Liveness.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

/// Name, place and function of an allocation.
AllocSite siteOf(const llvm::CallBase &Alloc);
/// Where \p S is and what it allocates: "app.cu:12:20 hx".
std::string placeText(const AllocSite &S);
/// Names, places, size and links of \p P.
void describePair(PairReport &R, const Pair &P, const MemoryObjects &Objects,
                  const Sizes &S);
/// Leaves the innermost function that allocates both buffers and links them,
/// itself or by helpers: what calls that function is no part of the pair.
void leaveOwnFunction(PairReport &R);
/// Sets the reason and its usual suggestion.
void setReason(PairReport &R, Blocker Reason);
/// Says which two events conflict, and which wait or copy would help.
void describeConflict(PairReport &R, const Conflict &C, const Pair &P);

} // namespace echo

#endif
