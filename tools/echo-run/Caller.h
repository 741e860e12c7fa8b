//===- Caller.h - Who made a watched call, and its memory -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the system says of a task whose system call waits to be judged, and what
// is in its memory. Nothing of the task is changed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_CALLER_H
#define ECHO_TOOLS_ECHO_RUN_CALLER_H

#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/types.h>

struct seccomp_notif;

namespace echo {

/// "/proc/TASK/NAME".
std::string ofTask(unsigned Task, const std::string &Name);

/// The process that \p Task is a thread of; 0: it has gone.
pid_t processOf(unsigned Task);

/// Whether the call was made by the C library in a process that has
/// libecho-dr.so, which has seen it then.
bool cameByLibrary(const seccomp_notif &Call);

/// The text at \p Address of the task. False: it cannot be read.
bool readText(unsigned Task, uint64_t Address, std::string &Text);

/// The \p Bytes at \p Address of the task, into \p Out. False: they cannot be
/// read.
bool readBytes(unsigned Task, uint64_t Address, void *Out, size_t Bytes);

} // namespace echo

#endif
