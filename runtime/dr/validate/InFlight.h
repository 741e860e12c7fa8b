//===- InFlight.h - Whether the GPU may still be at work --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the program's calls alone: what puts work into a stream, what orders
// streams, and what the program has waited for. It never says that the GPU
// rests while it may work on a buffer that counts. A kernel may use any buffer;
// a copy or a set uses what it names, so that a library which clears memory of
// its own in a stream of its own, and never waits for it, is in nobody's way.
// Callers hold the lock.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_INFLIGHT_H
#define ECHO_RUNTIME_DR_VALIDATE_INFLIGHT_H

#include "runtime/dr/Core.h"
#include "runtime/dr/validate/Clocks.h"

namespace echo::dr {

class InFlight {
public:
  /// \p E is about to run.
  void before(const Event &E);
  /// \p E returned \p Status. True if it waited for work.
  bool after(const Event &E, int Status);
  /// True if all work so far has ended.
  bool quiescent() const { return Work.quiescent(); }
  /// True if what the event \p Handle follows has ended.
  bool hasEnded(uint64_t Handle) const { return Work.hasEnded(Handle); }
  /// As Clocks::beside().
  int beside(uint64_t (&Handles)[Clocks::MaxStreams]) const {
    return Work.beside(Handles);
  }
  /// After before(), of a copy to or from the host: the number of the last work
  /// if all has ended with the copy; else 0.
  uint64_t followsAll() const;
  /// True if \p Number is not 0, and no work came after that of this number.
  bool isLast(uint64_t Number) const { return Number && Number == Work.last(); }

private:
  Clocks Work;
};

} // namespace echo::dr

#endif
