//===- HostPass.cpp - SR on one module ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at every root by a view of it, a copy that is made readable and thrown
// away, and decides about its pairs. Then the bodies of those with accepted
// pairs are rewritten: clang's code, in which LLVM's inliner works on the paths
// to the calls that the decision names (Body.h). Reports what holds for them.
// The module is a translation unit, or what a link joined.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/OwnStreams.h"
#include "Analysis/Api/Prototypes.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Memory/Exposure.h"
#include "Pipeline/LinkUnit.h"
#include "Pipeline/Pipeline.h"
#include "Report/HostReport.h"
#include "Report/Report.h"
#include "Transform/Check/Check.h"
#include "Transform/Emit/BodyCalls.h"
#include "Transform/Emit/Erasure.h"
#include "Transform/Emit/Groups.h"
#include "Transform/Emit/MakeRoom.h"
#include "Transform/Emit/MergedInCallees.h"
#include "Transform/Emit/Repair.h"
#include "Transform/Emit/Rewrite.h"
#include "Transform/Emit/SharedCalls.h"
#include "Transform/View/ForwardLoads.h"
#include "Transform/View/LibraryCopies.h"
#include "Transform/View/LocalizeGlobals.h"
#include "Transform/View/MemberNames.h"
#include "Transform/View/Normalize.h"
#include "Transform/View/RootCopies.h"
#include "Transform/View/Roots.h"
#include "Transform/View/SimpleBodies.h"
#include "Transform/View/UnreadZeroes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"

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
  /// Gets models, facts and options together; false if there is nothing to do.
  Expected<bool> load(Module &M);
  void complain(Module &M, Error Err);
  /// True if somebody wants to know, or pairs may merge.
  bool hasWork(const Module &M) const;
  void publish(Module &M, const UnitReport &Unit);

  HostOptions Options;
  bool AtLink;
  std::vector<std::string> ReportsText, ReportsJson;
  ModelTable Models;
  KernelFactsTable Kernels;
};

} // namespace

/// A unit's error ends its compilation. A link goes on: its units are whole as
/// they are.
void HostPass::complain(Module &M, Error Err) {
  M.getContext().diagnose(DiagnosticInfoGeneric(
      AtLink ? "echo: no pair is merged: " + Twine(toString(std::move(Err)))
             : "echo: " + Twine(toString(std::move(Err))),
      AtLink ? DS_Warning : DS_Error));
}

static Expected<KernelFactsTable> readKernelFacts(const std::string &File) {
  if (File.empty())
    return KernelFactsTable();
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer) // no device job ran: nothing is known of any kernel
    return KernelFactsTable();
  return KernelFactsTable::parse((*Buffer)->getBuffer());
}

Expected<bool> HostPass::load(Module &M) {
  if (AtLink) {
    auto Linked = gatherUnits(M, Options);
    if (!Linked)
      return Linked.takeError();
    if (!*Linked)
      return false;
    Options = std::move((*Linked)->Options);
    Kernels = std::move((*Linked)->Facts);
    ReportsText = std::move((*Linked)->ReportsText);
    ReportsJson = std::move((*Linked)->ReportsJson);
  } else {
    auto Facts = readKernelFacts(Options.KernelFactsFile);
    if (!Facts)
      return Facts.takeError();
    Kernels = std::move(*Facts);
    if (!Options.ReportText.empty())
      ReportsText = {Options.ReportText};
    if (!Options.ReportJson.empty())
      ReportsJson = {Options.ReportJson};
  }
  for (const std::string &File : Options.ModelFiles)
    if (Error Err = Models.addFile(File, [&](StringRef Prefix) {
          return llvm::any_of(M, [&](const Function &F) {
            return F.getName().starts_with(Prefix);
          });
        }))
      return std::move(Err);
  // Without it, a call that selects a device would look like any other.
  if (!(Models.traits("cudaSetDevice") & SelectsDevice) &&
      llvm::any_of(
          M, [](const Function &F) { return F.getName().starts_with("cu"); }))
    return createStringError("no model says what CUDA's functions are: "
                             "cuda.model is missing");
  forgetOwnFunctions(M, Models);
  forgetOwnStreams(M, Models);
  return true;
}

bool HostPass::hasWork(const Module &M) const {
  const DiagnosticHandler *Remarks = M.getContext().getDiagHandlerPtr();
  return Options.Unify || Options.Check || !ReportsText.empty() ||
         !ReportsJson.empty() || M.getContext().getMainRemarkStreamer() ||
         (Remarks && Remarks->isAnyRemarkEnabled(RemarkPass));
}

void HostPass::publish(Module &M, const UnitReport &Unit) {
  emitRemarks(M, Unit);
  for (const std::string &File : ReportsText)
    if (Error Err = updateTextReport(File, Unit))
      complain(M, std::move(Err));
  for (const std::string &File : ReportsJson)
    if (Error Err = updateJsonReport(File, Unit))
      complain(M, std::move(Err));
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

/// True if the view of \p F is the same whether its callers were looked at or
/// not, and callers may inline it.
static bool mayServeCallers(const Function &F, const Roots &R) {
  return !R.isRecursive(F) && llvm::none_of(F, [](const BasicBlock &BB) {
    return BB.hasAddressTaken();
  });
}

namespace {
/// A root with pairs that may merge.
struct ToMerge {
  Function *Root, *View;
  std::unique_ptr<FunctionDecision> Decision;
  bool Fits; ///< all that carries buffers was inlined into the view
};

/// The work on one module: views and decisions, then bodies.
class ModuleWork {
public:
  ModuleWork(Module &M, FunctionAnalysisManager &FAM,
             const HostOptions &Options, const ModelTable &Models,
             const KernelFactsTable &Kernels, const Roots &R)
      : M(M), FAM(FAM), Options(Options), Models(Models), Kernels(Kernels),
        R(R), Numbers(M), Copies(R, FAM) {
    for (Function &F : M)
      Own.push_back(&F);
    if (ErasureCheck::isOn())
      Written.emplace(Own);
  }
  /// Decides about the pairs of all roots by views of them.
  void decideAll();
  /// Rewrites what was decided. True if anything is emitted that clang did not
  /// make.
  bool emitAll();
  UnitReport report();

private:
  /// The decision about view \p F, repaired where asked for.
  std::unique_ptr<FunctionDecision> decide(Function &F,
                                           const UnitContext &Context);
  void decideRoot(Function &Root, const UnitContext &Context);
  bool emitRoot(ToMerge &T, ErasureCheck *Check);
  /// Gives up the pairs of \p T that functions which it calls merge.
  void leaveToCallees(ToMerge &T);
  /// Works on code that is emitted, which only a test of the check asks for.
  void leakInto(Function &F, HostOptions::Leak Where) {
    if (Options.LeakView == Where)
      forwardLoads(F, Models);
  }

  Module &M;
  FunctionAnalysisManager &FAM;
  const HostOptions &Options;
  const ModelTable &Models;
  const KernelFactsTable &Kernels;
  const Roots &R;
  SmallVector<Function *, 64> Own; ///< all functions of the module
  CallNumbers Numbers;
  std::optional<FunctionHashes> Written; ///< of clang's code
  RootCopies Copies;
  HostReport Found;
  std::vector<ToMerge> Merging; ///< callees first
  /// Those of Merging, by root.
  DenseMap<const Function *, const FunctionDecision *> DecisionOf;
  DenseSet<const Function *> Closed, Rewritten;
  AskedCalls Asked;
  DenseSet<const Function *> RunThemselves; ///< with pairs left to them
  SharedCalls Shared;
  /// In a program whose many functions all inline the same large ones, each
  /// would take the time of the whole program. main, which comes last and holds
  /// most, is not cut.
  size_t Budget = 0;
};
} // namespace

std::unique_ptr<FunctionDecision>
ModuleWork::decide(Function &F, const UnitContext &Context) {
  auto Decide = [&] {
    return std::make_unique<FunctionDecision>(F, FAM, Context,
                                              Options.MinBytes);
  };
  auto D = Decide();
  if (markUnreadZeroes(F, *D))
    D = Decide();
  // A wait that is added might never end, and what kernels printed comes out
  // where the host waits.
  if (!Options.Repair || !Options.Unify || Context.Work.mayWaitForHost() ||
      Context.Work.mayPrint())
    return D;
  return repair(F, FAM, Context, Options.MinBytes, std::move(D));
}

void ModuleWork::decideRoot(Function &Root, const UnitContext &Context) {
  TimeTraceScope Whole("EchoRoot", Root.getName()); // -ftime-trace
  leakInto(Root, HostOptions::Leak::BeforeDecision);
  Function *View = echo::copyOf(Root, ".echo");
  bool Serves = mayServeCallers(Root, R);
  // A recursive call stays a call, as it does in the real function.
  Closed.insert(&Root);
  size_t Limit = Budget || isMain(Root) ? MaxRoot : MaxRootWithoutBudget;
  // Nothing is inlined where the most part would not fit by far.
  if (!isMain(Root) && R.sizeWithCallees(Root) > HopelessFactor * MaxRoot)
    Limit = Root.getInstructionCount();
  bool Fits = [&] {
    TimeTraceScope Scope("EchoInline", Root.getName());
    return inlineAndSplit(*View, FAM, Models, R, Closed,
                          Serves ? Copies.toInline() : FunctionCopies(), Limit);
  }();
  Function *ForCallers = nullptr;
  // A wait that is added is one of this function.
  if (Serves && Fits && Copies.hasCallers(Root) && !Options.Repair)
    ForCallers = namesNoMembers(*View) ? View : echo::copyOf(*View, ".inline");
  Copies.inlinedInto(Root);
  if (View->getInstructionCount() <= Limit) {
    TimeTraceScope Scope("EchoSimplify", Root.getName());
    simplify(*View, FAM, Models);
  }
  if (!Options.PerThreadDefaultStream)
    copyByCuda(*View, FAM);
  Budget -= std::min<size_t>(Budget, View->getInstructionCount());
  auto D = [&] {
    TimeTraceScope Scope("EchoDecide", Root.getName());
    return decide(*View, Context);
  }();
  Found.add(Root, *D, Fits);
  bool Keep = Options.Unify && D->anyAccepted();
  // Inlined constructors show which virtual functions are called.
  if (!D->complete() || !R.mayStayCall(Root))
    Closed.erase(&Root);
  if (Keep) {
    DecisionOf[&Root] = D.get();
    Merging.push_back({&Root, View, std::move(D), Fits});
  }
  D.reset();
  Copies.lookedAt(Root, *View, Keep, ForCallers, !Closed.contains(&Root));
}

void ModuleWork::decideAll() {
  DirectCalls Direct(M);
  nameLibraryCalls(M);
  SimpleBodies Simple(FAM, Models, R);
  BodySource Bodies = [&](const Function &F) { return Simple.of(F); };
  RunSearches Runs(M, Models);
  UnitContext Context{Models,
                      Kernels,
                      Runs,
                      Options.PerThreadDefaultStream,
                      R.mayHaveThreads(M, Models),
                      &Bodies,
                      HostDependentWork(M, Models, Kernels)};
  Budget = 150000 + M.getInstructionCount();
  for (Function *Root : R.calleesFirst())
    decideRoot(*Root, Context);
  forgetLibraryCalls(M);
}

/// Removes what says that a buffer has no second name, from functions that use
/// the GPU: where that works on the buffer, too, it has one. Loads and stores
/// of functions that leave the GPU alone keep all that clang said of them.
static void dropNoAlias(Module &M, const Roots &R) {
  for (Function &F : M) {
    if (F.isDeclaration() || (!R.touchesBuffers(F) && !isKernelStub(F)))
      continue;
    F.removeRetAttr(Attribute::NoAlias);
    for (Argument &A : F.args())
      A.removeAttr(Attribute::NoAlias);
  }
}

void ModuleWork::leaveToCallees(ToMerge &T) {
  if (Options.Repair) // it added waits for all pairs together
    return;
  auto Left =
      leavePairsToCallees(*T.Decision, *T.View, Numbers,
                          [&](Function &F) { return DecisionOf.lookup(&F); });
  RunThemselves.insert(Left.begin(), Left.end());
}

bool ModuleWork::emitRoot(ToMerge &T, ErasureCheck *Check) {
  leaveToCallees(T);
  // What was changed already cannot be inlined any more.
  Body B(*T.Root, Numbers,
         [&](Function &F) { return Rewritten.contains(&F) ? nullptr : &F; });
  BodyCalls Calls(*T.Decision, *T.View, B);
  // Every pair may count on each of them.
  if (T.Decision->anyAccepted() && !emitAddedWaits(*T.Decision, B))
    T.Decision->withdrawAll();
  if (Check)
    Check->inlined(*T.Root, B.inlined());
  leakInto(*T.Root, HostOptions::Leak::IntoBody);
  bool Merges = T.Decision->anyAccepted();
  if (!B.inlined().empty() || Merges)
    Rewritten.insert(T.Root);
  FAM.invalidate(*T.Root, PreservedAnalyses::none());
  Found.add(*T.Root, *T.Decision, T.Fits);
  if (!Merges)
    return false;
  addFunctionTable(M, Models);
  rewritePairs(*T.Root, *T.View, *T.Decision, Calls,
               FAM.getResult<LoopAnalysis>(*T.Root),
               Options.PerThreadDefaultStream, Options.MinBytes, Asked, Shared);
  FAM.invalidate(*T.Root, PreservedAnalyses::none());
  return true;
}

bool ModuleWork::emitAll() {
  if (Written)
    Written->check();
  if (Merging.empty())
    return false;
  dropNoAlias(M, R);
  std::optional<ErasureCheck> Check;
  if (ErasureCheck::isOn())
    Check.emplace(M, Numbers);
  // Callers first: what they inline must not have been rewritten.
  bool Any = false;
  for (ToMerge &T : llvm::reverse(Merging))
    Any |= emitRoot(T, Check ? &*Check : nullptr);
  if (Any)
    makeRoomForOthers(Own, Asked, Models, Shared);
  Shared.apply();
  for ([[maybe_unused]] const ToMerge &T : Merging)
    assert(!verifyFunction(*T.Root, &errs()) && "rewrite broke the function");
  if (Check)
    Check->check();
  return true;
}

UnitReport ModuleWork::report() {
  DenseMap<const Function *, const Function *> Views;
  SmallVector<Function *, 8> Merged;
  for (const ToMerge &T : Merging)
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
  UnitReport Unit = Found.take(R.calleesFirst(), Merged, Running);
  Unit.Source = Options.Source;
  Unit.MinBytes = Options.MinBytes;
  return Unit;
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
  Expected<bool> Loaded = load(M);
  if (!Loaded)
    complain(M, Loaded.takeError());
  if (!Loaded || !*Loaded || !hasWork(M))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Roots R(M, Models);
  UnitReport Unit;
  Unit.Source = Options.Source;
  Unit.MinBytes = Options.MinBytes;
  bool Changed = false;
  if (!R.calleesFirst().empty()) {
    if (AtLink)
      dropInferredNoAlias(M, R);
    DenseSet<const Function *> Before;
    for (const Function &F : M)
      Before.insert(&F);
    {
      ModuleWork Work(M, FAM, Options, Models, Kernels, R);
      Work.decideAll();
      Changed = Work.emitAll();
      Unit = Work.report();
    }
    dropNewDeclarations(M, Before);
  }
  publish(M, Unit);
  if (Options.Check)
    addCheckCalls(M, Unit, Models);
  return Changed || Options.Check || AtLink ? PreservedAnalyses::none()
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

void addLinkPasses(PassBuilder &PB, const HostOptions &Options) {
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [Options, &PB](ModulePassManager &MPM, OptimizationLevel Level) {
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
