//===- KernelViews.cpp - Structs that carry pointers to kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order does not count: what is stored at some time may be there at any time.
// Variables that are copied to each other, each from its first byte, are taken
// as one.
//
//===----------------------------------------------------------------------===//
#include "Analysis/KernelViews.h"
#include "Analysis/StubArguments.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

/// The variable whose byte \p Offset is at \p Address, or null.
static const AllocaInst *slotAt(const Value *Address, const DataLayout &DL,
                                int64_t &Offset) {
  APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const auto *Slot =
      dyn_cast<AllocaInst>(Address->stripAndAccumulateConstantOffsets(
          DL, Bytes, /*AllowNonInbounds=*/true));
  Offset = Bytes.getSExtValue();
  return Slot;
}

/// True if argument \p U of \p Call is a view that a kernel gets by value.
static bool givesToKernel(const CallBase &Call, const Use &U) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isKernelStub(*Callee) && Call.isArgOperand(&U) &&
         Call.isByValArgument(Call.getArgOperandNo(&U));
}

bool KernelViews::collect(const AllocaInst &Slot, View &V,
                          SmallVectorImpl<const AllocaInst *> &Copies) {
  const DataLayout &DL = Slot.getDataLayout();
  SmallVector<std::pair<const Value *, int64_t>, 8> Work = {{&Slot, 0}};
  while (!Work.empty()) {
    auto [Address, Offset] = Work.pop_back_val();
    for (const Use &U : Address->uses()) {
      const User *By = U.getUser();
      if (const auto *Load = dyn_cast<LoadInst>(By)) {
        V.Loads.push_back({Load, Offset});
      } else if (const auto *Store = dyn_cast<StoreInst>(By)) {
        if (U.getOperandNo() != 1)
          return false;
        V.Stores.push_back({Store, Offset});
      } else if (const auto *G = dyn_cast<GetElementPtrInst>(By)) {
        APInt Bytes(DL.getIndexTypeSizeInBits(G->getType()), 0);
        if (!G->accumulateConstantOffset(DL, Bytes))
          return false;
        Work.push_back({G, Offset + Bytes.getSExtValue()});
      } else if (const auto *Copy = dyn_cast<AnyMemTransferInst>(By)) {
        int64_t There = 0;
        const Value *Other = U.getOperandNo() == 0 ? Copy->getRawSource()
                                                   : Copy->getRawDest();
        const AllocaInst *Partner = slotAt(Other, DL, There);
        if (U.getOperandNo() > 1 || !Partner || There != Offset)
          return false;
        Copies.push_back(Partner);
      } else if (isa<AnyMemSetInst>(By)) {
        continue;
      } else if (const auto *I = dyn_cast<IntrinsicInst>(By)) {
        if (!I->isLifetimeStartOrEnd())
          return false;
      } else {
        const auto *Call = dyn_cast<CallBase>(By);
        if (!Call || !givesToKernel(*Call, U))
          return false;
        V.Launches.push_back(Call);
      }
    }
  }
  return true;
}

KernelViews::KernelViews(const Function &F) : DL(F.getDataLayout()) {
  SmallPtrSet<const AllocaInst *, 16> Seen;
  for (const Instruction &I : instructions(F)) {
    const auto *First = dyn_cast<AllocaInst>(&I);
    if (!First || Seen.contains(First))
      continue;
    View V;
    bool Known = true;
    SetVector<const AllocaInst *> Group;
    Group.insert(First);
    for (unsigned N = 0; Known && N != Group.size(); ++N) {
      SmallVector<const AllocaInst *, 4> Copies;
      Known = collect(*Group[N], V, Copies);
      Group.insert(Copies.begin(), Copies.end());
    }
    // What is copied to or from no view is none either.
    Seen.insert(Group.begin(), Group.end());
    if (!Known || V.Launches.empty())
      continue;
    V.NumSlots = Group.size();
    for (const AllocaInst *Slot : Group)
      Slots[Slot] = Views.size();
    for (const At<StoreInst> &S : V.Stores)
      StoredIn[S.I] = Views.size();
    Views.push_back(std::move(V));
  }
}

SmallVector<const LoadInst *, 4>
KernelViews::loadsOf(const StoreInst &Store) const {
  SmallVector<const LoadInst *, 4> Loads;
  auto It = StoredIn.find(&Store);
  if (It == StoredIn.end())
    return Loads;
  auto Size = [&](Type *T) -> int64_t { return DL.getTypeStoreSize(T); };
  const View &V = Views[It->second];
  for (const At<StoreInst> &S : V.Stores)
    for (const At<LoadInst> &L : V.Loads)
      if (S.I == &Store &&
          S.Offset < L.Offset + Size(L.I->getType()) &&
          L.Offset < S.Offset + Size(S.I->getValueOperand()->getType()))
        Loads.push_back(L.I);
  return Loads;
}

bool KernelViews::comesBeforeUses(const StoreInst &Store,
                                  const DominatorTree &DT) const {
  auto It = StoredIn.find(&Store);
  if (It == StoredIn.end() || Views[It->second].NumSlots != 1)
    return false;
  auto Behind = [&](const Instruction *I) { return DT.dominates(&Store, I); };
  return all_of(loadsOf(Store), Behind) &&
         all_of(Views[It->second].Launches, Behind);
}

SmallVector<KernelViews::Content, 4>
KernelViews::contents(const Value *Argument) const {
  SmallVector<Content, 4> Found;
  int64_t From = 0;
  const AllocaInst *Slot = slotAt(Argument, DL, From);
  auto It = Slot ? Slots.find(Slot) : Slots.end();
  if (It == Slots.end())
    return Found;
  for (const At<StoreInst> &S : Views[It->second].Stores)
    Found.push_back({S.I->getValueOperand(), S.Offset - From});
  return Found;
}

} // namespace echo
