//===- Parse.h - Reads one file with Clang ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a source as host code, whatever is missing, and collects its facts.
// Nothing is generated, nothing is printed; bodies of functions that are not of
// the surveyed folder, and of device code, are skipped.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_PARSE_H
#define ECHO_TOOLS_ECHOSURVEY_PARSE_H

#include "facts/Facts.h"

#include <string>
#include <vector>

namespace echo::survey {

/// One file to read.
struct Source {
  std::string Path;               ///< absolute
  std::string Root;               ///< the surveyed folder, with "/" at its end
  std::string Project;            ///< what the file counts for
  std::string Folder;             ///< in which the command runs
  std::vector<std::string> Flags; ///< of a compilation database; may be empty
};

/// The facts of \p From; \p Clang is the path of Clang, whose headers are used.
FileFacts parse(const Source &From, const std::string &Clang);

} // namespace echo::survey

#endif
