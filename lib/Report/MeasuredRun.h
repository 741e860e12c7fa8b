//===- MeasuredRun.h - What the copies of a profiled run took ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what `echo-run report --json` wrote of a profiled run: each call site
// of a copy, the source lines that lead to it, and what its copies took. It
// must never take a file for a run that is none, or that another version wrote.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_REPORT_MEASUREDRUN_H
#define ECHO_REPORT_MEASUREDRUN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace echo {

/// A line that was on the way to a copy.
struct RunPlace {
  std::string File; ///< as the program's debug information names it
  unsigned Line = 0;
  std::string Function; ///< "" if it is not known
};

/// The copies of one call site between the buffers of one pair of the run.
struct RunCopy {
  std::vector<RunPlace> Places; ///< the innermost first
  unsigned Pair = 0;            ///< of the run, from 0
  int64_t BuiltNs = 0; ///< when its program was written, since 1970; 0: unknown
  bool HostToDevice = false;
  uint64_t Least = 0, Most = 0; ///< bytes of a copy
  /// Of an iteration of the run's loop.
  double Copies = 0, Bytes = 0, Ns = 0;
  double Fraction = 0; ///< of the loop's time, 0 to 1
};

struct MeasuredRun {
  std::vector<RunCopy> Copies;
};

/// The run in \p Text, the contents of \p File. Fails if that is no report of
/// this version, has no pair, or no source line of any copy; the error names
/// \p File, what is wrong, and how to make it.
llvm::Expected<MeasuredRun> parseMeasuredRun(llvm::StringRef Text,
                                             llvm::StringRef File);

/// The run in \p File; fails, too, if it cannot be read.
llvm::Expected<MeasuredRun> readMeasuredRun(llvm::StringRef File);

/// True if \p Text looks like a report of echo-run, whole or not.
bool looksLikeRun(llvm::StringRef Text);

} // namespace echo

#endif
