//===- AddWait.cpp - One wait before an access ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wait is right anywhere. It stands where --repair puts one: before the
// access, outside of the loops around it that do not hold the work. Buffers
// whose sizes cannot be equal merge in no run, and need no wait.
//
//===----------------------------------------------------------------------===//
#include "CudaText.h"
#include "Remedy.h"
#include "Sizes.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace echo::suggest {

std::vector<Proposal> AddWait::propose(const PairReport &Pair,
                                       const UnitReport &,
                                       const SourceIndex &Source) const {
  if (Pair.Because.size() < 2)
    return {};
  const Statement *Access = Source.statementAt(Pair.Because[0].Loc.own());
  const Statement *Work = Source.statementAt(Pair.Because[1].Loc.own());
  if (!Access || !Work || Access->Function != Work->Function ||
      differInSight(Pair, Source))
    return {};
  const Statement *Before = Access;
  for (const Statement *S = Access; S && !S->holds(*Work); S = S->Around)
    if (S->isLoop())
      Before = S;
  if (Before->holds(*Work) || isa<SwitchCase, LabelStmt>(Before->Node))
    return {};
  const std::string Line = waitLike(*Before, Source) + "\n";
  return {{"wait for the GPU before line " +
               std::to_string(Source.line(Before->Begin)),
           Outcome::Merges,
           {{Before->Begin, 0, Line + Source.indent(Before->Begin)}}}};
}

} // namespace echo::suggest
