//===- Processes.h - Programs of many processes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launchers (mpirun, srun, torchrun) make of a program: processes that are
// no longer of its process group, and many of one kind, of which each runs
// echo-run where the user put it after the launcher.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_PROCESSES_H
#define ECHO_TOOLS_ECHO_RUN_PROCESSES_H

#include <cstdint>
#include <map>
#include <set>
#include <sys/types.h>

namespace echo {

/// True if this is one of several processes that a launcher started.
bool isOneOfMany();

/// What all of them would say, one says: the first one of all, and, where it
/// may be another thing on each host, the first one of the host.
bool speaksForAll();
bool speaksForHost();

/// A process, its process group, what it started, and what that started,
/// whatever group or session that is in. Launchers clean up when they are asked
/// to end; what does not end is killed.
class ProcessTree {
  pid_t Root;
  std::map<pid_t, uint64_t> Seen; ///< with the time at which it started
  std::set<pid_t> Others;         ///< children that this process had before
  bool Adopts = false;

  std::set<pid_t> find();

public:
  explicit ProcessTree(pid_t Root) : Root(Root) {}
  /// From here on this process adopts what the tree's processes leave.
  void adopt();
  /// Asks the process and its group to end.
  void ask();
  /// Kills what there is.
  void kill();
  /// The first process has ended, and was waited for. Kills the others where it
  /// was asked to end, or if they are all \p Unwanted.
  void finish(bool Unwanted);
};

} // namespace echo

#endif
