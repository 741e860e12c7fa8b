//===- Context.h - Whether a plan is for this process -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a plan's context in each process that the library is loaded into. What
// can be known without CUDA is checked at the start; device and versions at
// the first copy, by which time the program itself has started CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_OPTIMIZE_CONTEXT_H
#define ECHO_RUNTIME_DR_OPTIMIZE_CONTEXT_H

#include "runtime/dr/Core.h"
#include "runtime/dr/PlanFile.h"

namespace echo::dr {

/// The plan that ECHO_DR_PLAN names, if it holds for this process. Otherwise
/// null: with a line where that is worth one, silently in other programs that
/// the planned one starts.
const PlanFile *planOfThisProcess();

/// Whether the device and CUDA's versions are those of the plan. Asked once.
bool contextHolds(const DeviceOps &Ops);

/// Whether the current device can do what \p C says at all times, and the
/// context holds.
bool deviceFits(const DeviceOps &Ops, drplan::Choice C);

/// Whether this process began with what a process had that was validated
/// (OwnProcess.h). A line says what it had not, once: a program that is started
/// by the same name, but copies nothing, is worth none.
bool processHolds();

/// Whether every module that is loaded is one that validation saw. A line says
/// which one was not, once.
bool modulesHold();

/// Whether host buffers may be pinned: asked once, of the first device.
bool mayPin(const DeviceOps &Ops);

/// Why a buffer dropped out, for people.
const char *reasonText(Reason Why);

} // namespace echo::dr

#endif
