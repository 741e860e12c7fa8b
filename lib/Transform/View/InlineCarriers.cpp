//===- InlineCarriers.cpp - Inlines what carries buffers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that only get pointers wait until the others are inlined: what these do
// shows which pointers lead to buffers (BufferFlow).
//
//===----------------------------------------------------------------------===//
#include "Transform/View/InlineCarriers.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Memory/Exposure.h"
#include "Transform/Body/Body.h"
#include "Transform/Body/KeptAccesses.h"
#include "Transform/View/BufferFlow.h"
#include "Transform/View/CanonicalizeCuda.h"
#include "Transform/View/KnownCallees.h"
#include "Transform/View/LaunchArrays.h"
#include "Transform/View/Normalize.h"
#include "Transform/View/Roots.h"
#include "Transform/View/SharedVariables.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

/// Instructions; beyond them a function is not inlined.
static constexpr size_t MaxCallee = 4000;
/// Instructions; up to these a function is inlined that carries no buffer.
static constexpr size_t SmallCallee = 40;
/// How often the limit is tried again without variables.
static constexpr int MaxPromotions = 3;
/// A third of the limit: if more is left without variables, it is code, and
/// what is still to be inlined will not fit either.
static constexpr size_t Hopeful = 3;

static bool passesPointer(const CallBase &Call) {
  return llvm::any_of(Call.args(),
                      [](const Use &U) { return U->getType()->isPointerTy(); });
}

SmallVector<CallBase *, 32> callsIn(Function &F) {
  SmallVector<CallBase *, 32> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back(Call);
  return Calls;
}

void promoteVariables(Function &F, FunctionAnalysisManager &FAM,
                      const ModelTable &Models) {
  dropRestrict(F);
  dropUnwindOfKnownCalls(F, Models);
  copySharedVariables(F, Models);
  FAM.invalidate(F, PreservedAnalyses::none());
  recordNames(F, Models);
  promoteBySroa(F, FAM);
  // Which array a launch gets shows only now.
  if (copyLaunchArguments(F, FAM.getResult<DominatorTreeAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    promoteBySroa(F, FAM);
  }
}

//===- What functions show ------------------------------------------------===//

size_t InlineCarriers::CalleeFacts::sizeOf(const Function &F) {
  auto [It, New] = Sizes.try_emplace(&F, 0);
  if (New)
    It->second = F.getInstructionCount();
  return It->second;
}

bool InlineCarriers::CalleeFacts::isSmallLeaf(const Function &F) {
  return sizeOf(F) <= SmallCallee &&
         llvm::none_of(instructions(F), [](const Instruction &I) {
           return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
         });
}

bool InlineCarriers::CalleeFacts::mayInline(const CallBase &Call,
                                            Function &Callee) {
  auto [It, New] = Inlinable.try_emplace(&Callee, false);
  if (New)
    It->second = mayBeInlined(Callee);
  return It->second && mayInlineAt(Call, Callee);
}

InlineCarriers::PromotedBodies::~PromotedBodies() {
  for (auto [F, Copy] : Copies)
    if (Copy)
      eraseCopy(*Copy, FAM);
}

Function &InlineCarriers::PromotedBodies::of(Function &F) {
  auto [It, New] = Copies.try_emplace(&F, nullptr);
  if (New)
    return F;
  if (!It->second) {
    It->second = copyOf(F, ".echo.promoted");
    promoteVariables(*It->second, FAM, Models);
  }
  return *It->second;
}

//===- What is inlined ----------------------------------------------------===//

InlineCarriers::InlineCarriers(const InlineRules &Rules, Function &F,
                               FunctionAnalysisManager &FAM)
    : Rules(Rules), F(F), FAM(FAM), InMain(isMain(F)),
      Recursive(FAM, [this](Function &Original,
                            Function &Copy) { prepareLoop(Original, Copy); }),
      Promoted(FAM, Rules.Models) {}

InlineCarriers::~InlineCarriers() {
  for (Function *Copy : Held)
    for (CallBase *Call : callsIn(*Copy))
      releaseNames(*Call);
}

bool InlineCarriers::cameFrom(int History, const Function *Callee) const {
  for (; History >= 0; History = Histories[History].second)
    if (Histories[History].first == Callee)
      return true;
  return false;
}

/// True if \p Callee's body may stand in for the call: it is the one that runs,
/// and its code means the same inside the caller.
bool InlineCarriers::inlinable(const CallBase &Call, Function &Callee) {
  if (!Facts.mayInline(Call, Callee) ||
      !FAM.getResult<TargetIRAnalysis>(Callee).areInlineCompatible(
          Call.getFunction(), &Callee))
    return false;
  // At -O0 clang marks everything noinline and optnone; noinline alone is the
  // user's wish, or the library's for what seldom runs: the last reference to
  // an object goes.
  bool Seldom = Callee.getName().starts_with("_ZNSt") &&
                Facts.sizeOf(Callee) <= SmallCallee;
  bool Unoptimized = Callee.hasFnAttribute(Attribute::OptimizeNone) &&
                     Call.getFunction()->hasFnAttribute(WasOptNone);
  if (Callee.hasFnAttribute(Attribute::NoInline) && !Unoptimized && !Seldom)
    return false;
  return Facts.sizeOf(Callee) <= MaxCallee;
}

/// False if \p Call, of \p Named, gets and gives numbers only and is large.
/// Small functions of numbers take part in sizes: std::__size_to_integer.
bool InlineCarriers::mayMatter(const CallBase &Call, const Function &Named,
                               const Function &Callee, bool Touches) {
  return Touches || passesPointer(Call) || Call.getType()->isPointerTy() ||
         (InMain && Rules.R.usesPointerVariables(Named)) ||
         Facts.sizeOf(Callee) <= SmallCallee;
}

/// Others may bring variables whose address they give away.
void InlineCarriers::prepareLoop(Function &Original, Function &Copy) {
  DenseSet<const Function *> Inner = Rules.Closed;
  Inner.insert(&Original);
  Inner.insert(&Copy);
  auto Calls = callsIn(Copy);
  erase_if(Calls, [](const CallBase *Call) {
    const Function *Callee = Call->getCalledFunction();
    return !Callee || Callee->getInstructionCount() > SmallCallee;
  });
  InlineRules Small{Rules.R, Inner, Rules.Models, MaxCallee};
  Small.Loops = false;
  InlineCarriers(Small, Copy, FAM).run(Calls);
  promoteVariables(Copy, FAM, Rules.Models);
}

bool InlineCarriers::addCarriers() {
  if (Waiting.empty())
    return false;
  DenseSet<const Value *> MayShow;
  for (const Site &S : Waiting)
    MayShow.insert(S.Call);
  auto IsGpu = [&](const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return !Callee || Rules.R.usesGpu(*Callee) ||
           callsGpu(*Callee, Rules.Models);
  };
  BufferFlow Flow(
      F, IsGpu, [&](const CallBase &Call) { return MayShow.contains(&Call); });
  size_t Before = Work.size();
  erase_if(Waiting, [&](Site &S) {
    auto *Call = dyn_cast_or_null<CallBase>(S.Call);
    if (Call && !Flow.carries(*Call))
      return false;
    if (Call)
      Work.push_back({Call, S.History, true});
    return true;
  });
  return Work.size() != Before;
}

void InlineCarriers::noteIndirectCalls() {
  for (CallBase *Call : callsIn(F))
    if (Call->isIndirectCall())
      Indirect.push_back(Call);
}

bool InlineCarriers::makeRoom(size_t More) {
  Size += More;
  if (Size <= Rules.MaxSize)
    return true;
  if (Promotions++ == MaxPromotions)
    return false;
  noteIndirectCalls();
  promoteVariables(F, FAM, Rules.Models);
  Size = F.getInstructionCount() + More;
  return Size <= Rules.MaxSize / Hopeful;
}

void InlineCarriers::inlineAt(CallBase &Call, Function &Body, Function &Callee,
                              const Function &Named, StringRef Path,
                              int History) {
  Call.setCalledFunction(&Body);
  InlineFunctionInfo Info;
  if (isa<InvokeInst>(Call) && &Body != &Callee && Held.insert(&Body).second)
    holdNames(Body);
  if (!InlineFunction(Call, Info, /*MergeAttributes=*/true).isSuccess()) {
    Call.setCalledFunction(&Callee);
    return;
  }
  extendCallPaths(Path, Info.InlinedCallSites);
  Histories.push_back({&Named, History});
  for (CallBase *Inner : Info.InlinedCallSites) {
    releaseNames(*Inner);
    Work.push_back({Inner, static_cast<int>(Histories.size()) - 1});
  }
}

bool InlineCarriers::step(Site S) {
  auto *Call = dyn_cast_or_null<CallBase>(S.Call);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Callee == &F || Rules.Closed.contains(Callee) ||
      cameFrom(S.History, Callee))
    return true;
  if (Rules.OnlyFlow && !S.Carries && passesPointer(*Call) &&
      Rules.R.staysReadable(*Callee) && !Facts.isSmallLeaf(*Callee)) {
    Waiting.push_back(S);
    return true;
  }
  const Function &Named = *Callee;
  bool Touches = Rules.R.touchesBuffers(*Callee);
  if (Rules.Loops && Touches && !Callee->isDeclaration() &&
      !Callee->isInterposable())
    if (Function *Loop = Recursive.asLoop(*Callee)) {
      Call->setCalledFunction(Loop);
      Callee = Loop;
    }
  // No body holds the loop that its view makes of a recursion.
  std::string Path =
      (callPath(*Call) + (&Named == Callee ? "" : NoCallPath)).str();
  if (!inlinable(*Call, *Callee) || !mayMatter(*Call, Named, *Callee, Touches))
    return true;
  Function *Copy = Rules.Prepared ? Rules.Prepared->lookup(Callee) : nullptr;
  Function &Body = Copy ? *Copy : Promoted.of(*Callee);
  if (!makeRoom(Facts.sizeOf(Body)))
    return false;
  // A promotion may have found that it never runs.
  if ((Call = dyn_cast_or_null<CallBase>(S.Call)))
    inlineAt(*Call, Body, *Callee, Named, Path, S.History);
  return true;
}

bool InlineCarriers::run(ArrayRef<CallBase *> Calls) {
  for (CallBase *Call : Calls)
    Work.push_back({Call, -1});
  Size = F.getInstructionCount();
  for (size_t Next = 0;; ++Next) {
    if (Next == Work.size() && !addCarriers())
      return true;
    if (!step(Work[Next]))
      return false;
  }
}

InlineCarriers::Calls InlineCarriers::takeIndirectCalls() {
  noteIndirectCalls();
  return std::move(Indirect);
}

} // namespace echo
