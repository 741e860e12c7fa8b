//===- Decide.cpp - The decision about every pair of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the checks is the order in which a user would want to hear of
// them: what is not visible first, then shape and size, then S4, S1, S2.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decide.h"
#include "Analysis/CallReach.h"
#include "Analysis/CallStatus.h"
#include "Analysis/Checks.h"
#include "Analysis/Describe.h"
#include "Analysis/HiddenPairs.h"
#include "Analysis/InFlight.h"
#include "Analysis/Instances.h"
#include "Analysis/Names.h"
#include "Analysis/StreamKeys.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

FunctionDecision::FunctionDecision(Function &F, FunctionAnalysisManager &FAM,
                                   const UnitContext &Unit, uint64_t MinBytes)
    : SizesOf(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      Objects(F, Unit.Models), Events(F, Objects, SizesOf, Unit) {
  LoopWrites = findLoopWrites(
      F, Objects, FAM.getResult<ScalarEvolutionAnalysis>(F),
      FAM.getResult<LoopAnalysis>(F), FAM.getResult<DominatorTreeAnalysis>(F));
  SmallSet<unsigned, 8> Taken;
  std::vector<Pair> Pairs =
      findPairs(F, Events, Objects, SizesOf, FAM.getResult<LoopAnalysis>(F));
  for (const Pair &P : Pairs) {
    PairDecision D{P, false, 0, {}, {}};
    describePair(D.Report, P, Objects, SizesOf);
    decide(D, F, FAM, Unit, MinBytes);
    bool Shared = Taken.contains(P.Host) || Taken.contains(P.Device);
    if (D.Accepted && Shared && !isOff(Check::Rival)) {
      D.Accepted = false;
      D.Report.Result = Verdict::Declined;
      D.Report.Waits.clear();
      setReason(D.Report, Blocker::Rival);
    }
    if (D.Accepted) {
      Taken.insert(P.Host);
      Taken.insert(P.Device);
    }
    Decisions.push_back(std::move(D));
  }
  SmallVector<const Instruction *, 8> Explained;
  Hidden = findHiddenPairs(F, Events, Objects, Unit.Models, Pairs, Explained);
  collectKept(F, Explained);
  lookForCallersBuffers(F);
}

bool FunctionDecision::anyAccepted() const {
  return llvm::any_of(Decisions,
                      [](const PairDecision &D) { return D.Accepted; });
}

static std::string sizeOf(const MemoryObject &O, const SCEV *Bytes) {
  if (auto Constant = Sizes::constant(Bytes))
    return std::to_string(*Constant) + " B";
  return sizeText(O);
}

/// A reason in the shape of the copies or sizes, or nothing: every copy covers
/// the smaller buffer from the first byte of both. The larger one's further
/// bytes have no partner that a merge could harm.
static std::optional<Refusal>
checkShape(const Pair &P, const MemoryObjects &Objects, const Sizes &S) {
  const SCEV *HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *DeviceBytes = S.bytes(Objects[P.Device]);
  if (!P.Bytes)
    return Refusal{
        Blocker::SizeMismatch, Objects[P.Device].Alloc,
        "the device buffer has " + sizeOf(Objects[P.Device], DeviceBytes) +
            ", the host buffer " + sizeOf(Objects[P.Host], HostBytes)};
  for (const Event *C : P.Copies) {
    bool ToDevice = C->Dst == static_cast<int>(P.Device);
    auto Expected =
        ToDevice ? CopyDirection::HostToDevice : CopyDirection::DeviceToHost;
    if (C->Direction != Expected)
      return Refusal{Blocker::UnknownCopyKind, C->At, C->What};
    bool AtBase = C->DstAtBase && C->SrcAtBase;
    bool Whole = AtBase && C->Bytes && Sizes::equal(C->Bytes, P.Bytes);
    Check Rule = AtBase ? Check::PrefixCopy : Check::OffsetCopy;
    if (!Whole && (!C->Bytes || !isOff(Rule)))
      return Refusal{Blocker::PartialCopy, C->At, C->What};
  }
  return std::nullopt;
}

/// A wait and the default stream are those of the current device. A reason if
/// it may change while the buffers exist, as far as the function shows.
static std::optional<Refusal> checkDevice(const Function &F, const Pair &P,
                                          const MemoryObjects &Objects,
                                          const DominatorTree &DT) {
  SmallVector<const CallBase *, 4> Choices;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      if (mayRun(*Call, deviceSelectingFunctions()))
        Choices.push_back(Call);
  auto BeforeAll = [&](const CallBase *C) {
    return DT.dominates(C, Objects[P.Host].Alloc) &&
           DT.dominates(C, Objects[P.Device].Alloc);
  };
  // A function that selects some device is fine before everything.
  auto Selected = [](const CallBase *C) -> const Value * {
    const Function *Callee = C->getCalledFunction();
    bool Shown = Callee && (Callee->getName() == "cudaSetDevice" ||
                            Callee->getName() == "cudaInitDevice");
    return Shown ? C->getArgOperand(0) : nullptr;
  };
  const auto *Main = llvm::find_if(Choices, BeforeAll);
  for (const CallBase *C : Choices) {
    bool Same = Main != Choices.end() &&
                (C == *Main || (Selected(C) && Selected(C) == Selected(*Main)));
    if (Same || isOff(Check::OtherDevice))
      continue;
    const Function *Callee = C->getCalledFunction();
    return Refusal{Blocker::UnmodelledApi, C,
                   (Callee ? Callee->getName().str() : "an indirect call") +
                       " may select another device"};
  }
  return std::nullopt;
}

/// True if \p Call is one of CUDA or of a library that uses it.
static bool isOfCuda(const CallBase &Call, const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  const FunctionModel *M = Models.lookup(Callee->getName());
  return lookupCudaApi(Callee->getName()) || (M && M->usesGpu());
}

/// True if \p F may return with both buffers of \p P as they are, though no
/// CUDA call failed.
static bool mayOutlive(const Effects &Events, const Pair &P,
                       const ModelTable &Models) {
  SmallVector<std::pair<const BasicBlock *, const Instruction *>, 8> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  for (const Event *C : P.Copies)
    Work.push_back({C->At->getParent(), C->At});
  while (!Work.empty()) {
    auto [BB, From] = Work.pop_back_val();
    bool Behind = !From, Ends = false;
    for (const Event &E : Events.in(BB)) {
      Ends |= Behind && E.Kind == EventKind::Free && P.has(E.Object);
      Behind |= E.At == From;
    }
    if (Ends)
      continue;
    if (isa<ReturnInst, ResumeInst>(BB->getTerminator()))
      return true;
    for (const BasicBlock *Succ : successors(BB)) {
      const CallBase *Failed = callThatFailed(BB, Succ);
      bool IsCuda = Failed && isOfCuda(*Failed, Models);
      if (!IsCuda && Seen.insert(Succ).second)
        Work.push_back({Succ, nullptr});
    }
  }
  return false;
}

/// A reason if a stream that \p F uses may be captured into a graph: the copies
/// and launches then happen later, and again. A function out of sight may do
/// that. Or the caller does: \p F then leaves the buffers to the graph.
static std::optional<Refusal> checkCapture(const Function &F, const Pair &P,
                                           const Effects &Events,
                                           const ModelTable &Models) {
  const Event *SharedStream = nullptr, *Unknown = nullptr;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      bool Named = E.Stream && !isa<Constant>(E.Stream);
      if (E.StreamUnknown ||
          (Named && !isOwnHandle(E.Stream, ApiKind::StreamCreate, &Models)))
        SharedStream = &E;
      if (E.Kind == EventKind::Other && !E.HasStream)
        Unknown = &E;
    }
  if (!SharedStream || isOff(Check::StreamCapture))
    return std::nullopt;
  if (Unknown)
    return Refusal{Blocker::StreamCapture, Unknown->At,
                   Unknown->What + " may capture a stream"};
  if (mayOutlive(Events, P, Models))
    return Refusal{Blocker::StreamCapture, SharedStream->At,
                   "the caller may capture this stream, and the buffers stay"};
  return std::nullopt;
}

static bool startsIdle(const Function &F) {
  // A scratch copy of main is called main.echo.
  return F.getName() == "main" || F.getName() == "main.echo";
}

void FunctionDecision::decide(PairDecision &D, Function &F,
                              FunctionAnalysisManager &FAM,
                              const UnitContext &Unit, uint64_t MinBytes) {
  const Pair &P = D.P;
  auto Refuse = [&](const Refusal &Why) {
    D.Report.Result = Verdict::Declined;
    setReason(D.Report, Why.Reason);
    D.Report.Because.push_back({Why.What, locate(*Why.At)});
  };
  if (auto Bytes = D.Report.Bytes; Bytes && *Bytes < MinBytes) {
    D.Report.Result = Verdict::Skipped;
    return setReason(D.Report, Blocker::TooSmall);
  }
  if (const Refusal *Why = Events.functionRefusal())
    return Refuse(*Why);
  for (unsigned O : {P.Host, P.Device})
    if (const Refusal *Why = Events.refusal(O))
      return Refuse(*Why);
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, LI) &&
      !isOff(Check::ComplexControl))
    return Refuse({Blocker::ComplexControl, Objects[P.Host].Alloc,
                   "the function has a loop with two entries"});
  if (auto Why = checkShape(P, Objects, SizesOf))
    return Refuse(*Why);
  if (auto Why =
          checkDevice(F, P, Objects, FAM.getResult<DominatorTreeAnalysis>(F)))
    return Refuse(*Why);
  if (auto Why = checkCapture(F, P, Events, Unit.Models))
    return Refuse(*Why);
  S4Result S4 = checkS4(F, Events, P, Objects, LI);
  if (S4.Why)
    return Refuse(*S4.Why);
  auto Conflicting = [&](const Conflict &C) {
    D.Report.Result = Verdict::Declined;
    setReason(D.Report, C.Reason);
    describeConflict(D.Report, C, P);
  };
  if (auto C = checkS1(F, Events, P, LoopWrites))
    return Conflicting(*C);
  StreamKeys Keys(LI, Unit.PerThreadDefaultStream, Unit.OtherThreads);
  S2Result S2 = checkS2(F, Events, P, Objects, Keys, *S4.First, startsIdle(F));
  if (S2.Violation)
    return Conflicting(*S2.Violation);
  D.Accepted = true;
  D.First = *S4.First;
  D.Unsure = std::move(S2.Unsure);
  bool Constant = Sizes::constant(SizesOf.bytes(Objects[P.Host])) &&
                  Sizes::constant(SizesOf.bytes(Objects[P.Device]));
  bool Equal = Sizes::equal(SizesOf.bytes(Objects[P.Host]),
                            SizesOf.bytes(Objects[P.Device]));
  // Where run time must compare the sizes, echort merges equal ones only: the
  // copies, which cover one of the two, then cover both.
  D.Report.Result = Constant || Equal ? Verdict::Unified : Verdict::Guarded;
  D.Report.Quiescent = S2.Quiescent && !Unit.OtherThreads;
  for (const Event *C : P.Copies)
    if (!llvm::is_contained(S2.IdleCopies, C))
      D.Report.Waits.push_back({locate(*C->At), C->Async ? "marker" : "event"});
}

/// Copies with one side in a buffer of the function that are part of no pair.
void FunctionDecision::collectKept(Function &F,
                                   ArrayRef<const Instruction *> Explained) {
  for (BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      if (E.Kind != EventKind::Copy || (E.Dst >= 0 && E.Src >= 0) ||
          is_contained(Explained, E.At))
        continue;
      if (E.Direction != CopyDirection::HostToDevice &&
          E.Direction != CopyDirection::DeviceToHost)
        continue;
      bool HostUnknown =
          (E.Direction == CopyDirection::HostToDevice) ? E.Src < 0 : E.Dst < 0;
      Kept.push_back({locate(*E.At),
                      HostUnknown
                          ? "the host side is no buffer that this function "
                            "allocates in a form that Echo follows"
                          : "the device side is no buffer that this function "
                            "allocates in a form that Echo follows"});
    }
}

void FunctionDecision::lookForCallersBuffers(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    auto Api = Callee ? lookupCudaApi(Callee->getName()) : std::nullopt;
    if (!Api)
      continue;
    for (auto [Role, Arg] : llvm::zip(Api->Roles, Call->args())) {
      if (Role != ApiRole::Dst && Role != ApiRole::Src)
        continue;
      const Value *Base = getUnderlyingObject(Arg.get());
      CallersBuffers |= isa<Argument>(Base) || isa<LoadInst>(Base);
    }
  }
}

} // namespace echo
