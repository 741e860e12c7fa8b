//===- MeasuredCopies.h - What a report says of a measured run --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of what the copies of a pair took in a measured run: text, and back
// for the ranking, and JSON. It decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_MEASUREDCOPIES_H
#define ECHO_REPORT_MEASUREDCOPIES_H

#include "Support/Verdict.h"
#include "llvm/Support/JSON.h"

namespace echo {

/// What the line of a measured run in a text report begins with.
inline constexpr llvm::StringLiteral MeasuredMark = "    measured: ";

/// "2 copies an iteration: 8.00 MiB in 0.225 ms; without them the loop is at
/// most 1.25 times as fast", with "; 1 of 2 copies not measured (WHY: 16:5)",
/// or "not measured (WHY: 12:5, 16:5)". Places have their file, but if it is \p
/// InFile.
std::string measuredText(const MeasuredCopies &M, llvm::StringRef InFile);

/// Of \p Text, which measuredText() wrote: bytes and nanoseconds of an
/// iteration, with the digits that it has. Nothing if it is another text.
std::optional<MeasuredCopies> measuredFromText(llvm::StringRef Text);

/// The keys of docs/guide/report-format.md.
llvm::json::Object measuredToJson(const MeasuredCopies &M);
/// The "measured" of \p Pair, an object of the JSON report, if it has one.
std::optional<MeasuredCopies> measuredOf(const llvm::json::Object &Pair);

} // namespace echo

#endif
