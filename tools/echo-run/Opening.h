//===- Opening.h - What a call of open names --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The path that a task gives to open(2) or a relative of it, and whether that
// leads to standard input or to the memory of a process. The file is looked at,
// never opened to read or to write.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_OPENING_H
#define ECHO_TOOLS_ECHO_RUN_OPENING_H

#include <cstdint>
#include <string>

#include <fcntl.h>

struct seccomp_notif;

namespace echo {

struct OpenedFile {
  bool IsInput = false;     ///< may be what the task has as standard input
  bool IsMemory = false;    ///< the memory of a process, or the system's
  bool IsOwnMemory = false; ///< that of the task's own process
};

/// What a call of open or its relatives asks for.
struct Opening {
  unsigned Task = 0;
  int Folder = AT_FDCWD;
  std::string Path;   ///< as it was given
  uint64_t Flags = 0; ///< of open(2)

  /// What \p Call asks for; false: that cannot be read.
  bool read(const seccomp_notif &Call);
  /// Where the path begins, by a name that leads there for echo-run, too.
  std::string folder() const;
  /// The path with the folder where it begins.
  std::string whole() const;
  /// What is there now.
  OpenedFile file() const;
};

} // namespace echo

#endif
