//===- CallStatus.cpp - What a branch tells of a call ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the condition alone: comparisons of calls' results with 0.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallStatus.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

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

/// Adds the calls of whose results \p Sum, 0, is the bitwise or.
static void addCallsIn(const Value &Sum,
                       SmallVectorImpl<const CallBase *> &Calls) {
  const Value *A = nullptr, *B = nullptr;
  if (match(&Sum, m_Or(m_Value(A), m_Value(B)))) {
    addCallsIn(*A, Calls);
    addCallsIn(*B, Calls);
  } else if (const auto *Call = dyn_cast<CallBase>(&Sum)) {
    Calls.push_back(Call);
  }
}

void addSucceededCalls(const Value &Condition, bool Holds,
                       SmallVectorImpl<const CallBase *> &Calls) {
  const Value *A = nullptr, *B = nullptr;
  if (Holds ? match(&Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(&Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    addSucceededCalls(*A, Holds, Calls);
    addSucceededCalls(*B, Holds, Calls);
  } else if (match(&Condition,
                   m_SpecificICmp(Holds ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE,
                                  m_Value(A), m_Zero()))) {
    addCallsIn(*A, Calls);
  }
}

bool isNullOn(const BasicBlock *From, const BasicBlock *To,
              const Value *Pointer, bool Null) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return false;
  const auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
  return Cmp && Cmp->isEquality() && Cmp->getOperand(0) == Pointer &&
         isa<ConstantPointerNull>(Cmp->getOperand(1)) &&
         ((Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
          (Branch->getSuccessor(0) == To)) == Null;
}

} // namespace echo
