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
#include "Analysis/CudaApi.h"
#include "Analysis/Models.h"
#include "Analysis/StubArguments.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
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
  if (!Callee || !isKernelStub(*Callee) || !Call.isArgOperand(&U))
    return false;
  unsigned A = Call.getArgOperandNo(&U);
  auto Map = stubArgumentMap(*Callee);
  return A < Map.size() && Map[A] && Map[A]->ByValue;
}

/// True if \p Call is a CUDA copy whose source is argument \p U.
static bool copiesToDevice(const CallBase &Call, const Use &U) {
  auto Api = cudaApiOf(Call);
  if (!Api || !Call.isArgOperand(&U) ||
      (Api->Kind != ApiKind::Copy && Api->Kind != ApiKind::CopySymbol))
    return false;
  return Api->find(ApiRole::Src) == Call.getArgOperandNo(&U);
}

/// True if \p Call gives argument \p U to a library that reads pointers there
/// and keeps each.
static bool keepsEach(const CallBase &Call, const Use &U,
                      const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  const FunctionModel *Model = Callee && Callee->isDeclaration()
                                   ? Models.lookup(Callee->getName())
                                   : nullptr;
  return Model && Call.isArgOperand(&U) &&
         Call.arg_size() >= Model->Args.size() &&
         Model->keepsEach(Call.getArgOperandNo(&U));
}

std::optional<KernelViews::View>
KernelViews::collect(const AllocaInst &Slot, const ModelTable &Models) {
  const DataLayout &DL = Slot.getDataLayout();
  View V;
  SmallVector<At<Value>, 8> Work = {{&Slot, 0}};
  while (!Work.empty()) {
    At<Value> Here = Work.pop_back_val();
    for (const Use &U : Here.I->uses()) {
      const User *By = U.getUser();
      if (const auto *Load = dyn_cast<LoadInst>(By)) {
        V.Loads.push_back({Load, Here.Offset});
      } else if (const auto *Store = dyn_cast<StoreInst>(By)) {
        if (U.getOperandNo() != 1)
          return std::nullopt;
        V.Stores.push_back({Store, Here.Offset});
      } else if (const auto *G = dyn_cast<GetElementPtrInst>(By)) {
        APInt Bytes(DL.getIndexTypeSizeInBits(G->getType()), 0);
        std::optional<int64_t> Offset;
        if (Here.Offset && G->accumulateConstantOffset(DL, Bytes))
          Offset = *Here.Offset + Bytes.getSExtValue();
        Work.push_back({G, Offset});
      } else if (const auto *Copy = dyn_cast<AnyMemTransferInst>(By)) {
        // What comes in from other memory than views holds no known pointer.
        int64_t There = 0;
        if (U.getOperandNo() == 0) {
          V.CopiedFrom.push_back(slotAt(Copy->getRawSource(), DL, There));
          continue;
        }
        const AllocaInst *To = slotAt(Copy->getRawDest(), DL, There);
        if (U.getOperandNo() != 1 || !To || There != Here.Offset)
          return std::nullopt;
        V.CopiedTo.push_back(To);
      } else if (isa<AnyMemSetInst>(By)) {
        continue;
      } else if (const auto *I = dyn_cast<IntrinsicInst>(By)) {
        if (!I->isLifetimeStartOrEnd())
          return std::nullopt;
      } else {
        const auto *Call = dyn_cast<CallBase>(By);
        if (Call && Here.Offset && givesToKernel(*Call, U))
          V.Launches.push_back(Call);
        else if (Call &&
                 (copiesToDevice(*Call, U) || keepsEach(*Call, U, Models)))
          V.Exposures.push_back(Call);
        else
          return std::nullopt;
      }
    }
  }
  return V;
}

void KernelViews::View::add(const View &Other) {
  Stores.append(Other.Stores);
  Loads.append(Other.Loads);
  Launches.append(Other.Launches);
  Exposures.append(Other.Exposures);
  ++NumSlots;
  HasOther |= Other.HasOther;
}

KernelViews::KernelViews(const Function &F, const ModelTable &Models)
    : DL(F.getDataLayout()) {
  MapVector<const AllocaInst *, View> Found;
  for (const Instruction &I : instructions(F))
    if (const auto *Slot = dyn_cast<AllocaInst>(&I))
      if (std::optional<View> V = collect(*Slot, Models))
        Found.insert({Slot, std::move(*V)});
  // What is copied to another variable is one only if that is.
  for (size_t Before = 0; Before != Found.size();) {
    Before = Found.size();
    Found.remove_if([&](const auto &Item) {
      return any_of(Item.second.CopiedTo,
                    [&](const AllocaInst *To) { return !Found.contains(To); });
    });
  }
  for (auto &[Slot, V] : Found)
    V.HasOther = any_of(V.CopiedFrom, [&](const AllocaInst *From) {
      return !From || !Found.contains(From);
    });
  EquivalenceClasses<const AllocaInst *> Same;
  for (const auto &[Slot, V] : Found) {
    Same.insert(Slot);
    for (const AllocaInst *To : V.CopiedTo)
      Same.unionSets(Slot, To);
  }
  DenseMap<const AllocaInst *, unsigned> NumberOf;
  for (const auto &[Slot, V] : Found) {
    auto [It, New] = NumberOf.insert({Same.getLeaderValue(Slot), Views.size()});
    if (New)
      Views.push_back(V);
    else
      Views[It->second].add(V);
  }
  for (const auto &[Slot, V] : Found) {
    unsigned N = NumberOf.lookup(Same.getLeaderValue(Slot));
    if (Views[N].isUsed())
      Slots[Slot] = N;
  }
  for (unsigned N = 0; N != Views.size(); ++N) {
    if (!Views[N].isUsed())
      continue;
    for (const At<StoreInst> &S : Views[N].Stores)
      StoredIn[S.I] = N;
    for (const At<LoadInst> &L : Views[N].Loads)
      LoadedFrom[L.I] = N;
  }
}

SmallVector<const LoadInst *, 4>
KernelViews::loadsOf(const StoreInst &Store) const {
  SmallVector<const LoadInst *, 4> Loads;
  auto It = StoredIn.find(&Store);
  if (It == StoredIn.end())
    return Loads;
  auto Overlap = [&](const At<StoreInst> &S, const At<LoadInst> &L) {
    if (!S.Offset || !L.Offset)
      return true;
    int64_t Stored = DL.getTypeStoreSize(S.I->getValueOperand()->getType());
    int64_t Loaded = DL.getTypeStoreSize(L.I->getType());
    return *S.Offset < *L.Offset + Loaded && *L.Offset < *S.Offset + Stored;
  };
  const View &V = Views[It->second];
  for (const At<StoreInst> &S : V.Stores)
    for (const At<LoadInst> &L : V.Loads)
      if (S.I == &Store && Overlap(S, L))
        Loads.push_back(L.I);
  return Loads;
}

SmallVector<const Value *, 8>
KernelViews::storedWhere(const LoadInst &Load) const {
  SmallVector<const Value *, 8> Stored;
  if (auto It = LoadedFrom.find(&Load); It != LoadedFrom.end())
    for (const At<StoreInst> &S : Views[It->second].Stores)
      Stored.push_back(S.I->getValueOperand());
  return Stored;
}

ArrayRef<const CallBase *>
KernelViews::exposuresOf(const StoreInst &Store) const {
  auto It = StoredIn.find(&Store);
  if (It == StoredIn.end())
    return {};
  return Views[It->second].Exposures;
}

bool KernelViews::comesBeforeUses(const StoreInst &Store,
                                  const DominatorTree &DT) const {
  auto It = StoredIn.find(&Store);
  if (It == StoredIn.end() || Views[It->second].NumSlots != 1)
    return false;
  auto Behind = [&](const Instruction *I) { return DT.dominates(&Store, I); };
  return all_of(loadsOf(Store), Behind) &&
         all_of(Views[It->second].Launches, Behind) &&
         all_of(Views[It->second].Exposures, Behind);
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
    Found.push_back(
        {S.I->getValueOperand(),
         S.Offset ? std::optional(*S.Offset - From) : std::nullopt});
  return Found;
}

} // namespace echo
