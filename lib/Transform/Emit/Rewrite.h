//===- Rewrite.h - Rules R1 to R4 on one function ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites the accepted pairs of a function in its body (Body.h). Calls are
// replaced, pointers are not: h and d stay two values, equal where the runtime
// merges and apart where it does not. Every original call stays, in the branch
// for split mode, so that one binary serves both.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_REWRITE_H
#define ECHO_TRANSFORM_EMIT_REWRITE_H

#include "Transform/Emit/ReclaimPool.h"
#include <cstdint>

namespace llvm {
class Function;
class LoopInfo;
} // namespace llvm

namespace echo {

class BodyCalls;
class FunctionDecision;
class SharedCalls;

/// Rewrites all accepted pairs of \p Decision, which was made of \p View, in
/// the body \p F, whose calls \p Calls knows and whose loops \p LI. Buffers
/// whose size at run time is below \p MinBytes bytes stay apart. Adds to
/// \p Asked the allocations that ask echort, and to \p Shared all calls that
/// are asked about in a form that others may have. Analyses of \p F are stale
/// afterwards.
void rewritePairs(llvm::Function &F, llvm::Function &View,
                  const FunctionDecision &Decision, const BodyCalls &Calls,
                  const llvm::LoopInfo &LI, uint64_t MinBytes,
                  AskedCalls &Asked, SharedCalls &Shared);

} // namespace echo

#endif
