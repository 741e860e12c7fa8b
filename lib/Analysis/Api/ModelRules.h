//===- ModelRules.h - What must hold between a model's parts ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from a described function whether its parts can be true together: a
// size is a number argument, GPU work has a stream, memory does not deny what
// the arguments say. It never mends a description.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_MODELRULES_H
#define ECHO_ANALYSIS_API_MODELRULES_H

#include "Analysis/Api/Models.h"
#include <string>

namespace echo {

/// Which parts of \p Model cannot be true together, in the words of
/// docs/guide/models.md; empty if all can.
std::string contradictionIn(const FunctionModel &Model);

} // namespace echo

#endif
