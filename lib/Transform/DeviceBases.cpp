//===- DeviceBases.cpp - Where a device buffer starts, at a copy ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DeviceBases.h.
//
//===----------------------------------------------------------------------===//
#include "Transform/DeviceBases.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace echo {

DeviceBases::DeviceBases(Function &F, const FunctionDecision &Decision)
    : F(F), Decision(Decision) {
  DominatorTree DT(F);
  for (const PairDecision &D : Decision.pairs()) {
    if (!D.Accepted)
      continue;
    const Value *Base = Decision.objects()[D.P.Device].Pointer;
    for (const Event *E : D.P.Copies)
      if (!DT.dominates(Base, E->At))
        Beside.insert(E->At);
  }
}

Value *DeviceBases::at(IRBuilder<> &B, const CallInst &Call, unsigned Object) {
  auto *Base = cast<Instruction>(Decision.objects()[Object].Pointer);
  if (!Beside.contains(&Call))
    return Base;
  AllocaInst *&Variable = Variables[Object];
  if (!Variable) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> AtEntry(&Entry, Entry.begin());
    Variable =
        AtEntry.CreateAlloca(Base->getType(), nullptr, "echo.device.base");
    AtEntry.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    AtEntry.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Variable);
    new StoreInst(Base, Variable, std::next(Base->getIterator()));
  }
  return B.CreateLoad(Base->getType(), Variable);
}

} // namespace echo
