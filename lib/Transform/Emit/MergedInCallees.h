//===- MergedInCallees.h - Pairs that a callee merges by itself -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view has its callees inlined, and with them pairs that lie in a callee as a
// whole. Where the callee merges such a pair itself, in its own body and for
// every caller, its caller need not inline it for that: the emitted code is
// smaller. Decides from the paths of the calls that pairs need, and changes
// nothing but the decision. A pair is never left to a callee whose code its
// caller must inline for another pair.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_MERGEDINCALLEES_H
#define ECHO_TRANSFORM_EMIT_MERGEDINCALLEES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

class CallNumbers;
class FunctionDecision;

/// Gives up the pairs of \p D, which was made of \p View, that callees merge
/// themselves. \p DecisionOf: the decision about a function with pairs to
/// merge, or null. Returns those callees.
llvm::SmallVector<llvm::Function *, 2> leavePairsToCallees(
    FunctionDecision &D, llvm::Function &View, const CallNumbers &Numbers,
    llvm::function_ref<const FunctionDecision *(llvm::Function &)> DecisionOf);

} // namespace echo

#endif
