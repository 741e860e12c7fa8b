//===- FileInputs.h - What a file is known by in a plan's key ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file, folder or input of a program as it is now: its contents, or what
// the program asked of it. Reading it changes nothing that a later look sees.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_FILEINPUTS_H
#define ECHO_PROFILE_FILEINPUTS_H

#include "Profile/Plan.h"

namespace echo::drtool {

/// The file that keeps hashes of files, beside the plans; empty: no place.
std::string hashFile();

/// The file or folder \p Path as it is now. A folder's listing lacks the names
/// of \p Written.
PlanInput inputOf(const std::string &Path, const std::string &What,
                  const std::vector<std::string> &Written = {});

/// What comes on standard input, of which nothing is read: "none" if it surely
/// is at its end, "pipe" if something comes, "later" if it may (of a terminal,
/// or a pipe that is open), or the hash of a file's contents.
std::string inputNow();
/// The same of the file that is open as \p File.
std::string inputOfFile(int File);

} // namespace echo::drtool

#endif
