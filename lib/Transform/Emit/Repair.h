//===- Repair.h - Waits that let a pair merge (--repair) --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a pair fails condition S2 only, one more wait may order what the
// program leaves unordered. Puts it where the analysis proves that it is
// enough, and nowhere else: the analysis of the function with the wait decides.
// A wait is worth it where it runs no more often than the copies that go away.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_REPAIR_H
#define ECHO_TRANSFORM_EMIT_REPAIR_H

#include "Analysis/Decision/Decide.h"
#include <memory>

namespace echo {

class Body;

/// Adds waits to view \p F, and returns the decision about the view with them.
/// \p D: the decision about \p F as it is.
std::unique_ptr<FunctionDecision> repair(llvm::Function &F,
                                         llvm::FunctionAnalysisManager &FAM,
                                         const UnitContext &Unit,
                                         uint64_t MinBytes,
                                         std::unique_ptr<FunctionDecision> D);

/// Adds the waits of \p D to the body \p B. False, and none is added, if it
/// lacks a call that one of them has to follow.
bool emitAddedWaits(const FunctionDecision &D, Body &B);

} // namespace echo

#endif
