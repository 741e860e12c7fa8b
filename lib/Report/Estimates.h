//===- Estimates.h - What the copies of a pair move and take ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds up, for --estimate, what one run of each copy of a pair moves, where
// that is a constant, and what it takes at measured rates. How often a copy
// runs is not known. It must never guess a size: a copy of a size that only
// run time knows, or that may be of another pair, has none.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_ESTIMATES_H
#define ECHO_REPORT_ESTIMATES_H

#include "Report/CopyRates.h"
#include "Support/Verdict.h"
#include "llvm/Support/JSON.h"

namespace echo {

/// What the line of an estimate in a text report begins with.
inline constexpr llvm::StringLiteral EstimateMark = "    estimate: ";

/// Gives each pair of \p Unit its estimate; times only with \p Rates.
void addEstimates(UnitReport &Unit, const std::optional<CopyRates> &Rates);

/// "16.00 MiB per run of each copy, in 1.234 ms", and "; 1 of 3 copies of
/// unknown size"; or "size not known at compile time".
std::string estimateText(const CopyEstimate &E);
/// The estimate that \p Text, of estimateText(), shows, with the digits that it
/// has; nothing if it is another text.
std::optional<CopyEstimate> estimateFromText(llvm::StringRef Text);

/// { "copies", "unknown", "bytes", "ns" }; null: not known.
llvm::json::Object estimateToJson(const CopyEstimate &E);
/// The "estimate" of \p Pair, an object of the JSON report, if it has one.
std::optional<CopyEstimate> estimateOf(const llvm::json::Object &Pair);

} // namespace echo

#endif
