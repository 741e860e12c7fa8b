//===- Workers.h - Work in processes of its own ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each piece of work in a child process with a time limit, several at a
// time, so that a crash or an endless loop of one ends nothing else. What a
// child returns comes back as text.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_WORKERS_H
#define ECHO_TOOLS_ECHOSURVEY_WORKERS_H

#include <chrono>
#include <functional>
#include <string>

namespace echo::survey {

/// How a piece of work ended.
struct Outcome {
  std::string Text;   ///< what the child returned
  std::string Failed; ///< why it returned nothing: "killed by signal 11", ...
};

struct WorkLimits {
  unsigned Jobs = 1;
  std::chrono::seconds Time{20};
  uint64_t MemoryBytes = uint64_t(8) << 30; ///< of one child
};

/// Calls \p Work of each number below \p Count in a child, and \p Done in this
/// process as children end, in any order. This process must have no other
/// threads.
void runWork(size_t Count, const WorkLimits &Limits,
             const std::function<std::string(size_t)> &Work,
             const std::function<void(size_t, Outcome)> &Done);

} // namespace echo::survey

#endif
