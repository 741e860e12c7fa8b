//===- Choosing.cpp - Which of several measured choices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Choosing.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Choosing.h"

#include <fmt/format.h>

namespace echo::drtool {

bool canBeWatched(drplan::Choice C, bool MappedIs) {
  return C == drplan::Choice::Mapped ? MappedIs : !drplan::restsOnValidation(C);
}

std::string unwatchedText(const PlanPair &P) {
  if (const auto It = P.Evidence.find(OverWatched); It != P.Evidence.end())
    return fmt::format("cannot be watched, but takes {:.3f} of the time of the "
                       "best that can be",
                       It->second);
  if (const auto It = P.Evidence.find(NotOverWatched); It != P.Evidence.end())
    return fmt::format("what cannot be watched takes {:.3f} of its time: not "
                       "clearly better",
                       It->second);
  return "";
}

static std::optional<size_t> bestOf(const std::vector<Candidate> &All,
                                    bool WatchedAlone) {
  std::optional<size_t> Best;
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I].Measured.Gains && All[I].Measured.Ratio < 1 &&
        (All[I].Watched || !WatchedAlone) &&
        (!Best || All[I].Measured.Ratio < All[*Best].Measured.Ratio))
      Best = I;
  return Best;
}

Selection selectOf(const std::vector<Candidate> &All) {
  Selection Out;
  Out.Best = bestOf(All, /*WatchedAlone=*/false);
  Out.NeedsProof = Out.Best && !All[*Out.Best].Watched;
  if (Out.NeedsProof)
    Out.Otherwise = bestOf(All, /*WatchedAlone=*/true);
  return Out;
}

} // namespace echo::drtool
