//===- StreamTable.h - Making and dropping streams ------------ -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates and destroys stream objects. What a stream orders is in Streams.h.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_STREAMTABLE_H
#define ECHO_RUNTIME_CPU_STREAMTABLE_H

#include "runtime/cpu/Streams.h"

namespace echo::cpu {

Stream *createStream(unsigned Flags, int Priority);
/// The handle is dead at once; queued work still runs.
void destroyStream(Stream *S);

} // namespace echo::cpu

#endif
