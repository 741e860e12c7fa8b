//===- Normalize.cpp - Brings a function into analyzable form -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlining comes first and is limited by size; promotion follows. The order
// matters: an out-parameter can only be seen once the wrappers around it are
// gone.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/Normalize.h"
#include "Transform/Body/Body.h"
#include "Transform/Body/KeptAccesses.h"
#include "Transform/View/CanonicalizeCuda.h"
#include "Transform/View/ForwardLoads.h"
#include "Transform/View/HeapObjects.h"
#include "Transform/View/InlineCarriers.h"
#include "Transform/View/KnownCallees.h"
#include "Transform/View/LocalizeGlobals.h"
#include "Transform/View/Roots.h"
#include "Transform/View/SplitFields.h"
#include "Transform/View/UnrollTables.h"
#include "Transform/View/VectorEnds.h"
#include "Transform/View/VirtualCalls.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

namespace echo {

/// Functions given to functions given to functions that are followed.
static constexpr int MaxRounds = 3;

/// Objects in objects that are followed.
static constexpr int MaxNesting = 4;

/// The same as MaxRoot, of copies of functions that stay calls, of which there
/// may be many.
static constexpr size_t MaxBody = 8000;

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
  InlineCarriers({R, Closed, Models, MaxBody}, F, FAM).run(callsIn(F));
  promoteVariables(F, FAM, Models);
  foldBy(F, FAM, EarlyCSEPass(), InstCombinePass(), SimplifyCFGPass());
  promoteBySroa(F, FAM);
  foldBy(F, FAM, EarlyCSEPass());
}

/// Makes values of the fields of objects in \p F, and of what CUDA puts there.
static void splitObjects(Function &F, FunctionAnalysisManager &FAM,
                         const ModelTable &Models) {
  unrollTables(F, FAM, Models);
  canonicalizeOutParameters(F, Models);
  splitFields(F, Models);
  FAM.invalidate(F, PreservedAnalyses::none());
  promoteBySroa(F, FAM);
}

/// Computes what is constant and drops what never runs, as far as it shows now
/// that the variables of \p F are values.
static void foldValues(Function &F, FunctionAnalysisManager &FAM,
                       const ModelTable &Models) {
  if (forwardLoads(F, Models))
    FAM.invalidate(F, PreservedAnalyses::none());
  foldBy(F, FAM, EarlyCSEPass(), InstCombinePass(), SimplifyCFGPass());
  promoteBySroa(F, FAM);
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
  InlineRules Rules{R, Closed, Models, MaxSize};
  Rules.Prepared = &Prepared;
  Rules.OnlyFlow = true;
  bool Fits = true;
  // A function that is given to another one is known once that is inlined.
  for (int Round = 0; Round != MaxRounds && !Calls.empty(); ++Round) {
    InlineCarriers::Calls Indirect;
    {
      InlineCarriers Inliner(Rules, F, FAM);
      Fits &= Inliner.run(Calls);
      Indirect = Inliner.takeIndirectCalls();
    }
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
    promoteBySroa(F, FAM);
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
  if (mergeVectorEnds(F, FAM.getResult<DominatorTreeAnalysis>(F))) {
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
