//===- Loop.h - The iterations of a program ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the program's loop by the copy site that recurs and takes the most
// time; its calls are the loop's iterations. The first tenth of the iterations,
// at least one where there are more than two, is warm-up. An iteration need not
// be one iteration: times of runs of one program are compared by the same site.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_LOOP_H
#define ECHO_PROFILE_LOOP_H

#include "Profile/Buffers.h"
#include "Profile/Waits.h"

namespace echo::drtool {

struct Loop {
  uint64_t Site = 0; ///< 0: no copy recurs
  uint64_t Count = 0;
  uint64_t From = 0, Until = 0; ///< nanoseconds: the steady part
  uint64_t SteadyCount = 0;     ///< periods in it
  /// Nanoseconds of an iteration that the machine disturbs little: the quickest
  /// twentieth of the steady part takes less. 0: there are too few, or
  /// iterations of different kinds follow each other.
  double Undisturbed = 0;
  bool contains(uint64_t Ns) const { return Ns >= From && Ns < Until; }
  /// Nanoseconds from iteration to iteration in the steady part; 0: there is
  /// none.
  double period() const {
    return SteadyCount ? double(Until - From) / double(SteadyCount) : 0;
  }
};

/// The loop of a trace.
Loop findLoop(const Trace &T, const BufferHistory &H);

/// The loop that iterations at \p Site, for comparing runs.
Loop loopAt(const Trace &T, uint64_t Site);

/// What each copy takes by itself: its time, but for a copy that found work
/// in flight no more than its bytes take at the median rate of those that did
/// not.
std::vector<double> copyTimes(const Trace &T, const BufferHistory &H,
                              const std::vector<CopyOrder> &Orders);

} // namespace echo::drtool

#endif
