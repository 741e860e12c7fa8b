//===- HostPass.cpp - SR on one module ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyzes every root on a scratch copy, so that a function without an accepted
// pair stays as clang emitted it, but for MakeRoom.h. The real one takes the
// copy's body where that is what normalizing it would give, is normalized
// itself elsewhere, and is rewritten on a fresh decision about it. What nothing
// calls any more is left alone. Reports what holds for the real code.
// The module is a translation unit, or what a link joined.
//
//===----------------------------------------------------------------------===//
#include "Analysis/CallReach.h"
#include "Analysis/Decide.h"
#include "Analysis/Describe.h"
#include "Analysis/Exposure.h"
#include "Analysis/OwnStreams.h"
#include "Transform/DeadFills.h"
#include "Transform/LibraryCopies.h"
#include "Transform/LinkUnit.h"
#include "Transform/LocalizeGlobals.h"
#include "Transform/MakeRoom.h"
#include "Transform/MemberNames.h"
#include "Transform/Normalize.h"
#include "Transform/Pipeline.h"
#include "Transform/Repair.h"
#include "Transform/Report.h"
#include "Transform/Rewrite.h"
#include "Transform/RootCopies.h"
#include "Transform/Roots.h"
#include "Transform/SimpleBodies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

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
  /// Adds to \p Unit what no root reported before.
  void addNew(UnitReport &Unit, UnitReport Root);
  /// The decision about normalized function \p F, repaired where asked for.
  std::unique_ptr<FunctionDecision>
  decide(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Context);
  void publish(Module &M, const UnitReport &Unit);

  HostOptions Options;
  bool AtLink;
  std::vector<std::string> ReportsText, ReportsJson;
  ModelTable Models;
  KernelFactsTable Kernels;
  std::set<std::string> Reported;
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
  forgetOwnStreams(M, Models);
  return true;
}

static std::string keyOf(const SourceLoc &L) {
  return L.File + ":" + std::to_string(L.Line) + ":" + std::to_string(L.Column);
}

/// What \p D says. \p Fits: all that carries buffers was inlined.
static UnitReport reportOf(const FunctionDecision &D, bool Fits) {
  UnitReport Root;
  auto AddPair = [&](PairReport R) {
    if (!Fits && R.Reason == Blocker::UnknownCall)
      setReason(R, Blocker::TooComplex);
    Root.Pairs.push_back(std::move(R));
  };
  for (const PairDecision &P : D.pairs())
    if (!P.isGuess())
      AddPair(P.Report);
  for (PairReport R : D.hiddenPairs()) {
    R.Hidden = true;
    AddPair(std::move(R));
  }
  Root.CopiesKept = D.copiesKept();
  return Root;
}

void HostPass::addNew(UnitReport &Unit, UnitReport Root) {
  std::set<std::string> Mine, Same;
  // A helper's pair can be safe in one place that uses it and not in another:
  // then both verdicts are listed. Places that are alike are listed once, as
  // where a template is inlined for several types.
  for (PairReport &R : Root.Pairs) {
    std::string Key =
        keyOf(R.Host.Loc) + "+" + keyOf(R.Device.Loc) + verdictName(R.Result);
    Mine.insert(Key);
    std::string Whole = Key + (R.Reason ? blockerInfo(*R.Reason).Id : "");
    for (const LinkCopy &L : R.Links)
      Whole += "+" + keyOf(L.Loc);
    for (const Cause &C : R.Because)
      Whole += "+" + keyOf(C.Loc);
    if (!Reported.count(Key) && Same.insert(Whole).second)
      Unit.Pairs.push_back(std::move(R));
  }
  for (KeptCopy &K : Root.CopiesKept)
    if (Reported.insert(keyOf(K.Loc)).second)
      Unit.CopiesKept.push_back(std::move(K));
  Reported.merge(Mine);
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

/// Removes what clang says of types: that a float and an int are never in one
/// place. Two host buffers that share a block may be of different types.
static void dropTypes(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      I.setMetadata(LLVMContext::MD_tbaa, nullptr);
      I.setMetadata(LLVMContext::MD_tbaa_struct, nullptr);
    }
}

std::unique_ptr<FunctionDecision> HostPass::decide(Function &F,
                                                   FunctionAnalysisManager &FAM,
                                                   const UnitContext &Context) {
  auto Decide = [&] {
    return std::make_unique<FunctionDecision>(F, FAM, Context,
                                              Options.MinBytes);
  };
  auto D = Decide();
  if (removeDeadFills(F, *D)) {
    FAM.invalidate(F, PreservedAnalyses::none());
    D = Decide();
  }
  // A wait that is added might never end.
  if (!Options.Repair || !Options.Unify || Context.WorkWaitsForHost)
    return D;
  return repair(F, FAM, Context, Options.MinBytes, std::move(D));
}

/// True if \p From calls \p To, itself or through others in sight.
static bool mayCall(const Function &From, const Function &To) {
  SetVector<const Function *> Work;
  Work.insert(&From);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const Instruction &Inst : instructions(*Work[I]))
      if (const auto *Call = dyn_cast<CallBase>(&Inst))
        if (const Function *Callee = Call->getCalledFunction()) {
          if (Callee == &To)
            return true;
          Work.insert(Callee);
        }
  return false;
}

/// True if \p F would be normalized now as it was when its callers had not been
/// looked at, and a clone's body can take the place of its own.
static bool mayTakeBody(const Function &F, const Roots &R) {
  return !R.isRecursive(F) && llvm::none_of(F, [](const BasicBlock &BB) {
    return BB.hasAddressTaken();
  });
}

/// Gives \p To the body of its clone \p From, which goes away.
static void takeBody(Function &To, Function &From) {
  for (BasicBlock &BB : To)
    BB.dropAllReferences();
  while (!To.empty())
    To.begin()->eraseFromParent();
  To.splice(To.begin(), &From);
  for (auto [Old, New] : llvm::zip(From.args(), To.args()))
    Old.replaceAllUsesWith(&New);
  To.setAttributes(From.getAttributes());
  // That of what was inlined, perhaps.
  if (From.hasPersonalityFn())
    To.setPersonalityFn(From.getPersonalityFn());
  From.setSubprogram(nullptr);
  From.eraseFromParent();
}

PreservedAnalyses HostPass::run(Module &M, ModuleAnalysisManager &MAM) {
  Expected<bool> Loaded = load(M);
  if (!Loaded)
    complain(M, Loaded.takeError());
  if (!Loaded || !*Loaded)
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = callFunctionsDirectly(M);
  Changed |= nameLibraryCalls(M);
  Roots R(M, Models);
  if (AtLink)
    dropInferredNoAlias(M, R);
  std::optional<SimpleBodies> Simple(std::in_place, FAM, Models, R);
  BodySource Bodies = [&](const Function &F) { return Simple->of(F); };
  RunSearches Runs(M, Models);
  UnitContext Context{Models,
                      Kernels,
                      Runs,
                      Options.PerThreadDefaultStream,
                      R.mayHaveThreads(M, Models),
                      &Bodies,
                      queuesWaitsForHost(M) || Kernels.someMayWait()};
  DenseSet<const Function *> Closed;
  // In a program whose many functions all inline the same large ones, each
  // would take the time of the whole program. main, which comes last and holds
  // most, is not cut.
  size_t Budget = 150000 + M.getInstructionCount();
  DenseMap<const Function *, size_t> Limits;
  std::vector<Function *> ToRewrite;
  RootCopies Copies(R, FAM);
  std::map<Function *, UnitReport> Found;
  for (Function *Root : R.calleesFirst()) {
    Function *Scratch = copyOf(*Root, ".echo");
    bool Stands = mayTakeBody(*Root, R);
    // A recursive call stays a call, as it does in the real function.
    Closed.insert(Root);
    size_t Limit = Limits[Root] =
        Budget || isMain(*Root) ? MaxRoot : MaxRootWithoutBudget;
    bool Fits =
        inlineAndSplit(*Scratch, FAM, Models, R, Closed,
                       Stands ? Copies.toInline() : FunctionCopies(), Limit);
    Function *ForCallers = nullptr;
    // A wait that is added is one of this function.
    if (Stands && Fits && Copies.hasCallers(*Root) && !Options.Repair)
      ForCallers =
          namesNoMembers(*Scratch) ? Scratch : copyOf(*Scratch, ".inline");
    Copies.inlinedInto(*Root);
    if (Scratch->getInstructionCount() <= Limit)
      simplify(*Scratch, FAM, Models);
    if (!Options.PerThreadDefaultStream)
      copyByCuda(*Scratch, FAM);
    Budget -= std::min<size_t>(Budget, Scratch->getInstructionCount());
    bool Rewrite = false;
    {
      auto D = decide(*Scratch, FAM, Context);
      Found[Root] = reportOf(*D, Fits);
      Rewrite = Options.Unify && D->anyAccepted();
      // Inlined constructors show which virtual functions are called.
      if (!D->complete() || !R.mayStayCall(*Root))
        Closed.erase(Root);
    }
    if (Rewrite)
      ToRewrite.push_back(Root);
    Copies.lookedAt(*Root, *Scratch, Stands && Rewrite, ForCallers,
                    !Closed.contains(Root));
  }
  bool SharedByHosts = false;
  // Callers first: what they inline must not have been rewritten.
  for (Function *Root : llvm::reverse(R.calleesFirst())) {
    auto [Clone, Simplified] = Copies.take(*Root);
    // All that called it has it inlined, and no other unit needs it from here.
    if (Root->isDefTriviallyDead() && !ToRewrite.empty()) {
      if (Clone)
        eraseCopy(*Clone, FAM);
      FAM.clear(*Root, Root->getName());
      Root->deleteBody();
      Root->setComdat(nullptr);
      continue;
    }
    if (!is_contained(ToRewrite, Root))
      continue;
    if (Clone) {
      takeBody(*Root, *Clone);
      FAM.invalidate(*Root, PreservedAnalyses::none());
      if (!Simplified)
        simplify(*Root, FAM, Models);
    } else {
      normalize(*Root, FAM, Models, R, Closed, Limits[Root]);
    }
    if (!(Clone && Simplified) && !Options.PerThreadDefaultStream)
      copyByCuda(*Root, FAM);
    auto D = decide(*Root, FAM, Context);
    SharedByHosts |= llvm::any_of(
        D->pairs(), [](const PairDecision &P) { return P.Grouped; });
    rewritePairs(*Root, *D, FAM.getResult<LoopAnalysis>(*Root),
                 Options.PerThreadDefaultStream, Options.MinBytes);
    FAM.invalidate(*Root, PreservedAnalyses::none());
    assert(!verifyFunction(*Root, &errs()) && "rewrite broke the function");
  }
  Simple.reset();
  if (!ToRewrite.empty())
    makeRoomForOthers(M);
  if (SharedByHosts)
    dropTypes(M);
  UnitReport Unit;
  Unit.Source = Options.Source;
  Unit.MinBytes = Options.MinBytes;
  // What was inlined wherever it is called has no say of its own, but knows the
  // names best.
  auto Running = functionsThatRun(M, M.getFunction("main"));
  std::map<std::string, const PairReport *> Inlined;
  auto KeyOf = [](const PairReport &P) {
    return keyOf(P.Host.Loc) + "+" + keyOf(P.Device.Loc);
  };
  // Where a caller has the buffers in sight, it knows better than a function
  // that has not.
  std::set<std::string> InSight;
  for (const auto &[Root, Report] : Found)
    for (const PairReport &P : Report.Pairs)
      if (!P.Hidden)
        InSight.insert(KeyOf(P));
  for (auto &[Root, Report] : Found)
    if (Running.contains(Root))
      llvm::erase_if(Report.Pairs, [&](const PairReport &P) {
        return P.Hidden && InSight.count(KeyOf(P)) != 0;
      });
  // Nothing was inlined into a function that is as it was: what a function that
  // it calls merges is told with that one.
  std::map<std::string, SmallVector<Function *, 1>> MergedIn;
  for (Function *Root : ToRewrite)
    for (const PairReport &P : Found[Root].Pairs)
      if (P.Result == Verdict::Unified || P.Result == Verdict::Guarded)
        MergedIn[KeyOf(P)].push_back(Root);
  for (Function *Root : R.calleesFirst())
    if (!is_contained(ToRewrite, Root))
      llvm::erase_if(Found[Root].Pairs, [&](const PairReport &P) {
        auto It = MergedIn.find(KeyOf(P));
        return It != MergedIn.end() &&
               llvm::any_of(It->second, [&](const Function *Callee) {
                 return mayCall(*Root, *Callee);
               });
      });
  for (Function *Root : R.calleesFirst()) {
    UnitReport &Mine = Found[Root];
    for (PairReport &P : Mine.Pairs) {
      if (!Running.contains(Root)) {
        Inlined.insert({KeyOf(P), &P});
      } else if (auto It = Inlined.find(KeyOf(P)); It != Inlined.end()) {
        const PairReport &Best = *It->second;
        if (Best.Host.Name)
          P.Host.Name = Best.Host.Name;
        if (Best.Device.Name)
          P.Device.Name = Best.Device.Name;
        if (!Best.SizeText.empty())
          P.SizeText = Best.SizeText;
      }
    }
    if (Running.contains(Root))
      addNew(Unit, std::move(Mine));
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
  return ToRewrite.empty() && !Changed ? PreservedAnalyses::all()
                                       : PreservedAnalyses::none();
}

void addHostPasses(PassBuilder &PB, const HostOptions &Options) {
  PB.registerPipelineStartEPCallback(
      [Options](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(HostPass(Options, /*AtLink=*/false));
      });
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
