//===- HostPass.cpp - SR on one translation unit --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyzes every root on a scratch copy, so that a function without an accepted
// pair stays as clang emitted it. Only then normalizes and rewrites the real
// one, on a fresh decision about it. Reports what holds for the real code.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decide.h"
#include "Analysis/Describe.h"
#include "Transform/Normalize.h"
#include "Transform/Pipeline.h"
#include "Transform/Report.h"
#include "Transform/Rewrite.h"
#include "Transform/Roots.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>
#include <set>

using namespace llvm;

namespace echo {

namespace {

class HostPass : public PassInfoMixin<HostPass> {
public:
  explicit HostPass(HostOptions Options) : Options(std::move(Options)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  bool load(Module &M);
  /// Keeps of \p Pairs and \p Kept what no root reported before.
  /// \p Fits: all that carries buffers was inlined.
  void report(UnitReport &Unit, const FunctionDecision &D, bool Fits);
  void publish(Module &M, const UnitReport &Unit);

  HostOptions Options;
  ModelTable Models;
  KernelFactsTable Kernels;
  std::set<std::string> Reported;
};

} // namespace

static void error(Module &M, Error Err) {
  M.getContext().diagnose(DiagnosticInfoGeneric(
      "echo: " + Twine(toString(std::move(Err))), DS_Error));
}

bool HostPass::load(Module &M) {
  for (const std::string &File : Options.ModelFiles)
    if (Error Err = Models.addFile(File)) {
      error(M, std::move(Err));
      return false;
    }
  if (Options.KernelFactsFile.empty())
    return true;
  auto Buffer = MemoryBuffer::getFile(Options.KernelFactsFile, /*IsText=*/true);
  if (!Buffer)
    return true; // no device job ran: nothing is known of any kernel
  auto Parsed = KernelFactsTable::parse((*Buffer)->getBuffer());
  if (!Parsed) {
    error(M, Parsed.takeError());
    return false;
  }
  Kernels = std::move(*Parsed);
  return true;
}

static std::string keyOf(const SourceLoc &L) {
  return L.File + ":" + std::to_string(L.Line) + ":" + std::to_string(L.Column);
}

void HostPass::report(UnitReport &Unit, const FunctionDecision &D, bool Fits) {
  std::set<std::string> Mine;
  auto IsNew = [&](const std::string &Key) {
    Mine.insert(Key);
    return !Reported.count(Key);
  };
  // A helper's pair can be safe in one place that uses it and not in another:
  // then both verdicts are listed.
  auto AddPair = [&](PairReport R) {
    if (!Fits && R.Reason == Blocker::UnknownCall)
      setReason(R, Blocker::TooComplex);
    if (IsNew(keyOf(R.Host.Loc) + "+" + keyOf(R.Device.Loc) +
              verdictName(R.Result)))
      Unit.Pairs.push_back(std::move(R));
  };
  for (const PairDecision &P : D.pairs())
    AddPair(P.Report);
  for (const PairReport &R : D.hiddenPairs())
    AddPair(R);
  for (const KeptCopy &K : D.copiesKept())
    if (Reported.insert(keyOf(K.Loc)).second)
      Unit.CopiesKept.push_back(K);
  Reported.merge(Mine);
}

void HostPass::publish(Module &M, const UnitReport &Unit) {
  emitRemarks(M, Unit);
  if (!Options.ReportText.empty())
    if (Error Err = updateTextReport(Options.ReportText, Unit))
      error(M, std::move(Err));
  if (!Options.ReportJson.empty())
    if (Error Err = updateJsonReport(Options.ReportJson, Unit))
      error(M, std::move(Err));
}

PreservedAnalyses HostPass::run(Module &M, ModuleAnalysisManager &MAM) {
  UnitReport Unit;
  Unit.Source = Options.Source;
  Unit.MinBytes = Options.MinBytes;
  if (!load(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Roots R(M, Models);
  UnitContext Context{Models, Kernels, Options.PerThreadDefaultStream,
                      R.mayHaveThreads(M, Models)};
  DenseSet<const Function *> Closed;
  std::vector<Function *> ToRewrite;
  std::map<Function *, UnitReport> Found;
  for (Function *Root : R.calleesFirst()) {
    ValueToValueMapTy Map;
    Function *Scratch = CloneFunction(Root, Map);
    Scratch->setName(Root->getName() + ".echo");
    Scratch->setLinkage(GlobalValue::InternalLinkage);
    Scratch->setComdat(nullptr);
    // A recursive call stays a call, as it does in the real function.
    Closed.insert(Root);
    bool Fits = normalize(*Scratch, FAM, Models, R, Closed);
    bool Rewrite = false;
    {
      FunctionDecision D(*Scratch, FAM, Context, Options.MinBytes);
      report(Found[Root], D, Fits);
      Rewrite = Options.Unify && D.anyAccepted();
      if (D.usesCallersBuffers())
        Closed.erase(Root);
    }
    FAM.clear(*Scratch, Scratch->getName());
    Scratch->eraseFromParent();
    if (Rewrite)
      ToRewrite.push_back(Root);
  }
  // Callers first: what they inline must not have been rewritten.
  for (Function *Root : llvm::reverse(ToRewrite)) {
    normalize(*Root, FAM, Models, R, Closed);
    FunctionDecision D(*Root, FAM, Context, Options.MinBytes);
    rewritePairs(*Root, D, FAM.getResult<LoopAnalysis>(*Root),
                 Options.PerThreadDefaultStream, Options.MinBytes);
    FAM.invalidate(*Root, PreservedAnalyses::none());
    assert(!verifyFunction(*Root, &errs()) && "rewrite broke the function");
  }
  for (Function *Root : R.calleesFirst()) {
    llvm::append_range(Unit.Pairs, Found[Root].Pairs);
    llvm::append_range(Unit.CopiesKept, Found[Root].CopiesKept);
  }
  // A copy that a helper makes with its caller's buffers is told with the pair.
  std::set<std::string> Linking;
  for (const PairReport &R : Unit.Pairs)
    for (const LinkCopy &L : R.Links)
      Linking.insert(keyOf(L.Loc));
  llvm::erase_if(Unit.CopiesKept, [&](const KeptCopy &K) {
    return Linking.count(keyOf(K.Loc)) != 0;
  });
  publish(M, Unit);
  return ToRewrite.empty() ? PreservedAnalyses::all()
                           : PreservedAnalyses::none();
}

void addHostPasses(PassBuilder &PB, const HostOptions &Options) {
  PB.registerPipelineStartEPCallback(
      [Options](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(HostPass(Options));
      });
}

} // namespace echo
