//===- RunMatch.h - Which copies of a report a measured run has -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, for --estimate-run, the copies of each pair in a measured run, by the
// source line of the copy and those of the calls that lead to it from the
// pair's own function. It must never guess: where a line is not one copy of one
// pair alone, in the report and in the run, the copy is not measured. So no
// copy's time is counted for two pairs.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_RUNMATCH_H
#define ECHO_REPORT_RUNMATCH_H

#include "Report/MeasuredRun.h"
#include "Support/Verdict.h"

namespace echo {

/// What is known of the source besides the report.
struct RunSources {
  /// The files of the unit, or of those that are linked, which none includes.
  std::vector<std::string> Files;
  /// Lines that copy at several places, of a pair or not.
  std::vector<SourcePlace> SharedLines;
};

/// Gives each pair of \p Unit what \p Run measured of its copies.
void addMeasured(UnitReport &Unit, const MeasuredRun &Run,
                 const RunSources &Sources);

} // namespace echo

#endif
