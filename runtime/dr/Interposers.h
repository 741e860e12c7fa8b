//===- Interposers.h - What the interposers share ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a interposer is exported and entered, the few words that are read on a
// path so short that a call would cost too much, and the locks that a fork
// takes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_INTERPOSERS_H
#define ECHO_RUNTIME_DR_INTERPOSERS_H

#include <stddef.h>
#include <stdint.h>

/// A function that interposes one that the program calls.
#define INTERPOSED extern "C" __attribute__((visibility("default")))

/// return MUST_TAIL f(): a jump, so that f sees the interposer's caller.
#if defined(__has_cpp_attribute) && __has_cpp_attribute(clang::musttail)
#define MUST_TAIL [[clang::musttail]]
#else // GCC: -foptimize-sibling-calls, set for the files that use it
#define MUST_TAIL
#endif

namespace echo::dr {

/// Host allocations of fewer bytes are no events: the largest number until a
/// mode has begun.
extern uint64_t HostThreshold;

/// The system is about to read or write \p Bytes at \p Base for the code at \p
/// Caller, and faults on no closed page: an access of the host
/// (validate/Io.cpp).
void kernelUses(const void *Base, size_t Bytes, const void *Caller);
/// A call has failed because of an address: in mode validate it may be one of a
/// closed buffer, which lies in what the call was given.
void kernelMissed();

/// The object that was loaded last of all.
const void *lastObject();
/// What was loaded after \p Last, with \p Handle and past this library's
/// symbols, frees by this library from here on.
void bindFrees(const void *Last, void *Handle);

void lockThreads();
void unlockThreads();
void lockModules();
void unlockModules();

} // namespace echo::dr

#endif
