//===- PhaseTimes.h - nvcc's --time -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the time of each job that echo-cc runs, by the clock on the wall as
// nvcc does, and appends the table in nvcc's format to a file. How a job runs
// does not change; a job that did not run has no row.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_PHASETIMES_H
#define ECHO_TOOLS_ECHOCC_PHASETIMES_H

#include "clang/Driver/Compilation.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// A row of the table.
struct PhaseTime {
  std::string Source; ///< the file that the job's chain starts from
  std::string Phase, Inputs, Output;
  std::string Arch; ///< sm_80; "" for host code
  std::chrono::duration<double, std::milli> Time{};
};

/// The times of one command.
class PhaseTimes {
public:
  /// Takes times for \p File; "-": standard output. Makes the file where there
  /// is none; an error says why it cannot be written.
  llvm::Error open(llvm::StringRef File);
  bool isOpen() const { return !File.empty(); }

  /// Makes the jobs of \p C take their times when they run.
  void watch(clang::driver::Compilation &C);

  /// Runs \p Run, one job, as \p Row says but for the time.
  int measure(PhaseTime Row, llvm::function_ref<int()> Run);

  /// Appends the rows to the file. \p Output: of a command that succeeded; its
  /// last row is the rest of the time, which echo-cc itself took.
  llvm::Error write(std::optional<llvm::StringRef> Output) const;

private:
  void print(llvm::raw_ostream &OS,
             std::optional<llvm::StringRef> Output) const;

  using Clock = std::chrono::steady_clock;

  std::string File;
  Clock::time_point Start = Clock::now();
  std::vector<PhaseTime> Rows;
};

} // namespace echo

#endif
