//===- StubArguments.cpp - Launch arguments to kernel parameters ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stub stores each parameter in a variable of its own and the variables'
// addresses in the array it gives to cudaLaunchKernel.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/PointerUses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

std::optional<std::string> kernelNameOfStub(StringRef StubName) {
  constexpr StringRef Prefix = "__device_stub__";
  if (StubName.starts_with(Prefix)) // extern "C"
    return StubName.drop_front(Prefix.size()).str();
  size_t At = StubName.find(Prefix);
  if (At == StringRef::npos || !StubName.starts_with("_Z"))
    return std::nullopt;
  std::string Wanted = demangle(StubName);
  if (size_t In = Wanted.find(Prefix.str()); In != std::string::npos)
    Wanted.erase(In, Prefix.size());
  else
    return std::nullopt;
  // The digits before the name may end another name ("_GLOBAL__N_1" "16"), so
  // every split is tried; the demangled text says which is right.
  for (size_t Start = At; Start > 0 && isDigit(StubName[Start - 1]); --Start) {
    unsigned Length = 0;
    if (StubName.slice(Start - 1, At).getAsInteger(10, Length) ||
        Length <= Prefix.size() || Length > StubName.size() - At)
      continue;
    std::string Name =
        (StubName.take_front(Start - 1) + Twine(Length - Prefix.size()) +
         StubName.drop_front(At + Prefix.size()))
            .str();
    if (demangle(Name) == Wanted)
      return Name;
  }
  return std::nullopt;
}

bool isKernelStub(const Function &F) {
  return kernelNameOfStub(F.getName()).has_value();
}

static const CallBase *launchCall(const Function &Stub) {
  for (const Instruction &I : instructions(Stub))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (auto Api = cudaApiOf(*Call); Api && Api->Kind == ApiKind::Launch)
        return Call;
  return nullptr;
}

static const Value *argumentArray(const Function &Stub) {
  const CallBase *Call = launchCall(Stub);
  return Call ? Call->getArgOperand(*cudaApiOf(*Call)->find(ApiRole::Args))
              : nullptr;
}

bool launchesPerThread(const Function &F) {
  const CallBase *Call = launchCall(F);
  return Call && cudaApiOf(*Call)->PerThread;
}

bool showsLaunch(const Function &F) { return launchCall(F) != nullptr; }

/// True if \p T has a pointer in bytes [\p Begin, \p End).
static bool hasPointer(const Type *T, const DataLayout &DL, uint64_t Begin,
                       uint64_t End) {
  if (T->isPointerTy())
    return Begin < DL.getPointerSize() && End != 0;
  auto Part = [&](const Type *Inner, uint64_t At, uint64_t Bytes) {
    return At < End && Begin < At + Bytes &&
           hasPointer(Inner, DL, Begin > At ? Begin - At : 0, End - At);
  };
  if (const auto *A = dyn_cast<ArrayType>(T)) {
    const uint64_t Bytes = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I != A->getNumElements() && I * Bytes < End; ++I)
      if (Part(A->getElementType(), I * Bytes, Bytes))
        return true;
  }
  if (auto *S = dyn_cast<StructType>(const_cast<Type *>(T)))
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      if (Part(S->getElementType(I), DL.getStructLayout(S)->getElementOffset(I),
               DL.getTypeAllocSize(S->getElementType(I))))
        return true;
  return false;
}

/// Notes in \p Map which arguments of the stub make up parameter \p Param,
/// whose bytes are in variable \p Slot.
static void describeSlot(const AllocaInst &Slot, unsigned Param,
                         MutableArrayRef<std::optional<StubArgument>> Map) {
  const DataLayout &DL = Slot.getDataLayout();
  SmallVector<std::pair<const Argument *, uint64_t>, 2> Held;
  SmallVector<std::pair<const Value *, uint64_t>, 4> Work = {{&Slot, 0}};
  while (!Work.empty()) {
    auto [Address, Offset] = Work.pop_back_val();
    for (const User *U : Address->users()) {
      if (const auto *G = dyn_cast<GetElementPtrInst>(U)) {
        APInt By(DL.getIndexTypeSizeInBits(G->getType()), 0);
        if (!G->accumulateConstantOffset(DL, By))
          return;
        Work.push_back({G, Offset + By.getZExtValue()});
        continue;
      }
      const auto *S = dyn_cast<StoreInst>(U);
      if (!S || S->getPointerOperand() != Address)
        continue; // its own address in the array of parameters
      const auto *A = dyn_cast<Argument>(S->getValueOperand());
      if (!A)
        return;
      Held.push_back({A, Offset});
    }
  }
  for (auto [A, Offset] : Held) {
    bool Whole = Held.size() == 1 && A->getType() == Slot.getAllocatedType();
    bool Packed = !A->getType()->isPointerTy() &&
                  hasPointer(Slot.getAllocatedType(), DL, Offset,
                             Offset + DL.getTypeStoreSize(A->getType()));
    Map[A->getArgNo()] = StubArgument{Param, Offset, Whole, false, Packed};
  }
}

SmallVector<std::optional<StubArgument>, 8> stubArgumentMap(const Function &F) {
  SmallVector<std::optional<StubArgument>, 8> Map(F.arg_size());
  const Value *Array = argumentArray(F);
  if (!Array)
    return Map;
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (const Instruction &I : instructions(F)) {
    const auto *S = dyn_cast<StoreInst>(&I);
    if (!S)
      continue;
    APInt Offset(64, 0);
    const Value *Base =
        S->getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, Offset, /*AllowNonInbounds=*/true);
    if (Base != Array)
      continue;
    unsigned Param = Offset.getZExtValue() / DL.getPointerSize();
    if (const auto *Slot = dyn_cast<AllocaInst>(S->getValueOperand()))
      describeSlot(*Slot, Param, Map);
    else if (const auto *A = dyn_cast<Argument>(S->getValueOperand()))
      Map[A->getArgNo()] = StubArgument{Param, 0, false, true, false};
  }
  return Map;
}

const Function *launchedStub(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && isKernelStub(*Callee))
    return Callee;
  auto Api = cudaApiOf(Call);
  if (!Api || Api->Kind != ApiKind::Launch)
    return nullptr;
  const auto *Stub = dyn_cast<Function>(
      Call.getArgOperand(*Api->find(ApiRole::Func))->stripPointerCasts());
  return Stub && isKernelStub(*Stub) ? Stub : nullptr;
}

bool isLaunchArray(const Value *V) {
  const auto *Array = dyn_cast<AllocaInst>(V);
  return Array && Array->getMetadata("echo.launch");
}

/// True if \p Array, or an address in it, is only filled and given to launches.
static bool isOnlyLaunched(const Value &Array) {
  return all_of(Array.uses(), [](const Use &U) {
    if (isa<GetElementPtrInst>(U.getUser()))
      return isOnlyLaunched(*U.getUser());
    if (isa<StoreInst>(U.getUser()))
      return U.getOperandNo() == 1;
    const auto *Call = dyn_cast<CallBase>(U.getUser());
    auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
    return Api && Api->Kind == ApiKind::Launch && Call->isArgOperand(&U) &&
           isLaunchArray(U.get()) &&
           Api->find(ApiRole::Args) == Call->getArgOperandNo(&U);
  });
}

bool isFollowedCell(const Value &Cell) {
  return all_of(Cell.users(), [&](const User *U) {
    const auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() != &Cell)
      return true;
    const Value *Array = getUnderlyingObject(Store->getPointerOperand());
    return isLaunchArray(Array) && isOnlyLaunched(*Array);
  });
}

SmallVector<LaunchCell, 8> launchCells(const CallBase &Call) {
  SmallVector<LaunchCell, 8> Cells;
  const DataLayout &DL = Call.getDataLayout();
  const Value *Array =
      Call.getArgOperand(*cudaApiOf(Call)->find(ApiRole::Args));
  if (!isLaunchArray(Array))
    return Cells;
  SmallVector<const Value *, 8> Entries = {Array};
  for (unsigned I = 0; I != Entries.size(); ++I)
    for (const User *U : Entries[I]->users()) {
      if (isa<GetElementPtrInst>(U))
        Entries.push_back(U);
      const auto *Entry = dyn_cast<StoreInst>(U);
      if (!Entry || !isSharedCell(Entry->getValueOperand()))
        continue;
      APInt At(DL.getIndexTypeSizeInBits(Array->getType()), 0);
      Entries[I]->stripAndAccumulateConstantOffsets(DL, At,
                                                    /*AllowNonInbounds=*/true);
      unsigned Param = At.getZExtValue() / DL.getPointerSize();
      for (const User *Use : Entry->getValueOperand()->users())
        if (const auto *Put = dyn_cast<StoreInst>(Use);
            Put && Put->getPointerOperand() == Entry->getValueOperand())
          Cells.push_back({Param, Put->getValueOperand()});
    }
  return Cells;
}

/// True if \p F configures a launch, however it takes its arguments.
static bool isConfiguration(const Function &F) {
  auto Api = lookupCudaApi(F.getName());
  return Api && Api->Kind == ApiKind::PushConfig;
}

/// What a walk back from a launch meets in \p BB, before \p From or its end:
/// the call that configured it; \p Other: another launch took that before.
static const CallBase *configurationIn(const BasicBlock &BB,
                                       const Instruction *From, bool &Other) {
  auto It = From ? std::next(From->getReverseIterator()) : BB.rbegin();
  for (; It != BB.rend() && !Other; ++It) {
    const auto *Call = dyn_cast<CallBase>(&*It);
    if (!Call)
      continue;
    auto Api = cudaApiOf(*Call);
    if (Api && Api->Kind == ApiKind::PushConfig)
      return Call;
    const Function *Callee = Call->getCalledFunction();
    Other = Callee && (isKernelStub(*Callee) || isConfiguration(*Callee));
  }
  return nullptr;
}

Value *launchStream(const CallBase &Call) {
  constexpr size_t MaxBlocks = 256;
  bool Other = false;
  const CallBase *Found = configurationIn(*Call.getParent(), &Call, Other);
  SmallVector<const BasicBlock *, 8> Work;
  SmallPtrSet<const BasicBlock *, 8> Seen;
  auto AddPredecessors = [&](const BasicBlock &BB) {
    Other |= pred_empty(&BB);
    for (const BasicBlock *Pred : predecessors(&BB))
      if (Seen.insert(Pred).second)
        Work.push_back(Pred);
  };
  if (!Found)
    AddPredecessors(*Call.getParent());
  while (!Work.empty() && !Other && Seen.size() < MaxBlocks) {
    const BasicBlock &BB = *Work.pop_back_val();
    const CallBase *Push = configurationIn(BB, nullptr, Other);
    if (!Push)
      AddPredecessors(BB);
    else if (Found && Found != Push)
      return nullptr;
    else
      Found = Push;
  }
  if (!Found || Other || !Work.empty())
    return nullptr;
  return Found->getArgOperand(*cudaApiOf(*Found)->find(ApiRole::Stream));
}

} // namespace echo
