//===- Normalize.cpp - Brings a function into analyzable form -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlining comes first and is limited by size; promotion follows. The order
// matters: an out-parameter can only be seen once the wrappers around it are
// gone.
//
//===----------------------------------------------------------------------===//
#include "Transform/Normalize.h"
#include "Analysis/Exposure.h"
#include "Analysis/Names.h"
#include "Analysis/StubArguments.h"
#include "Transform/Body.h"
#include "Transform/BufferFlow.h"
#include "Transform/CanonicalizeCuda.h"
#include "Transform/EndPointers.h"
#include "Transform/ForwardLoads.h"
#include "Transform/HeapObjects.h"
#include "Transform/KeptAccesses.h"
#include "Transform/KnownCallees.h"
#include "Transform/LaunchArrays.h"
#include "Transform/LocalizeGlobals.h"
#include "Transform/Roots.h"
#include "Transform/SharedVariables.h"
#include "Transform/SplitFields.h"
#include "Transform/TailCalls.h"
#include "Transform/UnrollTables.h"
#include "Transform/VirtualCalls.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo {

/// Instructions; beyond them a function is not inlined.
static constexpr size_t MaxCallee = 4000;
/// The same of copies of functions that stay calls, of which there may be many.
static constexpr size_t MaxBody = 8000;
/// Instructions; up to these a function is inlined that carries no buffer.
static constexpr size_t SmallCallee = 40;

/// How often the limit is tried again without variables.
static constexpr int MaxPromotions = 3;

/// Functions given to functions given to functions that are followed.
static constexpr int MaxRounds = 3;

/// Objects in objects that are followed.
static constexpr int MaxNesting = 4;

/// Of a view: clang was told not to optimize its function.
static constexpr StringLiteral WasOptNone = "echo.optnone";

static bool passesPointer(const CallBase &Call) {
  return llvm::any_of(Call.args(),
                      [](const Use &U) { return U->getType()->isPointerTy(); });
}

namespace {
/// What all code of a function shows, kept: one may be called a thousand times
/// in a view. None of them may change while this lives.
class CalleeFacts {
public:
  size_t sizeOf(const Function &F) {
    auto [It, New] = Sizes.try_emplace(&F, 0);
    if (New)
      It->second = F.getInstructionCount();
    return It->second;
  }
  /// True if \p F is small, and calls nothing: no larger than the call, often.
  bool isSmallLeaf(const Function &F) {
    return sizeOf(F) <= SmallCallee &&
           llvm::none_of(instructions(F), [](const Instruction &I) {
             return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
           });
  }
  bool mayInline(const CallBase &Call, Function &Callee) {
    auto [It, New] = Inlinable.try_emplace(&Callee, false);
    if (New)
      It->second = mayBeInlined(Callee);
    return It->second && mayInlineAt(Call, Callee);
  }

private:
  DenseMap<const Function *, size_t> Sizes;
  DenseMap<const Function *, bool> Inlinable;
};
} // namespace

/// True if \p Callee's body may stand in for the call: it is the one that runs,
/// and its code means the same inside the caller.
static bool inlinable(const CallBase &Call, Function &Callee,
                      CalleeFacts &Facts, FunctionAnalysisManager &FAM) {
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

/// The calls of \p F whose callee is a value.
static SmallVector<WeakTrackingVH, 4> indirectCalls(Function &F) {
  SmallVector<WeakTrackingVH, 4> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
      Found.push_back(Call);
  return Found;
}

void dropRestrict(Function &F) {
  for (Instruction &I : llvm::make_early_inc_range(instructions(F))) {
    if (isa<NoAliasScopeDeclInst>(I)) {
      I.eraseFromParent();
      continue;
    }
    I.setMetadata(LLVMContext::MD_noalias, nullptr);
    I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
  }
}

static SROAPass promotion() { return SROAPass(SROAOptions::ModifyCFG); }

/// Makes values of the variables of what was inlined into \p F.
static void promoteVariables(Function &F, FunctionAnalysisManager &FAM,
                             const ModelTable &Models) {
  dropRestrict(F);
  dropUnwindOfKnownCalls(F, Models);
  copySharedVariables(F, Models);
  FAM.invalidate(F, PreservedAnalyses::none());
  recordNames(F, Models);
  promoteBy(F, FAM, promotion());
  // Which array a launch gets shows only now.
  if (copyLaunchArguments(F, FAM.getResult<DominatorTreeAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    promoteBy(F, FAM, promotion());
  }
}

static SmallVector<CallBase *, 32> callsIn(Function &F) {
  SmallVector<CallBase *, 32> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back(Call);
  return Calls;
}

namespace {
/// Copies of functions without their variables, to inline: what clang wrote
/// keeps everything in variables, and one function may be inlined a thousand
/// times. They go away with this, uncalled.
class PromotedBodies {
public:
  PromotedBodies(FunctionAnalysisManager &FAM, const ModelTable &Models)
      : FAM(FAM), Models(Models) {}
  PromotedBodies(const PromotedBodies &) = delete;
  PromotedBodies &operator=(const PromotedBodies &) = delete;
  ~PromotedBodies() {
    for (auto [F, Copy] : Copies)
      if (Copy)
        eraseCopy(*Copy, FAM);
  }
  /// The copy of \p F, made when it is asked for again, or \p F.
  Function &of(Function &F) {
    auto [It, New] = Copies.try_emplace(&F, nullptr);
    if (New)
      return F;
    if (!It->second) {
      It->second = copyOf(F, ".echo.promoted");
      promoteVariables(*It->second, FAM, Models);
    }
    return *It->second;
  }

private:
  FunctionAnalysisManager &FAM;
  const ModelTable &Models;
  FunctionCopies Copies;
};

/// A call to inline. Each remembers the functions it came from, against
/// recursion.
struct Site {
  WeakTrackingVH Call;
  int History;
  bool Carries = false; ///< what CUDA gets or gives, as far as is known
};
} // namespace

/// Moves those of \p Waiting, which are calls of \p F, to \p Work that carry
/// what CUDA gets or gives. False if there is none.
static bool addCarriers(const Function &F, const Roots &R,
                        const ModelTable &Models,
                        SmallVectorImpl<Site> &Waiting,
                        SmallVectorImpl<Site> &Work) {
  if (Waiting.empty())
    return false;
  DenseSet<const Value *> MayShow;
  for (const Site &S : Waiting)
    MayShow.insert(S.Call);
  auto IsGpu = [&](const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return !Callee || R.usesGpu(*Callee) || callsGpu(*Callee, Models);
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

/// Inlines \p Calls of \p F, and what they call, until nothing that carries
/// buffers is left. Returns false if that went past the limit, also without the
/// variables that code as clang wrote it keeps everything in. Adds to
/// \p Indirect the indirect calls that were there before a promotion. \p Loops:
/// what calls itself last is inlined as a loop. Of functions in \p Prepared
/// their copies are inlined. \p OnlyFlow: what has nothing to do with CUDA
/// stays a call.
static bool inlineCarriers(Function &F, ArrayRef<CallBase *> Calls,
                           const Roots &R,
                           const DenseSet<const Function *> &Closed,
                           FunctionAnalysisManager &FAM,
                           const ModelTable &Models, size_t MaxSize,
                           SmallVectorImpl<WeakTrackingVH> &Indirect,
                           const FunctionCopies &Prepared = FunctionCopies(),
                           bool Loops = true, bool OnlyFlow = false) {
  SmallVector<std::pair<const Function *, int>, 32> Histories;
  auto InHistory = [&](int H, const Function *Callee) {
    for (; H >= 0; H = Histories[H].second)
      if (Histories[H].first == Callee)
        return true;
    return false;
  };
  SmallVector<Site, 32> Work;
  for (CallBase *Call : Calls)
    Work.push_back({Call, -1});
  size_t Size = F.getInstructionCount();
  int Promotions = 0;
  bool InMain = isMain(F);
  TailCalls Recursive(FAM, [&](Function &Original, Function &Copy) {
    DenseSet<const Function *> Inner = Closed;
    Inner.insert(&Original);
    Inner.insert(&Copy);
    SmallVector<WeakTrackingVH, 4> Others;
    // Others may bring variables whose address they give away.
    auto Calls = callsIn(Copy);
    erase_if(Calls, [](const CallBase *Call) {
      const Function *Callee = Call->getCalledFunction();
      return !Callee || Callee->getInstructionCount() > SmallCallee;
    });
    inlineCarriers(Copy, Calls, R, Inner, FAM, Models, MaxCallee, Others,
                   FunctionCopies(), /*Loops=*/false);
    promoteVariables(Copy, FAM, Models);
  });
  PromotedBodies Promoted(FAM, Models);
  CalleeFacts Facts;
  DenseSet<Function *> Held; ///< copies whose calls hold their names
  llvm::scope_exit Release([&] {
    for (Function *Copy : Held)
      for (CallBase *Call : callsIn(*Copy))
        releaseNames(*Call);
  });
  SmallVector<Site, 32> Waiting; ///< for what the rest shows of buffers
  for (size_t Next = 0;; ++Next) {
    if (Next == Work.size() && !addCarriers(F, R, Models, Waiting, Work))
      break;
    auto *Call = dyn_cast_or_null<CallBase>(Work[Next].Call);
    int History = Work[Next].History;
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee == &F || Closed.contains(Callee) ||
        InHistory(History, Callee))
      continue;
    if (OnlyFlow && !Work[Next].Carries && passesPointer(*Call) &&
        R.staysReadable(*Callee) && !Facts.isSmallLeaf(*Callee)) {
      Waiting.push_back(Work[Next]);
      continue;
    }
    const Function *Named = Callee;
    bool Touches = R.touchesBuffers(*Callee);
    if (Loops && Touches && !Callee->isDeclaration() &&
        !Callee->isInterposable())
      if (Function *Loop = Recursive.asLoop(*Callee)) {
        Call->setCalledFunction(Loop);
        Callee = Loop;
      }
    // No body holds the loop that its view makes of a recursion.
    std::string Path =
        (callPath(*Call) + (Named == Callee ? "" : NoCallPath)).str();
    if (!inlinable(*Call, *Callee, Facts, FAM))
      continue;
    // Small functions of numbers take part in sizes: std::__size_to_integer.
    if (!Touches && !passesPointer(*Call) && !Call->getType()->isPointerTy() &&
        !(InMain && R.usesPointerVariables(*Named)) &&
        Facts.sizeOf(*Callee) > SmallCallee)
      continue;
    Function *Copy = Prepared.lookup(Callee);
    Function &Body = Copy ? *Copy : Promoted.of(*Callee);
    Size += Facts.sizeOf(Body);
    if (Size > MaxSize) {
      if (Promotions++ == MaxPromotions)
        return false;
      Indirect.append(indirectCalls(F));
      promoteVariables(F, FAM, Models);
      Size = F.getInstructionCount() + Facts.sizeOf(Body);
      Call = dyn_cast_or_null<CallBase>(Work[Next].Call);
      if (Size > MaxSize)
        return false;
      if (!Call)
        continue;
    }
    Call->setCalledFunction(&Body);
    InlineFunctionInfo Info;
    if (isa<InvokeInst>(Call) && &Body != Callee && Held.insert(&Body).second)
      holdNames(Body);
    if (!InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess()) {
      Call->setCalledFunction(Callee);
      continue;
    }
    extendCallPaths(Path, Info.InlinedCallSites);
    Histories.push_back({Named, History});
    for (CallBase *Inner : Info.InlinedCallSites) {
      releaseNames(*Inner);
      Work.push_back({Inner, static_cast<int>(Histories.size()) - 1});
    }
  }
  return true;
}

void allowPasses(Function &F) {
  if (F.hasFnAttribute(Attribute::OptimizeNone)) {
    F.removeFnAttr(Attribute::OptimizeNone);
    F.removeFnAttr(Attribute::NoInline);
    F.addFnAttr(WasOptNone);
  }
}

void simplifyBody(Function &F, FunctionAnalysisManager &FAM,
                  const ModelTable &Models, const Roots &R,
                  const DenseSet<const Function *> &Closed) {
  allowPasses(F);
  SmallVector<WeakTrackingVH, 4> Indirect;
  inlineCarriers(F, callsIn(F), R, Closed, FAM, Models, MaxBody, Indirect);
  promoteVariables(F, FAM, Models);
  foldBy(F, FAM, EarlyCSEPass(), InstCombinePass(), SimplifyCFGPass());
  promoteBy(F, FAM, promotion());
  foldBy(F, FAM, EarlyCSEPass());
}

/// Makes values of the fields of objects in \p F, and of what CUDA puts there.
static void splitObjects(Function &F, FunctionAnalysisManager &FAM,
                         const ModelTable &Models) {
  unrollTables(F, FAM, Models);
  canonicalizeOutParameters(F, Models);
  splitFields(F, Models);
  FAM.invalidate(F, PreservedAnalyses::none());
  promoteBy(F, FAM, promotion());
}

/// Computes what is constant and drops what never runs, as far as it shows now
/// that the variables of \p F are values.
static void foldValues(Function &F, FunctionAnalysisManager &FAM,
                       const ModelTable &Models) {
  if (forwardLoads(F, Models))
    FAM.invalidate(F, PreservedAnalyses::none());
  foldBy(F, FAM, EarlyCSEPass(), InstCombinePass(), SimplifyCFGPass());
  promoteBy(F, FAM, promotion());
  foldBy(F, FAM, EarlyCSEPass(), SimplifyCFGPass());
}

bool inlineAndSplit(Function &F, FunctionAnalysisManager &FAM,
                    const ModelTable &Models, const Roots &R,
                    const DenseSet<const Function *> &Closed,
                    const FunctionCopies &Prepared, size_t MaxSize) {
  allowPasses(F);
  // Nothing can be inlined then.
  if (F.getInstructionCount() > MaxSize)
    return false;
  SmallVector<CallBase *, 32> Calls = callsIn(F);
  bool Fits = true;
  // A function that is given to another one is known once that is inlined.
  for (int Round = 0; Round != MaxRounds && !Calls.empty(); ++Round) {
    SmallVector<WeakTrackingVH, 4> Indirect;
    Fits &= inlineCarriers(F, Calls, R, Closed, FAM, Models, MaxSize, Indirect,
                           Prepared, /*Loops=*/true, /*OnlyFlow=*/true);
    Indirect.append(indirectCalls(F));
    promoteVariables(F, FAM, Models);
    callVirtualFunctionsDirectly(F, Models);
    Calls.clear();
    for (CallBase *Call : callKnownFunctionsDirectly(F, Models))
      Calls.push_back(Call);
    FAM.invalidate(F, PreservedAnalyses::none());
    for (const WeakTrackingVH &V : Indirect)
      if (auto *Call = dyn_cast_or_null<CallBase>(V);
          Call && Call->getCalledFunction() && !is_contained(Calls, Call))
        Calls.push_back(Call);
  }
  if (localizeGlobals(F, Models)) {
    FAM.invalidate(F, PreservedAnalyses::none());
    promoteBy(F, FAM, promotion());
  }
  // An object's field may be the only pointer to another one.
  for (int Depth = 0; Depth != MaxNesting && moveHeapObjects(F, Models);
       ++Depth)
    splitObjects(F, FAM, Models);
  splitObjects(F, FAM, Models);
  return Fits;
}

void simplify(Function &F, FunctionAnalysisManager &FAM,
              const ModelTable &Models) {
  foldValues(F, FAM, Models);
  // Sizes that are products, and wrappers that return null for no bytes, show
  // small objects only now.
  for (int Depth = 0; Depth != MaxNesting && moveHeapObjects(F, Models);
       ++Depth) {
    splitObjects(F, FAM, Models);
    foldValues(F, FAM, Models);
  }
  if (mergeEndPointers(F, FAM.getResult<DominatorTreeAnalysis>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    foldBy(F, FAM, InstCombinePass(), EarlyCSEPass());
  }
}

bool normalize(Function &F, FunctionAnalysisManager &FAM,
               const ModelTable &Models, const Roots &R,
               const DenseSet<const Function *> &Closed, size_t MaxSize) {
  bool Fits =
      inlineAndSplit(F, FAM, Models, R, Closed, FunctionCopies(), MaxSize);
  // Else the passes take more than their share.
  if (F.getInstructionCount() <= MaxSize)
    simplify(F, FAM, Models);
  return Fits;
}

} // namespace echo
