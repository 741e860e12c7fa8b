//===- Survey.h - A whole survey -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a survey found: projects, files that could not be read and why, and,
// with --compile, what echo-cc said of the files with pairs. All reports are
// made of it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_SURVEY_H
#define ECHO_TOOLS_ECHOSURVEY_SURVEY_H

#include "parse/Parse.h"
#include "parse/Project.h"

#include <functional>

namespace echo::survey {

/// What echo-cc said of one file.
struct Compiled {
  std::string File, Project;
  bool Compiles = false;
  std::string Failed;    ///< its first error, or how it ended
  unsigned Surveyed = 0; ///< pairs of the survey with a copy in the file
  unsigned Analyzed = 0, Merged = 0, Guarded = 0, Declined = 0, Skipped = 0;
  std::map<std::string, unsigned> Reasons; ///< of declined pairs, by identifier
};

struct SurveyResult {
  std::vector<std::string> Paths;
  std::vector<Project> Projects; ///< by name
  unsigned Files = 0;
  std::vector<std::pair<std::string, std::string>> Failed; ///< file and why
  double Seconds = 0;
  bool WithCompiler = false;
  std::vector<Compiled> Compilations;
};

/// Called with the number of files that are done, of all, and what they are.
using ProgressCall = std::function<void(size_t, size_t, const char *)>;

/// Numbers over all projects.
struct Totals {
  Counts Idioms;
  unsigned Projects = 0, WithCuda = 0, Explicit = 0, Candidate = 0;
  unsigned CopyOnly = 0, Mixed = 0, SharedOnly = 0;
  unsigned Pairs[4] = {};    ///< by PairClass
  unsigned Coverage[3] = {}; ///< of candidates
  unsigned H2D = 0, D2H = 0, Both = 0, Async = 0, InLoop = 0, PassedIn = 0;
  unsigned Copies = 0, LinkedCopies = 0;
  Counts HostMemory, DeviceMemory;                ///< of candidates
  std::map<std::string, unsigned> MissingHeaders; ///< projects that lack it
};
Totals totalsOf(const SurveyResult &Result);

} // namespace echo::survey

#endif
