//===- EffectsFailing.cpp - Allocations that leave a variable alone -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMalloc(&d, n) and its kind leave d as it was where they fail. So what is
// read from d after the call may be the buffer that d held before. Such a
// buffer is refused, and so is the new one, if the old one may still exist and
// somebody may use the value on a path on which the call failed.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Events/EffectsBuilder.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

using Blocks = SmallPtrSet<const BasicBlock *, 16>;

/// The values that \p V may be, through joins, offsets and views.
static SetVector<const Value *> sourcesOf(const Value *V,
                                          const MemoryObjects &Objects) {
  const KernelViews &Views = Objects.views();
  SetVector<const Value *> All;
  All.insert(V);
  for (unsigned I = 0; I != All.size(); ++I) {
    const auto *W = dyn_cast<User>(All[I]);
    const auto *Call = dyn_cast<CallBase>(All[I]);
    if (!W || (Call && Objects.objectOf(Call) >= 0))
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(W)) {
      bool Zeroes = false;
      if (auto Held = Views.pointersIn(*Load, Zeroes))
        All.insert(Held->begin(), Held->end());
      else
        for (const Value *Any : Views.storedWhere(*Load))
          All.insert(Any);
    } else if (isa<GEPOperator, PHINode, SelectInst, CastInst, FreezeInst,
                   CallBase>(W)) {
      for (const Use &Op : W->operands())
        if (Op->getType()->isPointerTy())
          All.insert(Op.get());
    }
  }
  return All;
}

/// True if a buffer of object \p Object may exist where \p Call runs and \p Old
/// is not null: no path from its allocation leads past its free.
bool EffectsBuilder::mayExistAt(unsigned Object, const CallBase &Call,
                                const Value *Old) const {
  // With each block: Old was null on the way there, and is no new value since.
  SmallVector<std::pair<const BasicBlock *, unsigned>, 16> Work;
  DenseSet<std::pair<const BasicBlock *, unsigned>> Seen;
  auto Frees = [&](const Instruction &I) {
    auto It = Result.Events.find(I.getParent());
    return It != Result.Events.end() &&
           llvm::any_of(It->second, [&](const Event &E) {
             return E.At == &I && E.Kind == EventKind::Free && !E.Perhaps &&
                    !E.isResize() && E.Object == static_cast<int>(Object);
           });
  };
  auto Walk = [&](const BasicBlock *BB, const Instruction *From, bool Null) {
    for (const Instruction &I : make_range(
             From ? std::next(From->getIterator()) : BB->begin(), BB->end())) {
      Null &= &I != Old;
      if (&I == &Call && !Null)
        return true;
      if (isa<CallBase>(I) && Frees(I))
        return false;
    }
    for (const BasicBlock *Succ : successors(BB)) {
      unsigned Then = Null || isNullOn(BB, Succ, Old);
      if (!isNullOn(BB, Succ, Objects[Object].Pointer) &&
          Seen.insert({Succ, Then}).second)
        Work.push_back({Succ, Then});
    }
    return false;
  };
  for (const CallBase *Alloc : Objects[Object].allocs())
    if (Walk(Alloc->getParent(), Alloc, false))
      return true;
  while (!Work.empty()) {
    auto [BB, Null] = Work.pop_back_val();
    if (Walk(BB, nullptr, Null != 0))
      return true;
  }
  return false;
}

/// True if \p Call succeeded where control goes from \p From to \p To.
static bool succeededOn(const BasicBlock *From, const BasicBlock *To,
                        const CallBase &Call) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  SmallVector<const CallBase *, 4> Succeeded;
  if (Branch && Branch->isConditional() &&
      Branch->getSuccessor(0) != Branch->getSuccessor(1))
    addSucceededCalls(*Branch->getCondition(), Branch->getSuccessor(0) == To,
                      Succeeded);
  return is_contained(Succeeded, &Call);
}

/// The blocks that control may reach after \p Call, that of the call itself
/// included, though it failed.
static Blocks reachedByFailing(const CallBase &Call) {
  Blocks Reached = {Call.getParent()};
  SmallVector<const BasicBlock *, 16> Work = {Call.getParent()};
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    for (const BasicBlock *Succ : successors(BB))
      if (!succeededOn(BB, Succ, Call) && Reached.insert(Succ).second)
        Work.push_back(Succ);
  }
  return Reached;
}

/// True if the program looks at what the allocation of \p Object returned, or
/// at its address: a kernel may then get other arguments where there is none.
bool EffectsBuilder::asksWhetherThere(unsigned Object) const {
  if (isOff(Check::AskedWhetherThere))
    return false;
  auto IsAsked = [&](const Value *V) {
    return llvm::any_of(V->users(),
                        [](const User *U) { return isa<ICmpInst>(U); }) &&
           is_contained(Objects.resolve(V).Objects, Object);
  };
  return llvm::any_of(Objects[Object].allocs(),
                      [](const CallBase *Alloc) {
                        return !Alloc->getType()->isPointerTy() &&
                               !Alloc->use_empty();
                      }) ||
         llvm::any_of(Objects.derivedValues(), IsAsked);
}

/// Where the operand of \p To that may be \p Object is chosen, or null: not by
/// the path alone.
static const PHINode *choiceOf(const CallBase &To, unsigned Object,
                               const MemoryObjects &Objects) {
  const PHINode *Found = nullptr;
  for (const Use &Arg : To.args()) {
    if (!is_contained(Objects.resolve(Arg.get()).Objects, Object))
      continue;
    const Value *V = Arg.get();
    const auto *Phi = dyn_cast<PHINode>(V);
    while (Phi && Phi->getNumIncomingValues() == 1) {
      V = Phi->getIncomingValue(0);
      Phi = dyn_cast<PHINode>(V);
    }
    if (!Phi || Found)
      return nullptr;
    Found = Phi;
  }
  return Found;
}

/// True if control may come from an allocation of \p Object to \p To, a copy of
/// it, past all of \p Uses, launches. A path that skips one that could not be
/// configured is there for each launch, and does not count.
bool EffectsBuilder::mayComeUnused(unsigned Object, const CallBase &To,
                                   const Instructions &Uses) const {
  // The path shows what \p To copies where that is chosen by the path.
  const PHINode *Choice = choiceOf(To, Object, Objects);
  SmallSet<std::pair<const BasicBlock *, bool>, 16> Seen;
  SmallVector<std::pair<const Instruction *, bool>, 16> Work;
  for (const CallBase *Alloc : Objects[Object].allocs())
    Work.push_back({Alloc, true});
  auto Chooses = [&](const BasicBlock *From, const BasicBlock *Into,
                     bool Before) {
    if (!Choice || Choice->getParent() != Into)
      return Before;
    const Value *Chosen = Choice->getIncomingValueForBlock(From);
    return is_contained(Objects.resolve(Chosen).Objects, Object);
  };
  auto HasUse = [&](const BasicBlock &BB) {
    return llvm::any_of(
        BB, [&](const Instruction &I) { return Uses.contains(&I); });
  };
  while (!Work.empty()) {
    auto [I, Chosen] = Work.pop_back_val();
    const BasicBlock *BB = I->getParent();
    for (; I && (I != &To || !Chosen) && !Uses.contains(I);
         I = I->getNextNode())
      ;
    if (I == &To)
      return true;
    if (I)
      continue;
    for (const BasicBlock *Succ : successors(BB)) {
      bool Skips = llvm::any_of(successors(BB), [&](const BasicBlock *Other) {
        return Other->getSingleSuccessor() == Succ && HasUse(*Other);
      });
      const bool Then = Chooses(BB, Succ, Chosen);
      if (!Skips && Seen.insert({Succ, Then}).second)
        Work.push_back({&Succ->front(), Then});
    }
  }
  return false;
}

void EffectsBuilder::checkNeeds(const Function &F) {
  // By object: the copies that need it, and the launches that use it.
  DenseMap<unsigned, SmallVector<Event *, 4>> Copies;
  DenseMap<unsigned, Instructions> Launches;
  for (const BasicBlock &BB : F)
    for (Event &E : Result.Events[&BB]) {
      for (unsigned O : E.Needs)
        Copies[O].push_back(&E);
      // A library may find nothing to do.
      const auto *Call = dyn_cast<CallBase>(E.At);
      const Function *Stub = Call ? Call->getCalledFunction() : nullptr;
      if (E.Kind == EventKind::Gpu && Stub && isKernelStub(*Stub))
        for (const Access &A : E.Accesses)
          Launches[A.Object].insert(E.At);
    }
  for (auto &[Object, Needing] : Copies) {
    const MemoryObject &O = Objects[Object];
    const bool OnHeap = O.side() == Side::Host && !O.isPinned();
    Blocks Failed;
    for (const CallBase *Alloc : O.allocs())
      Failed.insert_range(reachedByFailing(*Alloc));
    const Instructions &Uses = Launches[Object];
    const bool ByUse = !OnHeap && !Uses.empty() && !asksWhetherThere(Object);
    for (Event *Copy : Needing)
      if (OnHeap || !Failed.contains(Copy->At->getParent()) ||
          (ByUse && (isOff(Check::UsedOnEachPath) ||
                     !mayComeUnused(Object, *cast<CallBase>(Copy->At), Uses))))
        erase(Copy->Needs, Object);
  }
}

/// True if somebody does more with \p Fresh, what the variable holds after
/// \p Call, than to compare it, though the call failed.
bool EffectsBuilder::isUsedByFailing(const CallBase &Call,
                                     const Value &Fresh) const {
  Blocks Reached = reachedByFailing(Call);
  SetVector<const Value *> Work;
  Work.insert(&Fresh);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const Use &U : Work[I]->uses()) {
      const auto *By = dyn_cast<Instruction>(U.getUser());
      const auto *Store = dyn_cast_or_null<StoreInst>(By);
      if (!By || isa<ICmpInst>(By))
        continue;
      if (const auto *Phi = dyn_cast<PHINode>(By)) {
        const BasicBlock *From = Phi->getIncomingBlock(U);
        if (Reached.contains(From) &&
            !succeededOn(From, Phi->getParent(), Call))
          Work.insert(By);
      } else if (const auto *Choice = dyn_cast<SelectInst>(By)) {
        SmallVector<const CallBase *, 4> Succeeded;
        addSucceededCalls(*Choice->getCondition(), U.getOperandNo() == 1,
                          Succeeded);
        if (!is_contained(Succeeded, &Call))
          Work.insert(By);
      } else if (isa<GetElementPtrInst, CastInst, FreezeInst>(By)) {
        Work.insert(By);
      } else if (Store && U.getOperandNo() == 0 &&
                 Objects.views().holds(*Store)) {
        for (const LoadInst *Load : Objects.views().loadsOf(*Store))
          Work.insert(Load);
      } else if (Store && U.getOperandNo() == 0 &&
                 isOutParameter(Store->getPointerOperand())) {
        for (const User *Other : Store->getPointerOperand()->users())
          if (isa<LoadInst>(Other) && Reached.contains(By->getParent()))
            Work.insert(Other);
      } else if (Reached.contains(By->getParent())) {
        return true;
      }
    }
  return false;
}

/// True if all that \p Old, a load from a view, could find there is gone: the
/// view's memory is new since.
static bool isOfNewMemory(const Value *Old, const KernelViews &Views,
                          const Function &F) {
  const auto *Load = dyn_cast<LoadInst>(Old);
  if (!Load || !Views.readsOnlyStored(*Load))
    return false;
  DominatorTree DT(const_cast<Function &>(F));
  for (const Instruction &I : instructions(F)) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (Store && Views.holds(*Store) &&
        is_contained(Views.loadsOf(*Store), Load) &&
        !Views.renewalOf(*Store, DT))
      return false;
  }
  return true;
}

void EffectsBuilder::checkFailing(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !isOutParameter(Store->getPointerOperand()) ||
        !Store->getValueOperand()->getType()->isPointerTy())
      continue;
    const Value *Old = Store->getValueOperand();
    SmallVector<const Value *, 2> Fresh;
    const CallBase *Call = nullptr;
    for (const User *U : Store->getPointerOperand()->users()) {
      if (isa<LoadInst>(U))
        Fresh.push_back(U);
      else if (const auto *By = dyn_cast<CallBase>(U);
               By && !By->isLifetimeStartOrEnd())
        Call = By;
    }
    if (!Call || Fresh.empty())
      continue;
    Target Both;
    for (const Value *V : sourcesOf(Old, Objects))
      for (unsigned O : Objects.resolve(V).Objects)
        if (!is_contained(Both.Objects, O) && mayExistAt(O, *Call, Old))
          Both.Objects.push_back(O);
    if (Both.none() || isOfNewMemory(Old, Objects.views(), F) ||
        llvm::none_of(
            Fresh, [&](const Value *V) { return isUsedByFailing(*Call, *V); }))
      continue;
    if (int New = Objects.objectOf(Call); New >= 0)
      Both.Objects.push_back(New);
    refuse(Both, Blocker::AmbiguousPointer, *Call,
           "where this fails, the variable still holds an earlier buffer");
  }
}

} // namespace echo
