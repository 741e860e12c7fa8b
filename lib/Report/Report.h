//===- Report.h - The facts of a unit, for people and programs --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a UnitReport as text, page or SARIF (--report), JSON (--report-json)
// and LLVM optimization remarks. Several compilations may write to one file:
// entries of the unit just compiled replace its earlier ones, and a killed
// compiler never leaves a torn file. It decides nothing.
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
/// A SARIF 2.1.0 result for each pair of the unit. \p Folder: what relative
/// names of files are relative to; "": the folder of the report.
llvm::json::Array sarifResults(const UnitReport &Unit, llvm::StringRef Folder);
/// The SARIF log with \p Results, the folders that they name as
/// "properties.folder", and all reasons as its rules.
llvm::json::Object sarifLog(llvm::json::Array Results);
/// The JSON report \p Root as a page, which has \p Root in it; lines of sources
/// are those under "lines" of its units.
std::string htmlPage(const llvm::json::Object &Root);
/// The JSON report in a page.
llvm::Expected<llvm::StringRef> dataOfPage(llvm::StringRef Page);
/// Lines of the source before and after one that a page shows.
inline constexpr unsigned ExcerptLines = 2;
/// Lines of the source around what the report speaks of: file, number, text.
llvm::json::Object excerptsOf(const UnitReport &Unit);
/// Replaces \p Unit's entries in the report \p Path, under a lock, by an
/// atomic rename: SARIF if that ends with ".sarif", a page if with ".html",
/// else text. Fails with path and reason; the old file then stays. A stream
/// gets the totals of \p Unit, too, or, where a command has several units,
/// \p Totals gets the unit: a report of that command alone.
llvm::Error updateReport(const std::string &Path, const UnitReport &Unit,
                         const std::string &Totals = "");
/// Writes to the stream \p Path what updateReport() noted in \p Totals: of all
/// units of a command together.
llvm::Error writeTotals(const std::string &Path, const std::string &Totals);
/// Likewise for the JSON report.
llvm::Error updateJsonReport(const std::string &Path, const UnitReport &Unit);
/// Emits remarks of pass "echo": passed for unified and guarded pairs, missed
/// for declined and skipped ones, at the host allocation's place in \p M.
void emitRemarks(llvm::Module &M, const UnitReport &Unit);
/// Of these remarks.
inline constexpr char RemarkPass[] = "echo";

} // namespace echo

#endif
