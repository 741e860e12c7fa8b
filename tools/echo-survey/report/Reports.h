//===- Reports.h - A survey as text, JSON, CSV and HTML --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writers of a survey's result. They show what is there and decide nothing.
// docs/guide/survey.md describes the forms.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_REPORTS_H
#define ECHO_TOOLS_ECHOSURVEY_REPORTS_H

#include "parse/Survey.h"

namespace echo::survey {

/// For people.
std::string textReport(const SurveyResult &Result);
/// The part of --compile.
std::string compiledText(const SurveyResult &Result);
/// For programs: all pairs and counts.
std::string jsonReport(const SurveyResult &Result);
/// One line per pair.
std::string csvReport(const SurveyResult &Result);
/// One page that needs nothing else.
std::string htmlReport(const SurveyResult &Result);

} // namespace echo::survey

#endif
