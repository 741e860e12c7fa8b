//===- Include.h - Folders of headers of a surveyed file -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a build nobody says where headers are: they are looked for in the
// file's folder, those above it up to the surveyed one, and the usual names of
// folders of headers below each.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_INCLUDE_H
#define ECHO_TOOLS_ECHOSURVEY_INCLUDE_H

#include "parse/Parse.h"

namespace echo::survey {

/// Adds "-I" for each such folder to \p Words.
void addFolders(const Source &From, std::vector<std::string> &Words);

} // namespace echo::survey

#endif
