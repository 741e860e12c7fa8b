//===- Failures.h - Calls that fail on demand ----------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ECHO_CPU_FAIL makes chosen calls fail, for tests of what programs and echort
// do then. Calls of each kind are counted from 1 in the order in which they are
// made; or the first call after a mark fails, if it comes before the next one.
// A mark is a call of cudaRuntimeGetVersion: a program and its merged form make
// as many, where they make different calls in between.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_FAILURES_H
#define ECHO_RUNTIME_CPU_FAILURES_H

namespace echo::cpu {

/// Kinds of calls that can be made fail.
enum class Fails {
#define ECHO_CPU_FAILS(Kind, Name) Kind,
#include "runtime/cpu/Failures.def"
};

/// Applies "alloc:N,copy@N,...". Ends the program on what it does not
/// understand.
void planFailures(const char *Text);

extern bool AnyFailures;
bool failsSlow(Fails Kind);
/// Counts a call; true if it is one that shall fail.
inline bool fails(Fails Kind) { return AnyFailures && failsSlow(Kind); }
/// Counts a mark.
void passMark();

// Only after a kernel that the host knows nothing of yet can a wait fail.
void noteLaunch();
void kernelsWentWell();
/// Counts a wait that may fail; true if it shall.
bool waitFails();

} // namespace echo::cpu

#endif
