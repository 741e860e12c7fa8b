//===- Remedies.cpp - Which remedy is for which reason --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands Remedies.def.
//
//===----------------------------------------------------------------------===//
#include "Remedy.h"

namespace echo::suggest {

std::vector<Proposal> proposalsFor(const PairReport &Pair,
                                   const UnitReport &Unit,
                                   const SourceIndex &Source) {
  std::vector<Proposal> All;
  const auto Add = [&](Blocker Reason, const Remedy &R) {
    if (Pair.Result != Verdict::Declined || Pair.Reason != Reason)
      return;
    for (Proposal &P : R.propose(Pair, Unit, Source))
      All.push_back(std::move(P));
  };
#define REMEDY(Reason, Class) Add(Blocker::Reason, Class());
#include "Remedies.def"
  return All;
}

} // namespace echo::suggest
