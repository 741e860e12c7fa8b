//===- KeptAccesses.cpp - No access of a view is folded away --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load is used by an intrinsic that does nothing, which no pass removes or
// takes for a write of memory. Where a load is replaced by an earlier one of
// the same place, its user follows, and the load goes. A store whose value may
// come from a load is volatile.
//
//===----------------------------------------------------------------------===//
#include "Transform/KeptAccesses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

/// True if \p Pointer may point to memory that the GPU could share.
static bool mayBeShared(const Value *Pointer) {
  const Value *Base = getUnderlyingObject(Pointer);
  if (const auto *Global = dyn_cast<GlobalVariable>(Base))
    return !Global->isConstant();
  return !isa<AllocaInst>(Base);
}

static bool passesShared(const CallBase &Call) {
  return any_of(Call.args(), [](const Use &Arg) {
    return Arg->getType()->isPointerTy() && mayBeShared(Arg);
  });
}

/// True if \p I reads such memory, and a pass may remove it where nothing uses
/// what it read.
static bool isRead(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && mayBeShared(Load->getPointerOperand());
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->getType()->isVoidTy() &&
         !Call->isMustTailCall() && Call->onlyReadsMemory() &&
         passesShared(*Call);
}

static constexpr StringLiteral Tag = "echo.kept";

KeptLoads::KeptLoads(Function &F) : F(F) {
  SmallVector<Instruction *, 64> Reads;
  for (Instruction &I : instructions(F))
    if (isRead(I))
      Reads.push_back(&I);
  if (Reads.empty())
    return;
  Nothing =
      Intrinsic::getOrInsertDeclaration(F.getParent(), Intrinsic::sideeffect);
  for (Instruction *I : Reads) {
    Value *Read = I;
    OperandBundleDef Use(Tag.str(), ArrayRef(Read));
    CallInst::Create(Nothing, {}, {Use}, "", std::next(I->getIterator()));
  }
}

KeptLoads::~KeptLoads() {
  if (!Nothing)
    return;
  // Passes may have copied some.
  for (User *U : make_early_inc_range(Nothing->users()))
    if (auto *Call = cast<CallInst>(U);
        Call->getFunction() == &F && Call->getOperandBundle(Tag))
      Call->eraseFromParent();
  if (Nothing->use_empty())
    Nothing->eraseFromParent();
}

/// The instructions whose value may come from memory.
static DenseSet<const Value *> readFromMemory(Function &F) {
  DenseSet<const Value *> Read;
  SmallVector<const Instruction *, 64> Work;
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst>(I) && Read.insert(&I).second)
      Work.push_back(&I);
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users())
      if (const auto *I = dyn_cast<Instruction>(U);
          I && !I->getType()->isVoidTy() && Read.insert(I).second)
        Work.push_back(I);
  return Read;
}

/// True if InstCombine may know what \p Call does, and that it does nothing.
static bool isTextOrMemory(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return false;
  static constexpr StringRef Starts[] = {"str",  "stp", "mem",   "wcs",
                                         "wmem", "wcp", "bcopy", "bcmp"};
  return any_of(Starts, [&](StringRef Start) {
    return Callee->getName().starts_with(Start);
  });
}

static void setVolatile(Instruction &I, bool To) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(To);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Store->setVolatile(To);
  else if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
    Copy->setVolatile(ConstantInt::getBool(I.getContext(), To));
}

KeptStores::KeptStores(Function &F) : F(F) {
  const DenseSet<const Value *> Read = readFromMemory(F);
  for (Instruction &I : instructions(F)) {
    OwnVolatile |= I.isVolatile();
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->isSimple() && Read.contains(Store->getValueOperand()) &&
          mayBeShared(Store->getPointerOperand()))
        Accesses.push_back(Store);
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (!Copy->isVolatile() && mayBeShared(Copy->getDest()) &&
          mayBeShared(Copy->getSource()))
        Accesses.push_back(Copy);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!Call->isNoBuiltin() && isTextOrMemory(*Call) &&
          passesShared(*Call)) {
        Call->addFnAttr(Attribute::NoBuiltin);
        Calls.push_back(Call);
      }
    }
  }
  for (const WeakVH &V : Accesses)
    setVolatile(*cast<Instruction>(V), true);
}

KeptStores::~KeptStores() {
  for (const WeakVH &V : Accesses)
    if (Value *Access = V)
      setVolatile(*cast<Instruction>(Access), false);
  for (const WeakVH &V : Calls)
    if (Value *Call = V)
      cast<CallBase>(Call)->removeFnAttr(Attribute::NoBuiltin);
  // A copy of a few bytes may have become a load and a store.
  if (!Accesses.empty() && !OwnVolatile)
    for (Instruction &I : instructions(F))
      if (I.isVolatile())
        setVolatile(I, false);
}

} // namespace echo
