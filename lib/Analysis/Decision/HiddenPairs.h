//===- HiddenPairs.h - Pairs whose pointers are out of sight ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds candidate pairs for the report only: a copy whose pointers come from
// variables that other code can reach (globals, captured locals, heap objects),
// where the allocation that filled the variable is plain. Such a pair is always
// declined; the report names it and the variable.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_HIDDENPAIRS_H
#define ECHO_ANALYSIS_DECISION_HIDDENPAIRS_H

#include "Analysis/Candidates/Pairs.h"

namespace echo {

/// The declined pairs of \p F that are not in \p Known. \p Seen gets the
/// copies that they explain.
std::vector<PairReport>
findHiddenPairs(const llvm::Function &F, const Effects &E,
                const MemoryObjects &Objects, const ModelTable &Models,
                llvm::ArrayRef<Pair> Known,
                llvm::SmallVectorImpl<const llvm::Instruction *> &Seen);

} // namespace echo

#endif
