//===- CallStatus.cpp - What a branch tells of a call ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the branch alone: a comparison of a call's result with 0.
//
//===----------------------------------------------------------------------===//
#include "Analysis/CallStatus.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

/// The call whose result is 0 (\p IsZero) or not on the edge, or null.
static const CallBase *callOnEdge(const BasicBlock *From, const BasicBlock *To,
                                  bool IsZero) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  const auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
  const auto *Zero = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
  if (!Zero || !Zero->isZero() || !Cmp->isEquality())
    return nullptr;
  bool Equal = (Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
               (Branch->getSuccessor(0) == To);
  return Equal == IsZero ? dyn_cast<CallBase>(Cmp->getOperand(0)) : nullptr;
}

const CallBase *callThatSucceeded(const BasicBlock *From,
                                  const BasicBlock *To) {
  return callOnEdge(From, To, /*IsZero=*/true);
}

const CallBase *callThatFailed(const BasicBlock *From, const BasicBlock *To) {
  return callOnEdge(From, To, /*IsZero=*/false);
}

} // namespace echo
