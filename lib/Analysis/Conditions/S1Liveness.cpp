//===- S1Liveness.cpp - Condition S1 of all pairs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the walk of Liveness.h of all pairs at once. Few pairs need what loops
// overwrite, and loops are slow to understand: they are looked at where the
// walk without them finds a violation.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Conditions/Liveness.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace echo {

std::vector<std::optional<Conflict>> checkContents(PairContext &C,
                                                   const PairGroup &Pairs) {
  auto S1 = checkS1(C.F, C.Events, Pairs, {});
  if (llvm::any_of(S1, [](const auto &Found) { return Found.has_value(); }))
    S1 = checkS1(C.F, C.Events, Pairs,
                 findLoopWrites(C.F, C.Events, C.Objects,
                                C.FAM.getResult<ScalarEvolutionAnalysis>(C.F),
                                C.LI, C.DT));
  return S1;
}

void S1Liveness::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  auto S1 = checkContents(C, groupOf(Left, C.Objects));
  for (auto [D, Violation] : llvm::zip_equal(Left, S1))
    D->Violation = Violation;
}

} // namespace echo
