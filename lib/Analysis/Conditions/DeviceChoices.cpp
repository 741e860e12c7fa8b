//===- DeviceChoices.cpp - Calls that may select another device -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation for a guard cudaSetDevice(x): x is what the one
// cudaGetDevice of a variable put there, which succeeded, and which the
// variable still holds; or x is negative, which selects nothing. After that
// cudaGetDevice run no other choices than guards. Then, by induction over the
// guards, the device that was current there is still current at each of them.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/DeviceChoices.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Memory/Exposure.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace llvm;

namespace echo {

/// True if \p Call calls the function of CUDA's runtime that is called \p Name.
static bool calls(const CallBase &Call, StringRef Name) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && Callee->getName() == Name;
}

namespace {
/// What is done with one field, an int, of a local variable.
struct Field {
  const CallBase *Query = nullptr; ///< cudaGetDevice, which fills it
  SmallVector<const StoreInst *, 2> Stores;
};

/// Whether values are the current device.
class CurrentDevice {
public:
  explicit CurrentDevice(const DominatorTree &DT) : DT(DT) {}
  /// True if \p V is the device that some call of Queries named as the current
  /// one, or a number that selects no device, where the calls \p Succeeded have
  /// returned 0.
  bool is(const Value *V, ArrayRef<const CallBase *> Succeeded = {});
  SmallVector<const Instruction *, 4> Queries;

private:
  bool isLoaded(const LoadInst &Load, ArrayRef<const CallBase *> Succeeded);

  const DominatorTree &DT;
  SmallPtrSet<const Value *, 8> Open; ///< asked for further up
};
} // namespace

/// The local variable whose byte \p Offset is at \p Address, or null.
static const AllocaInst *fieldAt(const Value *Address, const DataLayout &DL,
                                 int64_t &Offset) {
  APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const auto *Slot = dyn_cast<AllocaInst>(
      Address->stripAndAccumulateConstantOffsets(DL, Bytes, true));
  Offset = Bytes.getSExtValue();
  return Slot;
}

/// What is done with the int at byte \p Offset of \p Slot, if all uses of the
/// variable are plain ones.
static std::optional<Field> usesOfField(const AllocaInst &Slot,
                                        int64_t Offset) {
  const DataLayout &DL = Slot.getDataLayout();
  Field Found;
  SmallVector<const Value *, 4> Work = {&Slot};
  while (!Work.empty()) {
    const Value *Address = Work.pop_back_val();
    int64_t At = 0;
    if (fieldAt(Address, DL, At) != &Slot)
      return std::nullopt;
    auto Meets = [&](int64_t Bytes) {
      return At < Offset + 4 && Offset < At + Bytes;
    };
    for (const User *U : Address->users()) {
      const auto *I = dyn_cast<IntrinsicInst>(U);
      if (isa<LoadInst>(U) || (I && I->isLifetimeStartOrEnd()))
        continue;
      if (isa<GetElementPtrInst>(U)) {
        Work.push_back(U);
        continue;
      }
      const auto *Call = dyn_cast<CallBase>(U);
      const auto *Store = dyn_cast<StoreInst>(U);
      bool Whole = At == Offset;
      if (Store && Store->getPointerOperand() == Address) {
        if (!Meets(DL.getTypeStoreSize(Store->getValueOperand()->getType())))
          continue;
        if (!Whole || !Store->getValueOperand()->getType()->isIntegerTy(32))
          return std::nullopt;
        Found.Stores.push_back(Store);
      } else if (Call && calls(*Call, "cudaGetDevice")) {
        if (!Meets(4))
          continue;
        if (!Whole || Found.Query)
          return std::nullopt;
        Found.Query = Call;
      } else {
        return std::nullopt;
      }
    }
  }
  return Found;
}

/// True if \p I runs only where \p Query has returned 0.
static bool runsOnSuccess(const Instruction &I, const CallBase &Query,
                          const DominatorTree &DT) {
  for (const BasicBlock &BB : *I.getFunction()) {
    const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    for (bool Holds : {true, false}) {
      SmallVector<const CallBase *, 4> Succeeded;
      addSucceededCalls(*Branch->getCondition(), Holds, Succeeded);
      if (is_contained(Succeeded, &Query) &&
          DT.dominates(BasicBlockEdge(&BB, Branch->getSuccessor(Holds ? 0 : 1)),
                       I.getParent()))
        return true;
    }
  }
  return false;
}

bool CurrentDevice::isLoaded(const LoadInst &Load,
                             ArrayRef<const CallBase *> Succeeded) {
  int64_t Offset = 0;
  const AllocaInst *Slot =
      fieldAt(Load.getPointerOperand(), Load.getDataLayout(), Offset);
  if (!Slot || !Load.getType()->isIntegerTy(32))
    return false;
  std::optional<Field> F = usesOfField(*Slot, Offset);
  if (!F)
    return false;
  if (!F->Query)
    return F->Stores.size() == 1 && DT.dominates(F->Stores[0], &Load) &&
           is(F->Stores[0]->getValueOperand());
  // What is stored there else is overwritten.
  auto Before = [&](const StoreInst *S) { return DT.dominates(S, F->Query); };
  if (!DT.dominates(F->Query, &Load) || !all_of(F->Stores, Before) ||
      (!is_contained(Succeeded, F->Query) &&
       !runsOnSuccess(Load, *F->Query, DT)))
    return false;
  Queries.push_back(F->Query);
  return true;
}

bool CurrentDevice::is(const Value *V, ArrayRef<const CallBase *> Succeeded) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->isNegative();
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return isLoaded(*Load, Succeeded);
  if (!isa<PHINode, SelectInst>(V) || !Open.insert(V).second)
    return false;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(),
                  [&](const Value *In) { return is(In); });
  const auto *S = cast<SelectInst>(V);
  SmallVector<const CallBase *, 4> IfTrue(Succeeded), IfFalse(Succeeded);
  addSucceededCalls(*S->getCondition(), true, IfTrue);
  addSucceededCalls(*S->getCondition(), false, IfFalse);
  return is(S->getTrueValue(), IfTrue) && is(S->getFalseValue(), IfFalse);
}

SmallVector<const CallBase *, 4> deviceChoices(const Function &F,
                                               const DominatorTree &DT,
                                               RunSearch &Selecting) {
  SmallVector<const CallBase *, 4> All, Others;
  SmallVector<const Instruction *, 4> Queries;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Selecting.mayRun(*Call))
      continue;
    All.push_back(Call);
    CurrentDevice Current(DT);
    if (!calls(*Call, "cudaSetDevice") || !Current.is(Call->getArgOperand(0)))
      Others.push_back(Call);
    else
      Queries.append(Current.Queries);
  }
  InstructionsBehind Behind(Queries);
  bool Settled =
      none_of(Others, [&](const CallBase *C) { return Behind.contains(*C); });
  return Settled ? Others : All;
}

} // namespace echo
