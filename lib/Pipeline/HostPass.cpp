//===- HostPass.cpp - SR on one module ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule: what is known of the module, its roots, the decisions about
// them, what is emitted, the report. The module is a translation unit, or what
// a link joined.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/FileNames.h"
#include "Analysis/Api/InlineAssembly.h"
#include "Pipeline/CopyLines.h"
#include "Pipeline/Emission.h"
#include "Pipeline/LinkUnit.h"
#include "Report/Estimates.h"
#include "Report/KeptReport.h"
#include "Report/Report.h"
#include "Report/RunMatch.h"
#include "Report/SuggestedChanges.h"
#include "Transform/Check/Check.h"
#include "Transform/View/Normalize.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace echo {

namespace {

class HostPass : public PassInfoMixin<HostPass> {
public:
  HostPass(HostOptions Options, bool AtLink)
      : Options(std::move(Options)), AtLink(AtLink) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  void complain(Module &M, Error Err) const;
  void publish(Module &M, const HostInputs &In, const UnitReport &Unit) const;

  HostOptions Options;
  bool AtLink;
};

} // namespace

/// A unit's error ends its compilation. A link goes on: its units are whole as
/// they are.
void HostPass::complain(Module &M, Error Err) const {
  const std::string Why = llvm::toString(std::move(Err));
  M.getContext().diagnose(DiagnosticInfoGeneric(
      Twine(AtLink ? "echo: no pair is merged: " : "echo: ") + Why,
      AtLink ? DS_Warning : DS_Error));
}

/// True if somebody wants to know, or pairs may merge.
static bool hasWork(const Module &M, const HostInputs &In) {
  const DiagnosticHandler *Remarks = M.getContext().getDiagHandlerPtr();
  return In.Options.Unify || In.Options.Check || !In.ReportsText.empty() ||
         !In.ReportsJson.empty() || M.getContext().getMainRemarkStreamer() ||
         (Remarks && Remarks->isAnyRemarkEnabled(RemarkPass));
}

void HostPass::publish(Module &M, const HostInputs &In,
                       const UnitReport &Unit) const {
  if (In.Options.OnReport)
    In.Options.OnReport(Unit);
  emitRemarks(M, Unit);
  for (const std::string &File : In.ReportsText)
    if (Error Err = updateReport(File, Unit, In.Options.Totals))
      complain(M, std::move(Err));
  for (const std::string &File : In.ReportsJson)
    if (Error Err = updateJsonReport(File, Unit))
      complain(M, std::move(Err));
  if (!In.ReportsText.empty() || !In.ReportsJson.empty())
    keepReport(M, Unit);
}

/// True if \p File is a source of the unit, or of the units that are linked.
static bool isSource(const HostInputs &In, StringRef File) {
  return any_of(In.Sources,
                [&](StringRef Source) { return isEndOf(File, Source); });
}

/// Warns of lines of --assume, and of macros, that name a source of \p Unit and
/// match no pair of it.
static void warnOfUnmatched(Module &M, const HostInputs &In,
                            const UnitReport &Unit) {
  const auto Warn = [&](const Twine &Text) {
    M.getContext().diagnose(DiagnosticInfoGeneric("echo: " + Text, DS_Warning));
  };
  for (const AssumedPair &Line : In.Assumed.all()) {
    if (Line.Found || !isSource(In, Line.Host.File))
      continue;
    std::string Text = Line.From + ": matches no pair of this unit";
    for (const PairReport &Pair : Unit.Pairs)
      if (Line.isAt(Pair)) {
        Text += "; the pair there is '" + Pair.Host.Name.value_or("") +
                "' and '" + Pair.Device.Name.value_or("") + "'";
        break;
      }
    Warn(Text);
  }
  for (const AssumedScope &Scope : In.Assumed.scopes())
    if (!Scope.Found && isSource(In, Scope.Place.File))
      Warn(Scope.Place.File + ":" + Twine(Scope.Place.Line) +
           ": no pair of this function has host buffer '" + Scope.HostName +
           "' and device buffer '" + Scope.DeviceName + "'");
}

/// Removes what an optimizer may have inferred in units that came optimized:
/// that a buffer has no second name. Where the GPU works on it, too, it may get
/// one.
static void dropInferredNoAlias(Module &M, const Roots &R) {
  for (Function &F : M) {
    if (F.isDeclaration() || !R.touchesBuffers(F))
      continue;
    F.removeRetAttr(Attribute::NoAlias);
    for (Argument &A : F.args())
      A.removeAttr(Attribute::NoAlias);
    dropRestrict(F);
  }
}

/// Removes from \p M the declarations that only views used: all that
/// \p Before does not have.
static void dropNewDeclarations(Module &M,
                                const DenseSet<const Function *> &Before) {
  for (Function &F : make_early_inc_range(M))
    if (F.isDeclaration() && F.use_empty() && !Before.contains(&F))
      F.eraseFromParent();
}

PreservedAnalyses HostPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto Loaded = loadInputs(M, Options, AtLink);
  if (!Loaded)
    complain(M, Loaded.takeError());
  if (!Loaded || !*Loaded || !hasWork(M, **Loaded))
    return PreservedAnalyses::all();
  const HostInputs &In = **Loaded;
  if (SmallString<256> Folder; AtLink && !sys::fs::current_path(Folder))
    noteLinkFolder(M, Folder);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Roots R(M, In.Models);
  UnitReport Unit;
  RunSources Known;
  if (In.Run)
    Known = {In.Sources, linesOfSeveralCopies(M)};
  bool Changed = false;
  if (!R.calleesFirst().empty()) {
    if (AtLink)
      dropInferredNoAlias(M, R);
    DenseSet<const Function *> Before;
    for (const Function &F : M)
      Before.insert(&F);
    {
      RootDecisions Decided(M, FAM, In, R);
      Emission Emitted(M, FAM, In, R, Decided);
      Decided.decideAll();
      Changed = Emitted.emitAll();
      Unit = Emitted.report();
    }
    dropNewDeclarations(M, Before);
  }
  Unit.Source = In.Options.Source;
  Unit.MinBytes = In.Options.MinBytes;
  Unit.NeedsLink = In.Options.CompiledOnly && In.Options.Unify &&
                   llvm::any_of(Unit.Pairs, [](const PairReport &Pair) {
                     return Pair.merges();
                   });
  if (AtLink)
    leaveOutLinking(Unit);
  if (Error Err = addSuggestedChanges(In.Options.Suggestions, Unit))
    complain(M, std::move(Err));
  if (In.Options.Estimate) {
    addEstimates(Unit, In.Rates);
    if (In.Run)
      addMeasured(Unit, *In.Run, Known);
  }
  publish(M, In, Unit);
  warnOfUnmatched(M, In, Unit);
  if (In.Options.Check)
    addCheckCalls(M, Unit, In.Models);
  return Changed || In.Options.Check || AtLink ? PreservedAnalyses::none()
                                               : PreservedAnalyses::all();
}

void addHostPasses(PassBuilder &PB, const HostOptions &Options) {
  PB.registerPipelineStartEPCallback(
      [Options](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(HostPass(Options, /*AtLink=*/false));
      });
  if (Options.Check)
    addCheckAccesses(PB);
}

namespace {
/// Keeps what inline assembly names as it is: the linker's view of a symbol,
/// which only bitcode uses, has no uses by assembly.
class KeepNamed : public PassInfoMixin<KeepNamed> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    SmallSetVector<GlobalValue *, 8> Named;
    const auto Keep = [&](StringRef Word) {
      GlobalValue *G = M.getNamedValue(Word);
      if (G && !G->isDeclaration())
        Named.insert(G);
    };
    forEachSymbolIn(M.getModuleInlineAsm(), Keep);
    for (const Function &F : M)
      for (const Instruction &I : instructions(F))
        if (const auto *Call = dyn_cast<CallBase>(&I))
          if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
            forEachSymbolIn(Asm->getAsmString(), Keep);
    if (Named.empty())
      return PreservedAnalyses::all();
    appendToCompilerUsed(M, Named.getArrayRef());
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

void addLinkPasses(PassBuilder &PB, const HostOptions &Options) {
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [Options, &PB](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(KeepNamed());
        MPM.addPass(HostPass(Options, /*AtLink=*/true));
        // The units came as clang emitted them.
        if (Level != OptimizationLevel::O0)
          MPM.addPass(PB.buildLTOPreLinkDefaultPipeline(Level));
      });
}

namespace {
class PrepareForLink : public PassInfoMixin<PrepareForLink> {
public:
  explicit PrepareForLink(HostOptions Options) : Options(std::move(Options)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Expected<KernelFactsTable> Facts = readKernelFacts(Options.KernelFactsFile);
    if (!Facts) {
      M.getContext().diagnose(DiagnosticInfoGeneric(
          "echo: " + Twine(toString(Facts.takeError())), DS_Error));
      return PreservedAnalyses::all();
    }
    prepareForLink(M, Options, *Facts);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  HostOptions Options;
};
} // namespace

void addPrepareForLink(PassBuilder &PB, const HostOptions &Options) {
  PB.registerPipelineStartEPCallback(
      [Options](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(PrepareForLink(Options));
      });
}

} // namespace echo
