//===- Emission.cpp - What is emitted of a module -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Emission.h.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/Emission.h"
#include "Analysis/Api/StubArguments.h"
#include "Transform/Emit/BodyCalls.h"
#include "Transform/Emit/Groups.h"
#include "Transform/Emit/MergedInCallees.h"
#include "Transform/Emit/Repair.h"
#include "Transform/Emit/Rewrite.h"
#include "Transform/View/LocalizeGlobals.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

Emission::Emission(Module &M, FunctionAnalysisManager &FAM,
                   const HostInputs &In, const Roots &R, RootDecisions &Decided)
    : M(M), FAM(FAM), In(In), R(R), Decided(Decided) {
  for (Function &F : M)
    Own.push_back(&F);
  if (ErasureCheck::isOn())
    Written.emplace(Own);
}

/// Removes what says that a buffer has no second name, from functions that use
/// the GPU: where that works on the buffer, too, it has one. Loads and stores
/// of functions that leave the GPU alone keep all that clang said of them.
static void dropNoAlias(Module &M, const Roots &R) {
  for (Function &F : M) {
    if (F.isDeclaration() || R.keepsNoAlias(F))
      continue;
    F.removeRetAttr(Attribute::NoAlias);
    for (Argument &A : F.args())
      A.removeAttr(Attribute::NoAlias);
    // Of functions that an optimizer inlined before a link saw them.
    for (Instruction &I : instructions(F)) {
      I.setMetadata(LLVMContext::MD_noalias, nullptr);
      I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    }
  }
}

void Emission::leaveToCallees(ToMerge &T) {
  if (In.Options.Repair) // it added waits for all pairs together
    return;
  auto Left = leavePairsToCallees(*T.Decision, *T.View, Decided.numbers(),
                                  [&](Function &F) { return Decided.of(F); });
  RunThemselves.insert(Left.begin(), Left.end());
}

bool Emission::emitRoot(ToMerge &T, ErasureCheck *Check) {
  leaveToCallees(T);
  // What was changed already cannot be inlined any more.
  Body B(*T.Root, Decided.numbers(),
         [&](Function &F) { return Rewritten.contains(&F) ? nullptr : &F; });
  BodyCalls Calls(*T.Decision, *T.View, B);
  // Every pair may count on each of them.
  if (T.Decision->anyAccepted() && !emitAddedWaits(*T.Decision, B))
    T.Decision->withdrawAll();
  if (Check)
    Check->inlined(*T.Root, B.inlined());
  leakInto(*T.Root, In, HostOptions::Leak::IntoBody);
  bool Merges = T.Decision->anyAccepted();
  if (!B.inlined().empty() || Merges)
    Rewritten.insert(T.Root);
  FAM.invalidate(*T.Root, PreservedAnalyses::none());
  Decided.found().add(*T.Root, *T.Decision, T.Fits);
  if (!Merges)
    return false;
  addFunctionTable(M, In.Models);
  rewritePairs(*T.Root, *T.View, *T.Decision, Calls,
               FAM.getResult<LoopAnalysis>(*T.Root), In.Options.MinBytes, Asked,
               Shared);
  FAM.invalidate(*T.Root, PreservedAnalyses::none());
  return true;
}

bool Emission::emitAll() {
  if (Written)
    Written->check();
  if (Decided.merging().empty())
    return false;
  dropNoAlias(M, R);
  std::optional<ErasureCheck> Check;
  if (ErasureCheck::isOn())
    Check.emplace(M, Decided.numbers());
  // Callers first: what they inline must not have been rewritten.
  bool Any = false;
  for (ToMerge &T : llvm::reverse(Decided.merging()))
    Any |= emitRoot(T, Check ? &*Check : nullptr);
  if (Any)
    makeRoomForOthers(Own, Asked, In.Models, Shared);
  Shared.apply();
  for ([[maybe_unused]] const ToMerge &T : Decided.merging())
    assert(!verifyFunction(*T.Root, &errs()) && "rewrite broke the function");
  if (Check)
    Check->check();
  return true;
}

UnitReport Emission::report() {
  DenseMap<const Function *, const Function *> Views;
  SmallVector<Function *, 8> Merged;
  for (const ToMerge &T : Decided.merging())
    if (T.Decision->anyAccepted()) {
      Views[T.Root] = T.View;
      Merged.push_back(T.Root);
    }
  auto Running = functionsThatRun(M, M.getFunction("main"),
                                  [&](const Function &F) -> const Function * {
                                    const Function *View = Views.lookup(&F);
                                    return View ? View : &F;
                                  });
  Running.insert(RunThemselves.begin(), RunThemselves.end());
  return Decided.found().take(R.calleesFirst(), Merged, Running);
}

} // namespace echo
