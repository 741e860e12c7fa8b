//===- Rivals.h - Pairs that have a buffer in common ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function's pairs were checked with, for the checks of accepted pairs
// that have a buffer in common (Rivals.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_RIVALS_H
#define ECHO_ANALYSIS_DECISION_RIVALS_H

#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Conditions/Instances.h"
#include "Analysis/Decision/Decide.h"

namespace echo {

struct FunctionDecision::Walks {
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  StreamKeys &Keys;
  const Instances &S4;
  const llvm::DenseSet<FlowEdge> &LoopExits;
};

} // namespace echo

#endif
