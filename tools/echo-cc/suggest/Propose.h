//===- Propose.h - What a host job proposes for its pairs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the passes of a host job, Clang's AST and the unit's report are both
// there: the remedies see them and the job writes what they propose. The code
// that the job makes is the same as without.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_PROPOSE_H
#define ECHO_CC_SUGGEST_PROPOSE_H

#include "Pipeline/Pipeline.h"

namespace echo::suggest {

/// Makes the job of this process, whose passes \p Host describes, write its
/// UnitState to \p File. An error is one of the job.
void writeProposals(HostOptions &Host, const std::string &File);

} // namespace echo::suggest

#endif
