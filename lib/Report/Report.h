//===- Report.h - The facts of a unit, for people and programs --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a UnitReport as text (--report), JSON (--report-json) and LLVM
// optimization remarks. Several compilations may write to one file: entries of
// the unit just compiled replace its earlier ones, and a killed compiler never
// leaves a torn file. It decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_REPORT_H
#define ECHO_REPORT_REPORT_H

#include "Support/Verdict.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace echo {

/// The text form of one unit (report format, text form).
void printReport(const UnitReport &Unit, llvm::raw_ostream &OS);
/// The JSON object of one unit: { "source", "pairs", "copies_kept" }.
llvm::json::Object reportToJson(const UnitReport &Unit);
/// Replaces \p Unit's entries in the text report \p Path, under a lock, by an
/// atomic rename. Fails with path and reason; the old file then stays.
llvm::Error updateTextReport(const std::string &Path, const UnitReport &Unit);
/// Likewise for the JSON report.
llvm::Error updateJsonReport(const std::string &Path, const UnitReport &Unit);
/// Emits remarks of pass "echo": passed for unified and guarded pairs, missed
/// for declined and skipped ones, at the host allocation's place in \p M.
void emitRemarks(llvm::Module &M, const UnitReport &Unit);
/// Of these remarks.
inline constexpr char RemarkPass[] = "echo";

} // namespace echo

#endif
