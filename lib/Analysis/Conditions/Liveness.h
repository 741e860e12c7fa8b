//===- Liveness.h - Condition S1: is a partner content dead? ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S1 of one pair, as liveness of two resources, "content of h" and "content of
// d", backward over the control flow. A read makes a content live; a write that
// covers the whole buffer (linking copy, set, exact library write, a loop that
// stores to all of it) or its allocation makes it dead before. Proof
// obligation: after every retained write to one side the other side is dead,
// or was never written: a program that reads what nobody wrote is outside of
// the theorem. Work of the GPU that is still queued at a host write is S2's
// matter (InFlight).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_LIVENESS_H
#define ECHO_ANALYSIS_CONDITIONS_LIVENESS_H

#include "Analysis/Conditions/Condition.h"

namespace echo {

/// The first violation of S1 by each pair, or nothing: S1 holds. All copies of
/// a pair must cover all bytes that have a partner. \p LoopWrites: those of the
/// function.
std::vector<std::optional<Conflict>>
checkS1(const llvm::Function &F, const Effects &E, const PairGroup &Pairs,
        llvm::ArrayRef<LoopWrite> LoopWrites);

/// The same, with what loops overwrite where that is needed.
std::vector<std::optional<Conflict>> checkContents(PairContext &C,
                                                   const PairGroup &Pairs);

} // namespace echo

#endif
