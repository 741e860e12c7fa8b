//===- Run.h - Reads all files of a survey ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses files in child processes and joins their facts by project.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_RUN_H
#define ECHO_TOOLS_ECHOSURVEY_RUN_H

#include "parse/Survey.h"
#include "parse/Workers.h"

namespace echo::survey {

/// Surveys \p Files with the headers of \p Clang. What fails is in the result.
SurveyResult runSurvey(const std::vector<Source> &Files,
                       const std::string &Clang, const WorkLimits &Limits,
                       const ProgressCall &Progress);

} // namespace echo::survey

#endif
