//===- ChoosingTest.cpp - Which of several measured choices ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Profile/Choosing.h"

#include <catch2/catch.hpp>

using namespace echo::drtool;
using echo::drplan::Choice;

static Candidate gains(double Ratio, bool Watched) {
  return {{Ratio, true}, Watched};
}

TEST_CASE("what a run can watch") {
  CHECK(canBeWatched(Choice::Leave, false));
  CHECK(canBeWatched(Choice::PinnedSplit, false)); // nothing goes wrong there
  CHECK(canBeWatched(Choice::Mapped, true));
  CHECK_FALSE(canBeWatched(Choice::Mapped, false));
  CHECK_FALSE(canBeWatched(Choice::Managed, true));
  CHECK(canBeWatched(Choice::PinnedQueued, true));
  CHECK_FALSE(canBeWatched(Choice::PinnedQueued, false));
  CHECK_FALSE(canBeWatched(Choice::System, true));
}

TEST_CASE("a plan says that a choice cannot be watched") {
  PlanPair P;
  CHECK(provedText(P).empty());
  P.Evidence[OverWatched] = 0.8;
  CHECK(provedText(P).rfind("cannot be watched, but takes 0.800", 0) == 0);
  P.Evidence = {{NotOverWatched, 0.99}};
  CHECK(provedText(P).find("not clearly better") != std::string::npos);
}

TEST_CASE("one buffer must be clearly better than two that are pinned") {
  const Candidate Pinned = gains(0.8, true);
  Candidate Merged = gains(0.7, true);
  Merged.Rests = true;
  CHECK(selectOf({Pinned, Merged}).Best == 1u);
  CHECK_FALSE(selectOf({Pinned, Merged}).NeedsProof);
  Merged.Measured.Ratio = 0.75; // 0.9375 of the other
  Selection S = selectOf({Pinned, Merged});
  CHECK((S.Best == 1u && S.NeedsProof && S.Otherwise == 0u));
  S = selectOf({gains(1.1, true), Merged}); // which is no gain
  CHECK((S.Best == 1u && !S.NeedsProof));
}

TEST_CASE("the best choice is taken at once if it can be watched") {
  const Selection S =
      selectOf({gains(0.8, true), gains(0.5, true), gains(0.6, false)});
  CHECK(S.Best == 1u);
  CHECK_FALSE(S.NeedsProof);
}

TEST_CASE("the best choice needs proof if it cannot be watched") {
  const Selection S =
      selectOf({gains(0.8, true), gains(0.6, true), gains(0.5, false)});
  CHECK(S.Best == 2u);
  CHECK(S.NeedsProof);
  CHECK(S.Otherwise == 1u);
}

TEST_CASE("where nothing else gains, the proof is against no choice") {
  const Selection S = selectOf({{{0.9, false}, true}, gains(0.5, false)});
  CHECK(S.Best == 1u);
  CHECK(S.NeedsProof);
  CHECK_FALSE(S.Otherwise);
  CHECK_FALSE(selectOf({{{0.9, false}, true}}).Best);
  CHECK_FALSE(selectOf({}).Best);
}
