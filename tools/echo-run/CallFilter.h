//===- CallFilter.h - Makes the system ask about calls ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The filter of CallWatch.h: which calls are asked about, by their number.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_CALLFILTER_H
#define ECHO_TOOLS_ECHO_RUN_CALLFILTER_H

#include <cstdint>

struct seccomp_data;

namespace echo {

/// What the system calls this processor's system calls.
extern const uint32_t NativeCalls;

/// True if call \p Number names a descriptor: the filter lets it through but
/// where that is a standard one.
bool isOfDescriptor(int Number);

/// True if \p Call has \p Fd as one of its descriptors.
bool namesDescriptor(const seccomp_data &Call, int Fd);

/// True if \p Number is one of these that names descriptors in memory: it is
/// asked about whichever they are.
bool isOfDescriptors(int Number);

/// From here on this thread, and what it starts, is asked about. The descriptor
/// that reports calls, or -1.
int setCallFilter();

} // namespace echo

#endif
