//===- Leftovers.h - Temporary files of echo-run ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder for the files of one echo-run, gone with it; what one that was
// killed left is removed by the next. A folder is held by a lock, which ends
// with the process: one whose lock can be taken is nobody's. Only folders of
// this user and this machine are touched, and none that is younger than a
// minute, since its lock may not be taken yet.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_LEFTOVERS_H
#define ECHO_TOOLS_ECHO_RUN_LEFTOVERS_H

#include <string>

namespace echo {

/// A folder for temporary files.
class TemporaryFolder {
  std::string Path;
  int Lock = -1;

public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  /// False: no folder could be made.
  bool isThere() const { return !Path.empty(); }
  std::string at(const std::string &Name) const { return Path + "/" + Name; }
};

/// An open file without a name, above the standard ones; -1 if there is no room
/// for one.
int namelessFile();

} // namespace echo

#endif
