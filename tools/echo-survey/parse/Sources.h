//===- Sources.h - Which files are surveyed --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the files of folders and compilation databases that hold CUDA host
// code, and the project of each, from names and a look at the text. Headers are
// no files of their own: they are read with what includes them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_SOURCES_H
#define ECHO_TOOLS_ECHOSURVEY_SOURCES_H

#include "parse/Parse.h"

namespace echo::survey {

/// The files of \p Path: a folder, a source, or a compilation database. A
/// project is named by the first \p Depth folders below it. Throws
/// std::runtime_error if it cannot be read.
std::vector<Source> findSources(const std::string &Path, unsigned Depth);

/// True if \p Text looks like host code of CUDA: it names a header of CUDA, or
/// allocates or copies with it.
bool looksLikeCudaHost(const std::string &Text);

/// True if \p Text calls an allocator of the host: buffers of a project with
/// CUDA code may come from there.
bool looksAllocating(const std::string &Text);

/// \p Words of a compile command without what Clang does not take or the survey
/// decides: keeps -I, -D, -U, -isystem, -include and -std.
std::vector<std::string> keptFlags(const std::vector<std::string> &Words);

} // namespace echo::survey

#endif
