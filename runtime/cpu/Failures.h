//===- Failures.h - Calls that fail on demand ----------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ECHO_CPU_FAIL makes chosen calls fail, for tests of what programs and echort
// do then. Calls are counted from 1 in the order in which they are made.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_FAILURES_H
#define ECHO_RUNTIME_CPU_FAILURES_H

namespace echo::cpu {

/// Kinds of calls that are counted.
enum class Fails {
  Alloc,  ///< out of memory: device, pinned, managed or stream-ordered memory
  Copy,   ///< "invalid argument", and nothing is copied
  Launch, ///< "too many resources requested", and nothing is launched
  Wait,   ///< the wait ends with "unspecified launch failure", as if the last
          ///< kernel had trapped: the device fails for good
};

/// Applies "alloc:N,copy:N,...". Ends the program on what it does not
/// understand.
void planFailures(const char *Text);

extern bool AnyFailures;
bool failsSlow(Fails Kind);
/// Counts a call; true if it is one that shall fail.
inline bool fails(Fails Kind) { return AnyFailures && failsSlow(Kind); }

} // namespace echo::cpu

#endif
