//===- ReportText.h - Phrases that text report and remarks share *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small pieces of wording of reports: sizes, places, what went and what
// stayed. Text report, JSON and remarks use them so that they say the same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_REPORTTEXT_H
#define ECHO_REPORT_REPORTTEXT_H

#include "Support/Verdict.h"
#include <map>

namespace echo {

/// "4.00 MiB", "512 B". \p Short drops the decimals of whole numbers.
std::string sizeText(uint64_t Bytes, bool Short = false, int Decimals = 2);
/// What sizeText() wrote as \p Number and \p Unit; nothing of other words.
std::optional<double> readSizeText(llvm::StringRef Number,
                                   llvm::StringRef Unit);
/// Nanoseconds that timeText() wrote as \p Number and \p Unit; nothing of other
/// words.
std::optional<double> readTimeText(llvm::StringRef Number,
                                   llvm::StringRef Unit);
/// "20:3", preceded by the file unless it is \p InFile; "-" if unknown.
std::string placeText(const SourcePlace &Place, llvm::StringRef InFile);
/// "2 copies removed (20:3 H2D, 24:3 D2H), 1 wait kept at 24:3".
std::string removedText(const PairReport &Pair);
/// The names of \p Counts with their numbers, the largest first.
std::vector<std::pair<unsigned, std::string>>
mostFrequentFirst(const std::map<std::string, unsigned> &Counts);
/// What was decided about the pair, as a sentence: the text of remarks.
std::string pairMessage(const UnitReport &Unit, const PairReport &Pair);
/// The pair's own suggestion, else that of its reason, else nothing.
std::optional<std::string> suggestionOf(const PairReport &Pair);

} // namespace echo

#endif
