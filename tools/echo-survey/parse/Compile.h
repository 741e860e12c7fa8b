//===- Compile.h - What echo-cc says of surveyed files ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second pass of a survey: compiles the files that hold pairs with the
// echo-cc beside echo-survey, and counts the pairs of its report. A file that
// does not compile keeps what the first pass found.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_COMPILE_H
#define ECHO_TOOLS_ECHOSURVEY_COMPILE_H

#include "parse/Survey.h"
#include "parse/Workers.h"

namespace echo::survey {

/// Adds compilations of those of \p Files that hold copies of pairs to
/// \p Result. \p Self is the path of echo-survey. Throws std::runtime_error if
/// echo-cc is not beside it.
void compileFiles(SurveyResult &Result, const std::vector<Source> &Files,
                  const std::string &Self, const WorkLimits &Limits,
                  const ProgressCall &Progress);

/// Puts the pairs of \p Report, which `--report-json` wrote, into \p Into.
/// False if it is no such report.
bool readReport(const std::string &Report, Compiled &Into);

} // namespace echo::survey

#endif
