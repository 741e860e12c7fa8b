//===- ControlFlow.cpp - The control flow is understood -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops with two entries have no header, from which iterations are counted: a
// function that has one declines all of its pairs.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace echo {

void ControlFlow::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  ReversePostOrderTraversal<const Function *> Order(&C.F);
  if (!containsIrreducibleCFG<const BasicBlock *>(Order, C.LI) ||
      isOff(Check::ComplexControl))
    return;
  for (Candidate *D : Left)
    D->Refused = Refusal{Blocker::ComplexControl, C.Objects[D->P.Host].Alloc,
                         "the function has a loop with two entries"};
}

} // namespace echo
