//===- StrideLoop.cpp - Grid-stride loops ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop must be rotated (guard before it, test at its end), leave only by
// its test, carry nothing but its index, and be all that the kernel does to
// memory. Every thread still runs its own iterations in order, so only the
// order between threads changes, which CUDA does not define.
//
//===----------------------------------------------------------------------===//
#include "StrideLoop.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// The parts of the loop in the original body.
struct Parts {
  PHINode *Index;
  Value *Start, *Step, *Limit;
  ICmpInst *Guard; ///< before the loop
  BranchInst *Latch;
  bool IsSigned;
};

/// An expression of arguments and constants only.
bool isPure(const Value *V, unsigned Depth = 0) {
  if (isa<Argument>(V) || isa<ConstantInt>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth < 8 && (isa<BinaryOperator>(I) || isa<CastInst>(I)) &&
         !I->isIntDivRem() &&
         all_of(
             I->operands(),
             [&](const Use &U) { return isPure(U.get(), Depth + 1); });
}

/// The same number, perhaps before it was widened.
bool isSame(const Value *Narrow, const Value *V, bool IsSigned) {
  if (Narrow == V)
    return true;
  if (auto *C = dyn_cast<ConstantInt>(Narrow))
    if (auto *D = dyn_cast<ConstantInt>(V))
      return IsSigned && C->getValue().sext(D->getBitWidth()) == D->getValue();
  auto *Cast = dyn_cast<CastInst>(V);
  if (!Cast || Cast->getOperand(0) != Narrow)
    return false;
  return IsSigned ? isa<SExtInst>(Cast) : isa<ZExtInst>(Cast);
}

bool touchesNothing(const Instruction &I) {
  return isa<DbgInfoIntrinsic>(I) || I.isTerminator() ||
         (!I.mayReadOrWriteMemory() && !I.mayHaveSideEffects() &&
          !isa<AllocaInst>(I));
}

/// Finds the branch that leaves out the loop of \p P, which \p Test goes on and
/// \p Before leads into. False if there is none, or something happens after the
/// loop.
bool findGuard(Parts &P, const ICmpInst &Test, BasicBlock *Before) {
  // What happens after the loop is nothing, with or without it.
  BasicBlock *Exit = P.Latch->getSuccessor(1);
  if (!isa<ReturnInst>(Exit->getFirstNonPHIOrDbg()))
    return false;
  for (BasicBlock *B = Before; B; B = B->getSinglePredecessor()) {
    auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    if (!Branch)
      return false;
    if (Branch->isUnconditional())
      continue;
    auto *Guard = dyn_cast<ICmpInst>(Branch->getCondition());
    if (!Guard || Branch->getSuccessor(1) != Exit ||
        Guard->getPredicate() != Test.getPredicate() || !Guard->hasOneUse() ||
        !isSame(Guard->getOperand(0), P.Start, P.IsSigned) ||
        !isSame(Guard->getOperand(1), P.Limit, P.IsSigned))
      return false;
    P.Guard = Guard;
    return true;
  }
  return false;
}

std::optional<Parts> find(Function &Body) {
  DominatorTree DT(Body);
  LoopInfo LI(DT);
  if (std::distance(LI.begin(), LI.end()) != 1)
    return std::nullopt;
  const Loop &L = **LI.begin();
  BasicBlock *Header = L.getHeader(), *LatchBlock = L.getLoopLatch();
  BasicBlock *Before = L.getLoopPredecessor();
  if (!LatchBlock || !Before || L.getExitingBlock() != LatchBlock)
    return std::nullopt;
  for (Instruction &I : instructions(Body))
    if (!L.contains(&I) && !touchesNothing(I))
      return std::nullopt;
    else if (isa<AllocaInst>(I))
      return std::nullopt;

  Parts P;
  auto Phis = Header->phis();
  if (Phis.empty() || std::next(Phis.begin()) != Phis.end())
    return std::nullopt;
  P.Index = &*Phis.begin();
  P.Start = P.Index->getIncomingValueForBlock(Before);
  auto *Next =
      dyn_cast<BinaryOperator>(P.Index->getIncomingValueForBlock(LatchBlock));
  P.Latch = dyn_cast<BranchInst>(LatchBlock->getTerminator());
  if (!Next || Next->getOpcode() != Instruction::Add || !P.Latch ||
      !P.Latch->isConditional() || P.Latch->getSuccessor(0) != Header)
    return std::nullopt;
  if (Next->getOperand(0) != P.Index && Next->getOperand(1) != P.Index)
    return std::nullopt;
  P.Step = Next->getOperand(Next->getOperand(0) == P.Index ? 1 : 0);
  auto *Test = dyn_cast<ICmpInst>(P.Latch->getCondition());
  if (!Test || Test->getOperand(0) != Next)
    return std::nullopt;
  P.Limit = Test->getOperand(1);
  P.IsSigned = Test->isSigned();
  if (Test->getPredicate() != CmpInst::ICMP_SLT &&
      Test->getPredicate() != CmpInst::ICMP_ULT)
    return std::nullopt;
  if (!isPure(P.Start) || !isPure(P.Step) || !isPure(P.Limit))
    return std::nullopt;

  return findGuard(P, *Test, Before) ? std::optional(P) : std::nullopt;
}

/// Clones a pure expression to before \p At.
Value *rematerialize(Value *V, Instruction *At) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(rematerialize(U.get(), At));
  New->insertBefore(At->getIterator());
  return New;
}

} // namespace

std::optional<StrideLoop> matchStrideLoop(Function &Body) {
  auto P = find(Body);
  if (!P)
    return std::nullopt;
  Type *T = P->Index->getType();
  SmallVector<Type *> Types = {T};
  append_range(Types, Body.getFunctionType()->params());
  Function *Round =
      Function::Create(FunctionType::get(Body.getReturnType(), Types, false),
                       GlobalValue::InternalLinkage,
                       Body.getName() + ".iteration", Body.getParent());
  ValueToValueMapTy Map;
  for (Argument &A : Body.args())
    Map[&A] = Round->getArg(A.getArgNo() + 1);
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(Round, &Body, Map,
                    CloneFunctionChangeType::LocalChangesOnly, Returns);
  StrideLoop Result;
  Result.Round = Round;
  Result.IsSigned = P->IsSigned;

  auto *Guard = cast<ICmpInst>(Map[P->Guard]);
  auto Mapped = [&](Value *V) -> Value * {
    if (isa<Constant>(V))
      return V;
    return Map[V];
  };
  Result.Start = rematerialize(Mapped(P->Start), Guard);
  Result.Step = rematerialize(Mapped(P->Step), Guard);
  Result.Limit = rematerialize(Mapped(P->Limit), Guard);
  IRBuilder<> B(Guard);
  Value *Index = B.CreateAdd(Result.Start, Round->getArg(0));
  Guard->replaceAllUsesWith(
      B.CreateICmp(Guard->getPredicate(), Index, Result.Limit));
  auto *Phi = cast<PHINode>(Map[P->Index]);
  auto *Latch = cast<BranchInst>(Map[P->Latch]);
  BasicBlock *LatchBlock = Latch->getParent();
  BasicBlock *Exit = Latch->getSuccessor(1);
  Phi->replaceAllUsesWith(Index);
  Phi->eraseFromParent();
  Latch->eraseFromParent();
  BranchInst::Create(Exit, LatchBlock);
  return Result;
}

} // namespace echo::cpudevice
