//===- Lateness.h - A slower GPU, and slower threads ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes others than the thread that launches late now and then, whatever they
// do: the GPU, by a pause before a kernel in its stream, and threads but the
// one that launched last, by a signal while they run. A program that looks at
// what either has done, by a load alone, then takes the way that it takes on a
// slower one. The order that the program asks for stays as it is.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_LATENESS_H
#define ECHO_RUNTIME_DR_VALIDATE_LATENESS_H

#include "runtime/dr/Core.h"

namespace echo::dr {

/// The program is about to launch \p E, and no lock of Echo's is held: a pause
/// may be put before it. None where the stream captures a graph.
void delayWork(const Event &E);

/// For the thread of Echo's that has its own rhythm (Sampler.cpp): threads of
/// the program that run during its next round come late. At most one thread
/// calls it.
void delayThreads();

} // namespace echo::dr

#endif
