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
  return drplan::watchedByPages(C) ? MappedIs : !drplan::restsOnValidation(C);
}

std::string provedText(const PlanPair &P) {
  if (const auto It = P.Evidence.find(OverWatched); It != P.Evidence.end())
    return fmt::format("cannot be watched, but takes {:.3f} of the time of the "
                       "best that can be",
                       It->second);
  if (const auto It = P.Evidence.find(NotOverWatched); It != P.Evidence.end())
    return fmt::format("what cannot be watched takes {:.3f} of its time: not "
                       "clearly better",
                       It->second);
  if (const auto It = P.Evidence.find(OverPinned); It != P.Evidence.end())
    return fmt::format("takes {:.3f} of the time of pinned-split", It->second);
  if (const auto It = P.Evidence.find(NotOverPinned); It != P.Evidence.end())
    return fmt::format("what rests on validation takes {:.3f} of its time: not "
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

/// One that is right whatever the program does, and nearly as good as \p Best.
static std::optional<size_t> safeBeside(const std::vector<Candidate> &All,
                                        size_t Best) {
  for (size_t I = 0; I < All.size(); ++I)
    if (!All[I].Rests && All[I].Measured.Gains && All[I].Measured.Ratio < 1 &&
        All[Best].Measured.Ratio > OverSafe * All[I].Measured.Ratio)
      return I;
  return std::nullopt;
}

Selection selectOf(const std::vector<Candidate> &All) {
  Selection Out;
  Out.Best = bestOf(All, /*WatchedAlone=*/false);
  if (!Out.Best)
    return Out;
  Out.NeedsProof = !All[*Out.Best].Watched;
  if (Out.NeedsProof)
    Out.Otherwise = bestOf(All, /*WatchedAlone=*/true);
  if (!All[*Out.Best].Rests)
    return Out;
  if (const auto Safe = safeBeside(All, *Out.Best)) {
    Out.NeedsProof = true;
    Out.Otherwise = Safe;
  }
  return Out;
}

} // namespace echo::drtool
