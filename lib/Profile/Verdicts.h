//===- Verdicts.h - What validation saw of each pair ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads verdicts out of the traces of a run in mode validate. A pair passes
// only if windows of GPU work were watched in full and nothing spoke against it
// in any process; a trace that may lack records lets no pair pass.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_VERDICTS_H
#define ECHO_PROFILE_VERDICTS_H

#include "Profile/Plan.h"
#include "Profile/Trace.h"

namespace echo::drtool {

/// Fewer rounds than this say nothing of a loop.
constexpr uint64_t LeastRounds = 2;

/// Writes into \p P what \p Traces say of each pair that could be one buffer:
/// Validated, or Rejected with the reason.
void takeVerdicts(Plan &P, const std::vector<Trace> &Traces);

/// Leaves in \p P the processes that began in \p Traces, those of validation,
/// as they did when they were profiled. Where none did, no pair may merge.
void keepValidatedProcesses(Plan &P, const std::vector<Trace> &Traces);

/// Rejects each pair that could be one buffer for \p Why.
void rejectMerging(Plan &P, const std::string &Why);
/// Rejects for \p Why each pair that validation passed.
void rejectValidated(Plan &P, const std::string &Why);

/// The part of \p P that validation watches: pairs that could be one buffer.
Plan planToValidate(const Plan &P);

} // namespace echo::drtool

#endif
