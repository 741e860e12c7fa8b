//===- Exposure.cpp - Buffers whose address is in device memory -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the control flow forward from the exposing calls.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory/Exposure.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

InstructionsBehind::InstructionsBehind(ArrayRef<const Instruction *> From,
                                       ArrayRef<const Instruction *> Ends) {
  for (const Instruction *E : Ends) {
    const BasicBlock *BB = E->getParent();
    if (llvm::none_of(From, [&](const Instruction *I) {
          return I->getParent() == BB && !I->comesBefore(E);
        }))
      if (auto [It, New] = End.insert({BB, E});
          !New && E->comesBefore(It->second))
        It->second = E;
  }
  SmallVector<const BasicBlock *, 16> Work;
  auto GoOn = [&](const BasicBlock *BB, auto Visit) {
    if (!End.count(BB))
      for (const BasicBlock *Succ : successors(BB))
        Visit(Succ);
  };
  auto Whole = [&](const BasicBlock *BB) {
    auto [It, New] = First.insert({BB, nullptr});
    if (New || It->second)
      Work.push_back(BB);
    It->second = nullptr;
  };
  for (const Instruction *I : From) {
    const BasicBlock *BB = I->getParent();
    auto [It, New] = First.insert({BB, I});
    if (!New && It->second && I->comesBefore(It->second))
      It->second = I;
    GoOn(BB, Whole);
  }
  while (!Work.empty())
    GoOn(Work.pop_back_val(), Whole);
}

bool InstructionsBehind::contains(const Instruction &I) const {
  auto It = First.find(I.getParent());
  if (const Instruction *E = End.lookup(I.getParent()); E && E->comesBefore(&I))
    return false;
  return It != First.end() && (!It->second || It->second->comesBefore(&I));
}

/// The model of \p F if the compiler has only a copy of its body (std::endl):
/// the library's own runs. Else null.
static const FunctionModel *modelOfCopied(const Function &F,
                                          const ModelTable &Models) {
  return F.hasAvailableExternallyLinkage() ? Models.lookup(F.getName())
                                           : nullptr;
}

/// True if \p F itself, not what it calls, leaves the GPU alone.
static bool isHarmless(const Function &F, const ModelTable &Models) {
  if (F.isIntrinsic())
    return true;
  if (isKernelStub(F))
    return false;
  if (!F.isDeclaration())
    return !F.isInterposable();
  // What runs at the end is no part of what runs now.
  if (F.getName() == "atexit" || F.getName() == "__cxa_atexit")
    return true;
  if (auto Api = lookupCudaApi(F.getName()))
    return Api->Kind == ApiKind::Neutral;
  const FunctionModel *Model = Models.lookup(F.getName());
  return Model && !Model->usesGpu() && !Model->callsBack();
}

namespace {
/// The functions that may run, and whether all of them leave the GPU alone.
class Reach {
public:
  explicit Reach(const ModelTable &Models) : Models(Models) {}
  void add(const Function &F) { Work.insert(&F); }
  /// False if what \p Call calls is out of sight and not modelled.
  bool add(const CallBase &Call);
  bool isHarmless();

private:
  /// The functions of the program that a modelled function calls.
  bool addCallbacks(const CallBase &Call, const FunctionModel &Model);

  const ModelTable &Models;
  SetVector<const Function *> Work;
};
} // namespace

bool Reach::addCallbacks(const CallBase &Call, const FunctionModel &Model) {
  for (unsigned A = 0; A != Call.arg_size(); ++A) {
    bool Named = A < Model.Args.size();
    bool Called =
        Named ? Model.Args[A].What == ArgModel::Callback
              : !Model.VarArgs || Model.VarArgs->What == ArgModel::Callback;
    const auto *F = dyn_cast<Function>(Call.getArgOperand(A));
    if (Called && !F)
      return false;
    if (Called)
      Work.insert(F);
  }
  return !Model.usesGpu();
}

bool Reach::add(const CallBase &Call) {
  if (isForkCall(Call)) { // OpenMP's threads run the region, which is in sight
    const Function *Region = forkedFunction(Call);
    if (Region)
      Work.insert(Region);
    return Region;
  }
  const FunctionModel *Model = Models.lookup(outOfSightCallee(Call));
  if (const Function *F = Call.getCalledFunction(); F && !Model)
    Model = modelOfCopied(*F, Models);
  if (Model && Model->callsBack())
    return addCallbacks(Call, *Model);
  for (const Function *F : destructorsOfThrown(Call))
    Work.insert(F);
  const auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  if (Callee)
    Work.insert(Callee);
  return Callee || Call.isInlineAsm() || Model;
}

bool Reach::isHarmless() {
  for (unsigned I = 0; I != Work.size(); ++I) {
    const FunctionModel *Copied = modelOfCopied(*Work[I], Models);
    if (Copied && !Copied->usesGpu() && !Copied->callsBack())
      continue;
    if (!echo::isHarmless(*Work[I], Models))
      return false;
    for (const Instruction &Inst : instructions(*Work[I]))
      if (const auto *Call = dyn_cast<CallBase>(&Inst); Call && !add(*Call))
        return false;
  }
  return true;
}

bool leavesGpuAlone(const CallBase &Call, const ModelTable &Models) {
  Reach R(Models);
  return R.add(Call) && R.isHarmless();
}

bool leavesGpuAlone(const Function &F, const ModelTable &Models) {
  Reach R(Models);
  R.add(F);
  return R.isHarmless();
}

bool isMain(const Function &F) {
  return F.getName() == "main" || F.getName() == "main.echo";
}

bool startLeavesGpuAlone(const Module &M, const ModelTable &Models) {
  Reach Earlier(Models);
  const auto *Starts = M.getNamedGlobal("llvm.global_ctors");
  if (Starts && Starts->hasInitializer())
    for (const Use &Row : Starts->getInitializer()->operands()) {
      const auto *Entry = dyn_cast<ConstantStruct>(Row.get());
      const auto *What =
          Entry ? dyn_cast<Function>(Entry->getOperand(1)->stripPointerCasts())
                : nullptr;
      if (!What)
        return false;
      if (!What->getName().starts_with("__cuda"))
        Earlier.add(*What);
    }
  return Earlier.isHarmless();
}

bool exitLeavesGpuAlone(const Module &M, const ModelTable &Models) {
  Reach Later(Models);
  for (StringRef Name : {"atexit", "__cxa_atexit", "on_exit"}) {
    const Function *Register = M.getFunction(Name);
    if (!Register)
      continue;
    for (const User *U : Register->users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      const auto *What = Call && Call->arg_size()
                             ? dyn_cast<Function>(Call->getArgOperand(0))
                             : nullptr;
      if (!What)
        return false;
      if (!What->getName().starts_with("__cuda"))
        Later.add(*What);
    }
  }
  if (const auto *Ends = M.getNamedGlobal("llvm.global_dtors"))
    if (!Ends->isDeclaration() && !Ends->getInitializer()->isNullValue())
      return false;
  return Later.isHarmless();
}

bool alwaysEnds(const Instruction &From, ArrayRef<const Instruction *> Ends) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto Leaves = [&](const BasicBlock &BB, bool Active) {
    for (const Instruction &I : BB) {
      if (Active && is_contained(Ends, &I))
        return false;
      Active |= &I == &From;
    }
    if (isa<ReturnInst, ResumeInst, CleanupReturnInst>(BB.getTerminator()))
      return true;
    for (const BasicBlock *Succ : successors(&BB))
      if (Seen.insert(Succ).second)
        Work.push_back(Succ);
    return false;
  };
  bool Left = Leaves(*From.getParent(), false);
  while (!Left && !Work.empty())
    Left = Leaves(*Work.pop_back_val(), true);
  return !Left;
}

} // namespace echo
