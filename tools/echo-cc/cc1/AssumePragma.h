//===- AssumePragma.h - Pairs that the source vouches for -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ECHO_ASSUME_UNIFIED(h, d) of echo/assume.h is a pragma. Reads these of a
// unit, and finds the function around each. It changes nothing of what clang
// makes of the unit.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_ASSUMEPRAGMA_H
#define ECHO_TOOLS_ECHOCC_ASSUMEPRAGMA_H

#include "Pipeline/Pipeline.h"

namespace echo {

/// Takes the pragmas of the unit that this process compiles; \p Host, if not
/// null, gets them before its passes run.
void readAssumePragmas(HostOptions *Host);

} // namespace echo

#endif
