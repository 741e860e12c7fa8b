//===- PlanMark.h - What a run finds out is kept in the plan ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes into a plan's file that a pair must stay as it is. Called by the
// SIGSEGV handler: system calls alone, no malloc, no lock of this process. The
// file is replaced as a whole; processes that mark it at a time take turns.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_PLANMARK_H
#define ECHO_RUNTIME_DR_OPTIMIZE_PLANMARK_H

#include "runtime/dr/PlanFile.h"

namespace echo::dr {

/// Finds the plan's file, from ECHO_DR_PLAN, before the program can change its
/// folder. False if it cannot be found.
bool rememberPlanFile();
/// The file that was found; an empty text if none was.
const char *rememberedPlanFile();

/// Makes \p Why the reason for which \p Pair stays as it is in the plan's file
/// at \p Path. Null, also if the file gives such a reason already; else what
/// went wrong, and the file is as it was.
const char *disableInPlan(const char *Path, const PlanPair &Pair,
                          const char *Why);

} // namespace echo::dr

#endif
