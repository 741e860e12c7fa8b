//===- Assumptions.h - What a user's word for a pair is worth ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair that the user vouches for (--assume) merges although S1, S2 or a
// kernel out of sight declines it. Decides that, from what was declined: never
// where the rewrite or echort relies on the condition (S3, S4, shape, device,
// capture, control flow, waits that could not end), and never where the two
// events of a violation happen in sight.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_ASSUMPTIONS_H
#define ECHO_ANALYSIS_DECISION_ASSUMPTIONS_H

namespace echo {

struct PairContext;
struct PairDecision;
struct PairReport;
struct UnitContext;
struct Conflict;
struct Pair;

/// True if the user of \p Unit vouches for the pair of \p Report, which has its
/// places.
bool isListed(const PairReport &Report, const UnitContext &Unit);

/// \p D, which is listed, breaks a condition. Takes that back where the user's
/// word overrules it; says in the report of \p D what the word is worth.
void overrule(PairDecision &D, const PairContext &C);

/// \p D is accepted on the user's word: what was found of it, and the rewrite
/// would gain from, is not relied on.
void relyOnLess(PairDecision &D);

/// True if \p V, a violation of S1 or S2 by \p P, happens in sight: both events
/// always happen, one after the other, once for each other, with nothing
/// between that could make up for it, on bytes that overlap, and one of them
/// surely writes these.
bool isRefuted(const PairContext &C, const Pair &P, const Conflict &V);

} // namespace echo

#endif
