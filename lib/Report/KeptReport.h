//===- KeptReport.h - Reports that objects carry ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that is compiled with a report keeps it in its object, too: a cache of
// compilers gives back the object and runs no compiler. The section is of no
// part of the program that is loaded. It decides nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_KEPTREPORT_H
#define ECHO_REPORT_KEPTREPORT_H

#include "Support/Verdict.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace echo {

/// The report of one unit, in the forms of the text and the JSON report.
struct KeptReport {
  std::string Source, Text;
  llvm::json::Object Unit;
};

/// Has \p M carry the report of \p Unit, in a section that linkers join and
/// that no program loads.
void keepReport(llvm::Module &M, const UnitReport &Unit);

/// The reports that the object, archive, library or program \p File carries, in
/// the order in which they lie there. Fails, with what to do, where there are
/// none, and where \p File is none of these.
llvm::Expected<std::vector<KeptReport>> keptReports(llvm::StringRef File);

/// Prints \p Reports as a text report of all their units.
void printKept(llvm::ArrayRef<KeptReport> Reports, llvm::raw_ostream &OS);
/// As updateReport() does, but as text only, and updateJsonReport().
llvm::Error updateReport(const std::string &Path, const KeptReport &Kept);
llvm::Error updateJsonReport(const std::string &Path, const KeptReport &Kept);

} // namespace echo

#endif
