//===- MendFirst.h - Which declined pairs to mend first ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks the declined pairs of all units of a report: first those whose copies a
// run was measured to make, by the time of these, then the others by what one
// run of each of their copies takes, or, where rates are missing, moves. It
// reads what the report says of its units, the text or the JSON. Pairs without
// an estimate are no part of it, and it must never rank by a size that is not
// known: such pairs come last.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_MENDFIRST_H
#define ECHO_REPORT_MENDFIRST_H

#include "Support/Verdict.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace echo {

struct MendEntry {
  CopyEstimate Copies;
  std::optional<MeasuredCopies> Measured;
  /// Of a text report: "app.cu:40:14 h + app.cu:41:3 d", "S2 ID", what was
  /// measured or else the estimate.
  std::string Buffers, Reason, Text;
  /// Of a JSON report: the unit, the pair, and its number in the unit, from 0.
  const llvm::json::Object *Unit = nullptr, *Pair = nullptr;
  unsigned Number = 0;

  /// True if a run says what its copies take.
  bool isMeasured() const { return Measured && Measured->isMeasured(); }
};

/// By time where each size that is known has one. Nothing: no size is known.
enum class MendOrder { Nothing, Bytes, Time };

/// Declined pairs, the one to mend first first.
struct MendFirst {
  std::vector<MendEntry> Pairs;
  size_t Measured = 0; ///< how many of them are ranked by a measured run
  MendOrder By = MendOrder::Nothing; ///< the others are ranked by
};

/// \p Pairs in order: measured ones before others, then the most time or bytes
/// first, sizes that are not known at the end, equal ones as they were.
MendFirst rank(std::vector<MendEntry> Pairs);

/// The ranking of \p Units, as reportToJson() made them. It points into them.
MendFirst mendFirst(const llvm::json::Array &Units);
/// The ranking of \p Sections: what printReport() wrote, by unit.
MendFirst mendFirst(const std::map<std::string, std::string> &Sections);

/// What it ranks, and by what; without a mark at its end.
std::string headingOf(const MendFirst &First);
/// The lines at the end of a text report; "" where no pair is ranked.
std::string mendLines(const MendFirst &First);
/// True if \p Line is one of these.
bool isMendLine(llvm::StringRef Line);
/// { "by", "pairs": [ { "source", "pair", ... } ] }, see report-format.md.
llvm::json::Object mendToJson(const MendFirst &First);

} // namespace echo

#endif
