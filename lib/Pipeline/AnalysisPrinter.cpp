//===- AnalysisPrinter.cpp - Shows what the analysis saw ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function passes for opt, registered by the test plugin only:
//   echo-normalize         normalizes the function if it is worth analyzing
//   print<echo-events>     buffers and events of the function as it stands
//   print<echo-pairs>      its candidate pairs
//   print<echo-S1>         what condition S1 alone says of them; likewise each
//                          other condition of Conditions.def
//   print<echo-decisions>  its part of the text report
// The printers never normalize by themselves, so that a test shows each stage.
//
//===----------------------------------------------------------------------===//
#include "Pipeline/AnalysisPrinter.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Decision/Describe.h"
#include "Pipeline/Pipeline.h"
#include "Report/Report.h"
#include "Transform/View/Normalize.h"
#include "Transform/View/Roots.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

static StringRef kindName(MemoryObject::Kind K) {
  switch (K) {
  case MemoryObject::Malloc:
    return "malloc";
  case MemoryObject::Calloc:
    return "calloc";
  case MemoryObject::Aligned:
    return "aligned";
  case MemoryObject::New:
    return "new";
  case MemoryObject::Realloc:
    return "realloc";
  case MemoryObject::PinnedHost:
    return "pinned";
  case MemoryObject::CudaMalloc:
    return "cudaMalloc";
  }
  llvm_unreachable("unknown kind of buffer");
}

static StringRef kindName(EventKind K) {
  switch (K) {
  case EventKind::Host:
    return "host";
  case EventKind::Gpu:
    return "gpu";
  case EventKind::Copy:
    return "copy";
  case EventKind::Alloc:
    return "alloc";
  case EventKind::Free:
    return "free";
  case EventKind::Reset:
    return "reset";
  case EventKind::SyncDevice:
    return "sync-device";
  case EventKind::SyncStream:
    return "sync-stream";
  case EventKind::SyncEvent:
    return "sync-event";
  case EventKind::QueryStream:
    return "query-stream";
  case EventKind::QueryEvent:
    return "query-event";
  case EventKind::EventRecord:
    return "event-record";
  case EventKind::StreamWait:
    return "stream-wait";
  case EventKind::StreamDestroy:
    return "stream-destroy";
  case EventKind::Other:
    return "other";
  }
  llvm_unreachable("unknown kind of event");
}

static StringRef directionName(CopyDirection D) {
  switch (D) {
  case CopyDirection::HostToHost:
    return "H2H";
  case CopyDirection::HostToDevice:
    return "H2D";
  case CopyDirection::DeviceToHost:
    return "D2H";
  case CopyDirection::DeviceToDevice:
    return "D2D";
  case CopyDirection::Unknown:
    return "unknown direction";
  }
  llvm_unreachable("unknown direction");
}

static std::string sideText(int Object, bool AtBase) {
  if (Object < 0)
    return "other memory";
  return "#" + std::to_string(Object) + (AtBase ? "" : " at an offset");
}

static void printStream(const Event &E, raw_ostream &OS) {
  if (!E.HasStream)
    return;
  OS << ", stream ";
  if (E.StreamUnknown)
    OS << "unknown";
  else if (!E.Stream)
    OS << (E.PerThread ? "per-thread default" : "default");
  else
    E.Stream->printAsOperand(OS, /*PrintType=*/false);
}

static void printEvent(const Event &E, const Sizes &S, raw_ostream &OS) {
  OS << "    " << kindName(E.Kind) << " " << E.What;
  if (E.Object >= 0)
    OS << " #" << E.Object;
  if (E.Kind == EventKind::Copy) {
    OS << " " << sideText(E.Dst, E.DstAtBase) << " <- "
       << sideText(E.Src, E.SrcAtBase) << ", " << directionName(E.Direction)
       << ", " << (E.Bytes ? S.text(E.Bytes) : "2-D");
    if (E.Async)
      OS << ", async";
  }
  printStream(E, OS);
  if (E.Handle) {
    OS << ", event ";
    E.Handle->printAsOperand(OS, /*PrintType=*/false);
  }
  ListSeparator Comma;
  if (!E.Accesses.empty())
    OS << ": ";
  for (const Access &A : E.Accesses)
    OS << Comma << (A.Read ? "r" : "") << (A.Write ? "w" : "") << " #"
       << A.Object << (A.Full ? " all" : "");
  OS << '\n';
}

void printEvents(Function &F, const MemoryObjects &Objects, const Sizes &S,
                 const Effects &E, raw_ostream &OS) {
  OS << "events of '" << F.getName() << "'\n";
  if (const Refusal *Why = E.functionRefusal())
    OS << "  refused: " << blockerInfo(Why->Reason).Id << " (" << Why->What
       << ")\n";
  for (auto [I, O] : llvm::enumerate(Objects.objects())) {
    OS << "  #" << I << " " << kindName(O.What) << " ";
    O.Pointer->printAsOperand(OS, /*PrintType=*/false);
    OS << ", " << S.text(S.bytes(O));
    if (const Refusal *Why = E.refusal(I))
      OS << ", refused: " << blockerInfo(Why->Reason).Id << " (" << Why->What
         << ")";
    OS << '\n';
  }
  for (BasicBlock &BB : F) {
    if (E.in(&BB).empty())
      continue;
    OS << "  ";
    BB.printAsOperand(OS, /*PrintType=*/false);
    OS << ":\n";
    for (const Event &Ev : E.in(&BB))
      printEvent(Ev, S, OS);
  }
}

static void printSide(const MemoryObjects &Objects, unsigned O,
                      raw_ostream &OS) {
  OS << "#" << O << " ";
  Objects[O].Pointer->printAsOperand(OS, /*PrintType=*/false);
}

/// Prints "#0 %h + #1 %d".
static void printPair(const Pair &P, const MemoryObjects &Objects,
                      raw_ostream &OS) {
  OS << "  ";
  printSide(Objects, P.Host, OS);
  OS << " + ";
  printSide(Objects, P.Device, OS);
}

void printCondition(const Candidate &D, const MemoryObjects &Objects,
                    raw_ostream &OS) {
  printPair(D.P, Objects, OS);
  if (D.Refused)
    OS << ": " << blockerInfo(D.Refused->Reason).Id << " (" << D.Refused->What
       << ")";
  else if (D.Violation)
    OS << ": " << blockerInfo(D.Violation->Reason).Id << " ("
       << D.Violation->First->What
       << (D.Violation->Second ? ", then " + D.Violation->Second->What : "")
       << ")";
  else
    OS << ": holds";
  OS << '\n';
}

namespace {

/// What the passes read: the models and facts that the options name.
struct Inputs {
  HostOptions Options;
  ModelTable Models;
  KernelFactsTable Kernels;

  explicit Inputs(const HostOptions &Options) : Options(Options) {}
  Error load();
  UnitContext context(const Module &M, RunSearches &Runs) const {
    return {Models,
            Kernels,
            Runs,
            Options.PerThreadDefaultStream,
            /*OtherThreads=*/true,
            /*Bodies=*/nullptr,
            HostDependentWork(M, Models, Kernels),
            /*KeepsNoAlias=*/true};
  }
};

struct NormalizePass : PassInfoMixin<NormalizePass> {
  std::shared_ptr<Inputs> In;
  explicit NormalizePass(std::shared_ptr<Inputs> In) : In(std::move(In)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    Roots R(*F.getParent(), In->Models);
    if (!llvm::is_contained(R.calleesFirst(), &F))
      return PreservedAnalyses::all();
    normalize(F, FAM, In->Models, R, {});
    return PreservedAnalyses::none();
  }
};

/// A function of a test, and what is known of its module.
struct Unit {
  RunSearches Runs;
  UnitContext Context;

  Unit(const Function &F, const Inputs &In)
      : Runs(*F.getParent(), In.Models),
        Context(In.context(*F.getParent(), Runs)) {}
};

/// The buffers, events and candidate pairs of a function.
struct Stages {
  Sizes SizesOf;
  MemoryObjects Objects;
  Effects Events;
  std::vector<Pair> Pairs;

  Stages(Function &F, FunctionAnalysisManager &FAM, const UnitContext &Unit)
      : SizesOf(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        Objects(F, Unit.Models, FAM.getResult<LoopAnalysis>(F)),
        Events(F, Objects, SizesOf, Unit),
        Pairs(findPairs(F, Events, Objects, SizesOf,
                        FAM.getResult<LoopAnalysis>(F))) {}
};

struct EventsPrinter : PassInfoMixin<EventsPrinter> {
  std::shared_ptr<Inputs> In;
  explicit EventsPrinter(std::shared_ptr<Inputs> In) : In(std::move(In)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    Unit U(F, *In);
    Stages S(F, FAM, U.Context);
    printEvents(F, S.Objects, S.SizesOf, S.Events, errs());
    return PreservedAnalyses::all();
  }
};

struct PairsPrinter : PassInfoMixin<PairsPrinter> {
  std::shared_ptr<Inputs> In;
  explicit PairsPrinter(std::shared_ptr<Inputs> In) : In(std::move(In)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    Unit U(F, *In);
    Stages S(F, FAM, U.Context);
    errs() << "pairs of '" << F.getName() << "'\n";
    for (const Pair &P : S.Pairs) {
      printPair(P, S.Objects, errs());
      errs() << ": " << P.Copies.size() << " copies, " << P.Chosen.size()
             << " that may be" << (P.Prefix ? ", prefix" : "")
             << (P.Parts ? ", parts" : "") << '\n';
    }
    return PreservedAnalyses::all();
  }
};

/// What \p Asked says of \p Pairs as if it were the only condition.
std::vector<Candidate> askAlone(const Condition &Asked, ArrayRef<Pair> Pairs,
                                PairContext &C) {
  std::vector<Candidate> All(Pairs.size());
  SmallVector<Candidate *, 8> Left;
  for (auto [D, P] : llvm::zip_equal(All, Pairs)) {
    D.P = P;
    Left.push_back(&D);
  }
  // Later ones read what these find.
  S4Lifetimes().check(C, Left);
  S2InFlight().check(C, Left);
  for (Candidate &D : All) {
    D.Refused.reset();
    D.Violation.reset();
  }
  Asked.check(C, Left);
  return All;
}

struct ConditionPrinter : PassInfoMixin<ConditionPrinter> {
  std::shared_ptr<Inputs> In;
  std::string Id;
  ConditionPrinter(std::shared_ptr<Inputs> In, std::string Id)
      : In(std::move(In)), Id(std::move(Id)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    Unit U(F, *In);
    Stages S(F, FAM, U.Context);
    PairContext C(F, FAM, U.Context, S.Events, S.Objects, S.SizesOf);
    errs() << Id << " of '" << F.getName() << "'\n";
    for (const auto &Asked : makeConditions())
      if (Asked->id() == Id)
        for (const Candidate &D : askAlone(*Asked, S.Pairs, C))
          printCondition(D, S.Objects, errs());
    return PreservedAnalyses::all();
  }
};

/// The condition that "print<echo-ID>" names; empty: none.
std::string conditionOf(StringRef Name) {
  if (!Name.consume_front("print<echo-") || !Name.consume_back(">"))
    return "";
  for (const auto &C : makeConditions())
    if (C->id() == Name)
      return Name.str();
  return "";
}

struct DecisionsPrinter : PassInfoMixin<DecisionsPrinter> {
  std::shared_ptr<Inputs> In;
  explicit DecisionsPrinter(std::shared_ptr<Inputs> In) : In(std::move(In)) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    Unit U(F, *In);
    FunctionDecision D(F, FAM, U.Context, In->Options.MinBytes);
    UnitReport Report;
    Report.MinBytes = In->Options.MinBytes;
    for (const PairDecision &P : D.pairs())
      if (!P.isGuess())
        Report.Pairs.push_back(P.Report);
    Report.CopiesKept = D.copiesKept();
    errs() << "decisions of '" << F.getName() << "'\n";
    printReport(Report, errs());
    return PreservedAnalyses::all();
  }
};

} // namespace

static bool ReportsConditions; ///< for tests

void reportConditionsForTest() { ReportsConditions = true; }

void reportConditions(Function &F, FunctionAnalysisManager &FAM,
                      const UnitContext &Unit) {
  if (!ReportsConditions)
    return;
  Stages S(F, FAM, Unit);
  if (S.Pairs.empty())
    return;
  std::vector<std::string> Lines;
  for (const Pair &P : S.Pairs)
    Lines.push_back("stages " + placeText(siteOf(*S.Objects[P.Host].Alloc)) +
                    " + " + placeText(siteOf(*S.Objects[P.Device].Alloc)) +
                    ":");
  PairContext C(F, FAM, Unit, S.Events, S.Objects, S.SizesOf);
  for (const auto &Asked : makeConditions())
    for (auto [Line, D] :
         llvm::zip_equal(Lines, askAlone(*Asked, S.Pairs, C))) {
      Line += " " + Asked->id().str() + "=";
      Line += D.Refused     ? blockerInfo(D.Refused->Reason).Id
              : D.Violation ? blockerInfo(D.Violation->Reason).Id
                            : "holds";
    }
  for (const std::string &Line : Lines)
    errs() << Line << '\n';
}

Error Inputs::load() {
  for (const std::string &File : Options.ModelFiles)
    if (Error Err = Models.addFile(File))
      return Err;
  if (Options.KernelFactsFile.empty())
    return Error::success();
  auto Buffer = MemoryBuffer::getFile(Options.KernelFactsFile, /*IsText=*/true);
  if (!Buffer)
    return createFileError(Options.KernelFactsFile, Buffer.getError());
  auto Parsed = KernelFactsTable::parse((*Buffer)->getBuffer());
  if (!Parsed)
    return Parsed.takeError();
  Kernels = std::move(*Parsed);
  return Error::success();
}

void registerAnalysisPasses(PassBuilder &PB, const HostOptions &Options) {
  auto In = std::make_shared<Inputs>(Options);
  if (Error Err = In->load())
    report_fatal_error(std::move(Err), /*gen_crash_diag=*/false);
  PB.registerPipelineParsingCallback(
      [In](StringRef Name, FunctionPassManager &FPM,
           ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "echo-normalize")
          FPM.addPass(NormalizePass(In));
        else if (Name == "print<echo-events>")
          FPM.addPass(EventsPrinter(In));
        else if (Name == "print<echo-decisions>")
          FPM.addPass(DecisionsPrinter(In));
        else if (Name == "print<echo-pairs>")
          FPM.addPass(PairsPrinter(In));
        else if (std::string Id = conditionOf(Name); !Id.empty())
          FPM.addPass(ConditionPrinter(In, Id));
        else
          return false;
        return true;
      });
}

} // namespace echo
