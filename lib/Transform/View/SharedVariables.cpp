//===- SharedVariables.cpp - Variables of parallel regions ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy is the variable, as long as nobody writes the variable while the
// region runs: the region does not, and nobody else knows where it is.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/SharedVariables.h"
#include "Analysis/Api/PointerUses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

/// True if \p Slot is a variable of one value, and regions that only read it
/// are all that could know its address while they run.
static bool isOnlyRead(const AllocaInst &Slot, PointerUses &Uses,
                       const ModelTable &Models) {
  if (Slot.isArrayAllocation() ||
      !Slot.getAllocatedType()->isSingleValueType() ||
      Slot.getAllocatedType()->isVectorTy() || isSharedCell(&Slot))
    return false;
  for (const Use &U : Slot.uses()) {
    const auto *Store = dyn_cast<StoreInst>(U.getUser());
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    if (isa<LoadInst>(U.getUser()) ||
        (Store && Store->getPointerOperand() == &Slot &&
         Store->getValueOperand() != &Slot))
      continue;
    if (!Call)
      return false;
    if (!isForkCall(*Call)) {
      const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
      bool Harmless = Intrinsic && (Intrinsic->isLifetimeStartOrEnd() ||
                                    Intrinsic->isAssumeLikeIntrinsic());
      if (!Harmless && !forgets(*Call, U, Models))
        return false;
      continue;
    }
    const Function *Region = forkedFunction(*Call);
    if (!Region || !Call->isArgOperand(&U))
      return false;
    unsigned Arg = Call->getArgOperandNo(&U);
    if (Arg < FirstShared || sharedParam(Arg) >= Region->arg_size() ||
        Uses.ofVariable(*Region, sharedParam(Arg)).Kept)
      return false;
  }
  return true;
}

bool copySharedVariables(Function &F, const ModelTable &Models) {
  PointerUses Uses(Models);
  SmallVector<CallBase *, 8> Forks;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isForkCall(*Call))
      Forks.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Forks)
    for (unsigned A = FirstShared; A != Call->arg_size(); ++A) {
      auto *Slot = dyn_cast<AllocaInst>(Call->getArgOperand(A));
      if (!Slot || !isOnlyRead(*Slot, Uses, Models))
        continue;
      IRBuilder<> B(F.getContext());
      B.SetInsertPointPastAllocas(&F);
      AllocaInst *Cell = B.CreateAlloca(Slot->getAllocatedType(), nullptr,
                                        Slot->getName() + ".shared");
      Cell->setAlignment(Slot->getAlign());
      Cell->setMetadata("echo.shared", MDNode::get(F.getContext(), {}));
      B.SetInsertPoint(Call);
      B.CreateAlignedStore(
          B.CreateAlignedLoad(Slot->getAllocatedType(), Slot, Slot->getAlign()),
          Cell, Slot->getAlign());
      Call->setArgOperand(A, Cell);
      Changed = true;
    }
  return Changed;
}

} // namespace echo
