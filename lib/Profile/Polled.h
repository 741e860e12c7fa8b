//===- Polled.h - Names that a program asks of again and again --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What others do to a name while the program runs, no key knows: where it asks
// of one again and again while it uses the GPU, it may take another way at any
// time. From the names that traces say are polled, this decides which count.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_POLLED_H
#define ECHO_PROFILE_POLLED_H

#include "Profile/Plan.h"
#include "Profile/Trace.h"

#include <vector>

namespace echo::drtool {

/// True if one of \p Traces is of Python, which looks at thousands of files of
/// packages, and keeps what it compiled.
bool isOfPython(const std::vector<Trace> &Traces);

/// Says in \p C.Unseen which name is polled, if one is and nothing else closes
/// the plan already.
void takePolled(PlanContext &C, const std::vector<Trace> &Traces);

} // namespace echo::drtool

#endif
