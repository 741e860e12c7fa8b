//===- Choosing.h - Which of several measured choices ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice that promises most is kept, unless a run could not watch it: such
// a one must be clearly better than what could be watched, or than nothing. A
// PairedTest between the two decides what is clear. Two buffers have nothing
// that must be watched.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_CHOOSING_H
#define ECHO_PROFILE_CHOOSING_H

#include "Profile/Plan.h"
#include "Profile/Statistics.h"

#include <optional>
#include <vector>

namespace echo::drtool {

/// Evidence of a pair: the part of the time of the best choice that can be
/// watched which one takes that cannot be. The first: that is the pair's
/// choice; the second: it was not clearly better.
inline constexpr char OverWatched[] = "over_watched";
inline constexpr char NotOverWatched[] = "not_over_watched";
/// The same of what rests on validation and can be watched, and pinned-split.
inline constexpr char OverPinned[] = "over_pinned";
inline constexpr char NotOverPinned[] = "not_over_pinned";

/// True if a run with \p C can notice that validation did not see all.
/// \p MappedIs: the device leaves pages alone that are closed to the host.
bool canBeWatched(drplan::Choice C, bool MappedIs);

/// That the choice of \p P was proved to be worth it, or that another one was
/// not, for people; empty if neither was asked.
std::string provedText(const PlanPair &P);

struct Candidate {
  Promise Measured;
  bool Watched = true;
  bool Rests = false; ///< it is right only if validation is (restsOnValidation)
};

/// A choice that rests on validation is proved to be better than one that is
/// right whatever the program does, unless it promises at most so much of its
/// time.
inline constexpr double OverSafe = 0.9;

struct Selection {
  std::optional<size_t> Best; ///< empty: none gains
  /// Where Best cannot be watched, or is hardly better than what is right
  /// whatever the program does: it must be clearly better than Otherwise, which
  /// is empty if that is to leave the pair.
  bool NeedsProof = false;
  std::optional<size_t> Otherwise;
};
Selection selectOf(const std::vector<Candidate> &All);

} // namespace echo::drtool

#endif
