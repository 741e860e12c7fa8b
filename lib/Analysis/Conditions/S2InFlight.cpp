//===- S2InFlight.cpp - Condition S2 of all pairs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the walk of InFlight.h of all pairs at once; where it finds a
// violation, once more with the edges on which loops are known to have waited.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Memory/Exposure.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;

namespace echo {

void S2InFlight::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  SmallVector<unsigned, 8> Firsts;
  for (const Candidate *D : Left)
    Firsts.push_back(D->First);
  auto Walk = [&] {
    return checkS2(C.F, C.Events, groupOf(Left, C.Objects), C.Objects, C.Keys,
                   Firsts, /*StartsIdle=*/isMain(C.F), C.LI, C.LoopExits);
  };
  auto S2 = Walk();
  if (llvm::any_of(S2, [](const S2Result &R) { return R.Violation; })) {
    C.LoopExits = exitsBehindRounds(
        C.Events, C.LI, C.FAM.getResult<ScalarEvolutionAnalysis>(C.F));
    S2 = Walk();
  }
  for (auto [D, R] : llvm::zip_equal(Left, S2)) {
    D->Violation = R.Violation;
    D->Quiescent = R.Quiescent;
    D->IdleCopies = std::move(R.IdleCopies);
    D->CopiesWithoutCode = std::move(R.CopiesWithoutCode);
    D->Unsure = std::move(R.Unsure);
    D->AsyncUploads = std::move(R.AsyncUploads);
    if (R.Violation && R.Violation->Second) {
      const Event &Work = *R.Violation->First;
      D->Meeting = {Work.At, R.Violation->Second->At,
                    const_cast<Value *>(Work.Stream), Work.PerThread};
    }
  }
}

} // namespace echo
