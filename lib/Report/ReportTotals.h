//===- ReportTotals.h - What the units of a report say together -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds up over all units of a report: pairs by verdict, reasons by number, and
// the copies that merged pairs do without. It reads what the report says of
// its units, the text or the JSON, and must never guess the size of a copy: of
// a part, of a size that only run time knows, and of a copy that may be of
// another pair it is unknown.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_REPORTTOTALS_H
#define ECHO_REPORT_REPORTTOTALS_H

#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <string>

namespace echo {

/// The copies that do not happen any more.
struct RemovedCopies {
  uint64_t Copies = 0;
  uint64_t Bytes = 0;   ///< that these move when each runs once
  uint64_t Unknown = 0; ///< copies whose size is not among Bytes
};

/// Those of \p Units, as reportToJson() made them.
RemovedCopies removedCopies(const llvm::json::Array &Units);

/// "copies removed: 4; 16.0 MiB per run of each, 1 of unknown size"; "" of
/// none.
std::string removedTotal(const RemovedCopies &Removed);

/// The lines at the end of a text report: of its pairs, where it has several
/// units, of the copies that were removed, and with --estimate what to mend
/// first. \p Sections hold what printReport() wrote, by unit.
std::string totalLines(const std::map<std::string, std::string> &Sections);

/// True if \p Line is one of these.
bool isTotalLine(llvm::StringRef Line);

} // namespace echo

#endif
