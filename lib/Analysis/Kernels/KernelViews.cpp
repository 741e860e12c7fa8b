//===- KernelViews.cpp - Memory that carries pointers in sight ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order does not count: what is stored at some time may be there at any time.
// Variables that are copied to each other, each from its first byte, are taken
// as one.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/KernelViews.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/StubArguments.h"
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

/// Loads are not followed that may read what more than these stores put there.
static constexpr size_t MaxStored = 32;

/// What allocates block \p V of the heap, or null.
static const FunctionModel *allocatorOf(const Value *V,
                                        const ModelTable &Models) {
  const auto *Call = dyn_cast<CallBase>(V);
  const FunctionModel *M =
      Call ? Models.lookup(outOfSightCallee(*Call)) : nullptr;
  bool Allocates = M && M->returnsNewBlock() && Call->getType()->isPointerTy();
  return Allocates ? M : nullptr;
}

/// True if \p V is memory of its own that may be a view: a variable, or a block
/// of the heap.
static bool isMemory(const Value *V, const ModelTable &Models) {
  return isa<AllocaInst>(V) || allocatorOf(V, Models);
}

/// The memory whose byte \p Offset is at \p Address, if it may be a view.
const Value *KernelViews::memoryAt(const Value *Address,
                                   int64_t &Offset) const {
  APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
  const Value *Base = Address->stripAndAccumulateConstantOffsets(
      DL, Bytes, /*AllowNonInbounds=*/true);
  Offset = Bytes.getSExtValue();
  return isMemory(Base, Models) ? Base : nullptr;
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
  const FunctionModel *Model = Models.lookup(outOfSightCallee(Call));
  return Model && Call.isArgOperand(&U) &&
         Call.arg_size() >= Model->Args.size() &&
         Model->keepsEach(Call.getArgOperandNo(&U));
}

/// True if \p Call, of CUDA's runtime, keeps the pointers in memory that
/// argument \p U points to, for kernels to read by.
static bool keepsForTexture(const CallBase &Call, const Use &U) {
  auto Api = cudaApiOf(Call);
  return Api && Call.isArgOperand(&U) &&
         Api->find(ApiRole::Kept) == Call.getArgOperandNo(&U);
}

/// True if \p U is an argument that \p Call frees.
static bool frees(const CallBase &Call, const Use &U,
                  const ModelTable &Models) {
  const FunctionModel *M = Models.lookup(outOfSightCallee(Call));
  if (!M || M->Allocates != FunctionModel::NotAlloc || !Call.isArgOperand(&U))
    return false;
  unsigned A = Call.getArgOperandNo(&U);
  return A < M->Args.size() && M->Args[A].What == ArgModel::Free;
}

std::optional<KernelViews::View> KernelViews::collect(const Value &Slot) const {
  View V;
  const FunctionModel *Heap = allocatorOf(&Slot, Models);
  V.HasZeroes = Heap && Heap->Allocates == FunctionModel::Calloc;
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
          V.CopiedFrom.push_back(memoryAt(Copy->getRawSource(), There));
          continue;
        }
        const Value *To = memoryAt(Copy->getRawDest(), There);
        if (U.getOperandNo() != 1 || !To || There != Here.Offset)
          return std::nullopt;
        V.CopiedTo.push_back(To);
      } else if (isa<AnyMemSetInst>(By)) {
        V.HasZeroes = true;
      } else if (const auto *I = dyn_cast<IntrinsicInst>(By)) {
        if (!I->isLifetimeStartOrEnd())
          return std::nullopt;
      } else if (isa<ICmpInst>(By)) {
        if (!isa<ConstantPointerNull>(By->getOperand(1 - U.getOperandNo())))
          return std::nullopt;
      } else {
        const auto *Call = dyn_cast<CallBase>(By);
        if (Call && frees(*Call, U, Models))
          continue;
        if (Call && Here.Offset && givesToKernel(*Call, U))
          V.Launches.push_back(Call);
        else if (Call &&
                 (copiesToDevice(*Call, U) || keepsForTexture(*Call, U) ||
                  keepsEach(*Call, U, Models)))
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
  HasZeroes |= Other.HasZeroes;
}

KernelViews::KernelViews(const Function &F, const ModelTable &Models)
    : Models(Models), DL(F.getDataLayout()) {
  MapVector<const Value *, View> Found;
  for (const Instruction &I : instructions(F))
    if (isMemory(&I, Models))
      if (std::optional<View> V = collect(I))
        Found.insert({&I, std::move(*V)});
  // What is copied to another variable is one only if that is.
  for (size_t Before = 0; Before != Found.size();) {
    Before = Found.size();
    Found.remove_if([&](const auto &Item) {
      return any_of(Item.second.CopiedTo,
                    [&](const Value *To) { return !Found.contains(To); });
    });
  }
  for (auto &[Slot, V] : Found)
    V.HasOther = any_of(V.CopiedFrom, [&](const Value *From) {
      return !From || !Found.contains(From);
    });
  EquivalenceClasses<const Value *> Same;
  for (const auto &[Slot, V] : Found) {
    Same.insert(Slot);
    for (const Value *To : V.CopiedTo)
      Same.unionSets(Slot, To);
  }
  DenseMap<const Value *, unsigned> NumberOf;
  for (const auto &[Slot, V] : Found) {
    auto [It, New] = NumberOf.insert({Same.getLeaderValue(Slot), Views.size()});
    if (New)
      Views.push_back(V);
    else
      Views[It->second].add(V);
  }
  for (const auto &[Slot, V] : Found)
    Slots[Slot] = NumberOf.lookup(Same.getLeaderValue(Slot));
  for (unsigned N = 0; N != Views.size(); ++N) {
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

std::optional<SmallVector<const Value *, 4>>
KernelViews::pointersIn(const LoadInst &Load, bool &Zeroes) const {
  auto It = LoadedFrom.find(&Load);
  if (It == LoadedFrom.end() || !Load.getType()->isPointerTy())
    return std::nullopt;
  const View &V = Views[It->second];
  if (V.HasOther)
    return std::nullopt;
  SmallVector<const Value *, 4> Pointers;
  const int64_t Bytes = DL.getPointerSize();
  for (const At<LoadInst> &L : V.Loads) {
    if (L.I != &Load)
      continue;
    for (const At<StoreInst> &S : V.Stores) {
      const Value *Stored = S.I->getValueOperand();
      int64_t Width = DL.getTypeStoreSize(Stored->getType());
      if (L.Offset && S.Offset &&
          (*S.Offset >= *L.Offset + Bytes || *L.Offset >= *S.Offset + Width))
        continue;
      bool Same = !L.Offset || !S.Offset || *L.Offset == *S.Offset;
      if (!Stored->getType()->isPointerTy() || !Same ||
          Pointers.size() == MaxStored)
        return std::nullopt;
      Pointers.push_back(Stored);
    }
  }
  Zeroes |= V.HasZeroes;
  return Pointers;
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
  // An index that changes leaves in place what it put elsewhere before.
  auto IsPlaced = [&](const At<StoreInst> &S) {
    return S.I == &Store && S.Offset;
  };
  if (none_of(Views[It->second].Stores, IsPlaced))
    return false;
  auto Behind = [&](const Instruction *I) { return DT.dominates(&Store, I); };
  return all_of(loadsOf(Store), Behind) &&
         all_of(Views[It->second].Launches, Behind) &&
         all_of(Views[It->second].Exposures, Behind);
}

const Instruction *KernelViews::renewalOf(const StoreInst &Store,
                                          const DominatorTree &DT) const {
  auto It = StoredIn.find(&Store);
  // Bytes that are copied to the device stay there.
  if (It == StoredIn.end() || Views[It->second].NumSlots != 1 ||
      !Views[It->second].Exposures.empty())
    return nullptr;
  const View &V = Views[It->second];
  const Value *Memory = nullptr;
  for (const auto &[Slot, Number] : Slots)
    if (Number == It->second)
      Memory = Slot;
  if (!isa<AllocaInst>(Memory))
    return cast<Instruction>(Memory);
  for (const User *U : Memory->users()) {
    const auto *Start = dyn_cast<IntrinsicInst>(U);
    if (!Start || Start->getIntrinsicID() != Intrinsic::lifetime_start)
      continue;
    auto Behind = [&](const Instruction *I) { return DT.dominates(Start, I); };
    if (Behind(&Store) && all_of(V.Launches, Behind) &&
        all_of(V.Loads, [&](const At<LoadInst> &L) { return Behind(L.I); }))
      return Start;
  }
  return nullptr;
}

SmallVector<KernelViews::Content, 4>
KernelViews::contents(const Value *Argument) const {
  SmallVector<Content, 4> Found;
  int64_t From = 0;
  const Value *Slot = memoryAt(Argument, From);
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
