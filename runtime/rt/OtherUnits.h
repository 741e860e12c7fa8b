//===- OtherUnits.h - What the other units of a link may do -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair may rely on that code which the compiler did not see leaves it alone
// (runtime/abi/Premises.def). echo-cc looks for functions that could break such
// a premise when it links, and adds an object for each premise that may not
// hold. What no link of echo-cc saw LoadedUnits.h looks at.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_OTHERUNITS_H
#define ECHO_RUNTIME_RT_OTHERUNITS_H

#include "runtime/abi/EchoRt.h"

namespace echo::rt {

/// Why a pair whose group has \p Flags must stay as written: the first premise
/// that it relies on and that may not hold. Else null. Asks CUDA
/// for the number of devices where another unit may select one.
const char *brokenPremise(uint32_t Flags);

/// Notes that a pair whose group has \p Flags merges.
void noteReliance(uint32_t Flags);

/// True if such a pair has merged that relies on that no work waits for the
/// host.
bool reliesOnHeld();

/// True if threads of another unit may exist: they may do at any time what a
/// function sees its own calls do, and give work to the GPU.
bool othersStartThreads();

/// True if another unit may make a process, or do what must come before CUDA
/// starts.
bool othersNeedLateCuda();

} // namespace echo::rt

#endif
