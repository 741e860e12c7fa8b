//===- Decide.cpp - The decision about every pair of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the checks is the order in which a user would want to hear of
// them: what is not visible first, then shape and size, then S4, S1, S2.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/Decide.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Conditions/DeviceChoices.h"
#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Conditions/Instances.h"
#include "Analysis/Conditions/StreamCapture.h"
#include "Analysis/Decision/Describe.h"
#include "Analysis/Decision/HiddenPairs.h"
#include "Analysis/Decision/Rivals.h"
#include "Analysis/Events/StreamKeys.h"
#include "Analysis/Kernels/PackedArguments.h"
#include "Analysis/Memory/Exposure.h"
#include "Analysis/Memory/LiveInstances.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
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
      Objects(F, Unit.Models, FAM.getResult<LoopAnalysis>(F)),
      Events(F, Objects, SizesOf, Unit), Work(Unit.Work) {
  std::vector<Pair> Pairs =
      findPairs(F, Events, Objects, SizesOf, FAM.getResult<LoopAnalysis>(F));
  if (!Pairs.empty())
    decide(Pairs, F, FAM, Unit, MinBytes);
  SmallVector<const Instruction *, 8> Explained;
  Hidden = findHiddenPairs(F, Events, Objects, Unit.Models, Pairs, Explained);
  collectKept(F, Explained);
  Complete = needsNoCaller(F, Unit);
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

/// A reason in the shape of the copies or sizes, or nothing: every copy leaves
/// each byte in its place in the other buffer. What the larger buffer has
/// beyond the smaller one has no partner that a merge could harm.
static std::optional<Refusal>
checkShape(const Pair &P, const MemoryObjects &Objects, const Sizes &S) {
  const SCEV *HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *DeviceBytes = S.bytes(Objects[P.Device]);
  for (const Event *C : P.Copies) {
    bool ToDevice = C->Dst == static_cast<int>(P.Device);
    auto Expected =
        ToDevice ? CopyDirection::HostToDevice : CopyDirection::DeviceToHost;
    if (C->Direction != Expected)
      return Refusal{Blocker::UnknownCopyKind, C->At, C->What};
    if (passesEnd(*C, P, Objects, S))
      return Refusal{Blocker::SizeMismatch, C->At,
                     C->What + ": the device buffer has " +
                         sizeOf(Objects[P.Device], DeviceBytes) +
                         ", the host buffer " +
                         sizeOf(Objects[P.Host], HostBytes)};
    if (!P.Parts && !P.copiesAll(*C))
      return Refusal{Blocker::PartialCopy, C->At, C->What};
  }
  return std::nullopt;
}

/// A reason if a buffer of \p P may have partners of several sizes, one after
/// the other. Run time keeps those apart whose size is another one; what their
/// copies leave as it was is needed of the one that merges.
static std::optional<Refusal> checkPartners(const Pair &P,
                                            const MemoryObjects &Objects,
                                            const Sizes &S,
                                            const LoopInfo &LI) {
  const SCEV *HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *DeviceBytes = S.bytes(Objects[P.Device]);
  if (P.Grown || Sizes::equal(HostBytes, DeviceBytes) ||
      (Sizes::constant(HostBytes) && Sizes::constant(DeviceBytes)))
    return std::nullopt;
  for (unsigned O : {P.Host, P.Device}) {
    const CallBase *Alloc = Objects[O].Alloc;
    const SCEV *Bytes = S.bytes(Objects[O]);
    for (const Loop *L = LI.getLoopFor(Alloc->getParent());
         L && !L->contains(Objects[P.partner(O)].Alloc); L = L->getParentLoop())
      if (!Bytes || !S.isInvariant(Bytes, *L))
        return Refusal{Blocker::InstanceMismatch, Alloc,
                       "each round may allocate another size, and the other "
                       "buffer stays"};
  }
  return std::nullopt;
}

/// True if \p C, a call that selects a device, runs before the device buffer of
/// \p P exists and not again while the host buffer does, and the GPU has not
/// touched that before. (At run time a device buffer joins only on the device
/// that was current when the host buffer was allocated.)
static bool choosesBefore(const CallBase *C, const Pair &P,
                          const Effects &Events, const MemoryObjects &Objects,
                          const DominatorTree &DT, const LoopInfo &LI) {
  auto Hosts = Objects[P.Host].allocs();
  if (!DT.dominates(C, Objects[P.Device].Alloc))
    return false;
  if (llvm::all_of(Hosts, [&](auto *Host) { return DT.dominates(C, Host); }))
    return true;
  if (const Loop *L = LI.getLoopFor(C->getParent()))
    for (const CallBase *Host : Hosts)
      if (!L->contains(Host))
        return false;
  auto Touches = [&](const Event &E) {
    int H = P.Host;
    return (E.Kind == EventKind::Gpu || E.Kind == EventKind::Copy) &&
           (E.Dst == H || E.Src == H ||
            llvm::any_of(E.Accesses, [&](const Access &A) {
              return static_cast<int>(A.Object) == H;
            }));
  };
  return llvm::all_of(*C->getFunction(), [&](const BasicBlock &BB) {
    return llvm::all_of(Events.in(&BB), [&](const Event &E) {
      return !Touches(E) || DT.dominates(C, E.At);
    });
  });
}

/// The call of the function itself that creates \p V, of kind \p Create, or
/// null.
static const CallBase *createdBy(const Value *V, ApiKind Create) {
  auto Creators = creatorsOf(V, Create);
  bool IsOut = !Creators.empty() &&
               isOutParameter(cast<LoadInst>(V)->getPointerOperand());
  return IsOut ? Creators.front() : nullptr;
}

/// For each creation of a stream or event that is used, the choices of a device
/// that may run after it.
using ChoicesBehind =
    SmallVector<std::pair<const CallBase *, SmallVector<const CallBase *, 2>>>;

static ChoicesBehind choicesBehindCreations(ArrayRef<const CallBase *> Choices,
                                            const Function &F,
                                            const Effects &Events) {
  ChoicesBehind Found;
  if (Choices.empty() || isOff(Check::OtherDevice))
    return Found;
  SmallSetVector<const CallBase *, 8> Creations;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      if (E.HasStream)
        Creations.insert(createdBy(E.Stream, ApiKind::StreamCreate));
      if (E.Kind == EventKind::EventRecord)
        Creations.insert(createdBy(E.Handle, ApiKind::EventCreate));
    }
  Creations.remove(nullptr);
  for (const CallBase *Create : Creations) {
    InstructionsBehind Behind({Create});
    Found.push_back({Create, {}});
    llvm::copy_if(Choices, std::back_inserter(Found.back().second),
                  [&](const CallBase *C) { return Behind.contains(*C); });
  }
  return Found;
}

/// A wait and the default stream are those of the current device. A reason if
/// it may change while the buffers exist, as far as \p Choices show.
static std::optional<Refusal> checkDevice(ArrayRef<const CallBase *> Choices,
                                          const ChoicesBehind &OfCreations,
                                          const Pair &P, const Effects &Events,
                                          const MemoryObjects &Objects,
                                          const DominatorTree &DT,
                                          const LoopInfo &LI) {
  if (Choices.empty())
    return std::nullopt;
  auto BeforeAll = [&](const CallBase *C) {
    return choosesBefore(C, P, Events, Objects, DT, LI);
  };
  // A function that selects some device is fine before everything.
  auto Selected = [](const CallBase *C) -> const Value * {
    const Function *Callee = C->getCalledFunction();
    bool Shown = Callee && (Callee->getName() == "cudaSetDevice" ||
                            Callee->getName() == "cudaInitDevice");
    return Shown ? C->getArgOperand(0) : nullptr;
  };
  // What is over before either buffer exists chooses for both.
  SmallVector<const Instruction *, 3> Allocs = {Objects[P.Device].Alloc};
  llvm::append_range(Allocs, Objects[P.Host].allocs());
  InstructionsBehind Later(Allocs);
  auto IsOver = [&](const CallBase *C) { return !Later.contains(*C); };
  const auto *Main = llvm::find_if(Choices, BeforeAll);
  auto AsMain = [&](const CallBase *C) {
    return Main != Choices.end() &&
           (C == *Main || (Selected(C) && Selected(C) == Selected(*Main)));
  };
  // Then the same choice again is none, if Main was the last one.
  bool Settled = llvm::all_of(
      Choices, [&](const CallBase *C) { return AsMain(C) || !IsOver(C); });
  // A stream is of the device that was current when it was created. Copies in
  // it go on beside all waits for another device, and a record there of another
  // device's event fails.
  for (const auto &[Create, Behind] : OfCreations)
    for (const CallBase *C : Behind)
      if (!(AsMain(C) && DT.dominates(*Main, Create)))
        return Refusal{Blocker::UnmodelledApi, C,
                       "a stream or event may be of another device"};
  for (const CallBase *C : Choices) {
    if (IsOver(C))
      continue;
    bool Same = AsMain(C) && (Settled || C == *Main);
    if (Same || isOff(Check::OtherDevice))
      continue;
    const Function *Callee = C->getCalledFunction();
    return Refusal{Blocker::UnmodelledApi, C,
                   (Callee ? Callee->getName().str() : "an indirect call") +
                       " may select another device"};
  }
  return std::nullopt;
}

std::vector<std::optional<Conflict>>
FunctionDecision::checkContents(const PairGroup &Pairs, Function &F,
                                FunctionAnalysisManager &FAM) const {
  // Few pairs need what loops overwrite, and loops are slow to understand.
  auto S1 = checkS1(F, Events, Pairs, {});
  if (llvm::any_of(S1, [](const auto &C) { return C.has_value(); }))
    S1 = checkS1(F, Events, Pairs,
                 findLoopWrites(F, Events, Objects,
                                FAM.getResult<ScalarEvolutionAnalysis>(F),
                                FAM.getResult<LoopAnalysis>(F),
                                FAM.getResult<DominatorTreeAnalysis>(F)));
  return S1;
}

/// The downloads of \p P that can fail only where no host buffer exists (see
/// Pair): their destination is the only place where one may be, or null.
static SmallVector<const Event *, 1> failWithout(const Function &F,
                                                 const Effects &Events,
                                                 const Pair &P,
                                                 const MemoryObjects &Objects) {
  SmallVector<const Event *, 1> Found;
  std::optional<LiveInstances> Hosts;
  for (const Event *C : P.Copies) {
    if (!C->MayFail || C->Dst != static_cast<int>(P.Host) ||
        Objects[P.Host].Pointer != Objects[P.Host].Alloc)
      continue;
    const auto &Call = cast<CallBase>(*C->At);
    auto Api = cudaApiOf(Call);
    auto Src = Api->find(ApiRole::Src), Dst = Api->find(ApiRole::Dst);
    if (!Src || !Dst ||
        !Objects.resolve(Call.getArgOperand(*Src)).NullIf.empty())
      continue;
    if (!Hosts)
      Hosts = liveInstances(F, Events, Objects, P.Host);
    if (Hosts->onlyAt(Call, Call.getArgOperand(*Dst)))
      Found.push_back(C);
  }
  return Found;
}

/// True if the host may wait at \p E where the buffers of \p P are merged, but
/// not where they are not. CUDA asks what memory a copy or set touches: one
/// that is asynchronous with device memory waits where that is pinned or
/// managed, and one with pinned memory does where that is the system's.
/// \p Prints: a copy that waits but does not write what kernels printed counts.
static bool mayAddWait(const Event &E, const Pair &P, const MemoryObject &H,
                       bool Prints) {
  const auto *Call = dyn_cast<CallBase>(E.At);
  auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
  if (!Api || llvm::none_of(E.Accesses, [&](const Access &A) {
        return A.Object == P.Host || A.Object == P.Device;
      }))
    return false;
  if (E.Kind == EventKind::Gpu) {
    bool Sets = Api->Kind == ApiKind::Set || Api->Kind == ApiKind::Set2D;
    return Sets ? !Api->isAsync()
                : Api->Kind != ApiKind::PushConfig &&
                      Api->Kind != ApiKind::Launch;
  }
  if (E.Kind != EventKind::Copy)
    return false;
  bool Waits = E.Direction == CopyDirection::HostToDevice ||
               E.Direction == CopyDirection::DeviceToHost;
  bool Full = llvm::any_of(E.Accesses, [](const Access &A) { return A.Full; });
  // One of no bytes waits for nothing; what stays of it would.
  if (!E.Async)
    return !Waits || !(E.Moves || Full);
  // An upload of pageable memory may return at once. A download does not.
  return !P.links(E) ||
         (!H.isPinned() && (Prints || E.Dst == static_cast<int>(P.Device)));
}

/// Where merging \p P makes the host wait for the GPU as the program does not:
/// what calloc clears may be in use, a copy or set may wait for other memory
/// (mayAddWait), and something stands behind one of \p Unsure that does not say
/// whether it failed. \p First is allocated first.
static std::optional<Refusal>
checkAddedWaits(const Function &F, const Effects &Events, const Pair &P,
                const MemoryObjects &Objects, unsigned First,
                ArrayRef<const Event *> Unsure, const HostDependentWork &Work) {
  const MemoryObject &H = Objects[P.Host];
  const char *What = Work.mayWaitForHost()
                         ? "GPU work may wait for the host, which would have "
                           "to wait for it here"
                         : "kernels may print, and a wait here would write it "
                           "too early";
  if (H.clears() && First == P.Device)
    return Refusal{Blocker::Concurrency, H.Alloc, What};
  for (const Event *E : Unsure)
    if (E->waitsUnseen())
      return Refusal{Blocker::Concurrency, E->At, What};
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB))
      if (mayAddWait(E, P, H, Work.mayPrint()))
        return Refusal{Blocker::Concurrency, E.At, What};
  return std::nullopt;
}

void FunctionDecision::decide(ArrayRef<Pair> Pairs, Function &F,
                              FunctionAnalysisManager &FAM,
                              const UnitContext &Unit, uint64_t MinBytes) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  ReversePostOrderTraversal<const Function *> Order(&F);
  bool Irreducible = containsIrreducibleCFG<const BasicBlock *>(Order, LI) &&
                     !isOff(Check::ComplexControl);
  auto Choices = deviceChoices(F, DT, Unit.Runs.SelectingDevice);
  const auto OfCreations = choicesBehindCreations(Choices, F, Events);
  StreamCapture Captured(F, Events, Unit.Models);
  Instances S4(F, Events, Objects, SizesOf, LI, DT);
  auto Refuse = [](PairDecision &D, const Refusal &Why) {
    D.Report.Result = Verdict::Declined;
    setReason(D.Report, Why.Reason);
    D.Report.Because.push_back({Why.What, locate(*Why.At)});
  };
  auto Visible = [&](PairDecision &D) -> std::optional<Refusal> {
    const Pair &P = D.P;
    if (const Refusal *Why = Events.functionRefusal())
      return *Why;
    for (unsigned O : {P.Host, P.Device})
      if (const Refusal *Why = Events.refusal(O))
        return *Why;
    if (const Instruction *At = Events.asksForOverlap(P.Host, P.Device);
        At && !isOff(Blocker::PointerCompared))
      return Refusal{Blocker::PointerCompared, At,
                     "the program asks whether the buffers overlap"};
    if (Irreducible)
      return Refusal{Blocker::ComplexControl, Objects[P.Host].Alloc,
                     "the function has a loop with two entries"};
    if (auto Why = checkShape(P, Objects, SizesOf))
      return Why;
    if (auto Why =
            checkDevice(Choices, OfCreations, P, Events, Objects, DT, LI))
      return Why;
    if (auto Why = Captured.check(P))
      return Why;
    S4Result R = S4.check(P);
    if (!R.Why)
      D.First = *R.First;
    D.P.Resized = R.Resized;
    D.P.Grown = R.Grown;
    D.P.FailWithout = failWithout(F, Events, D.P, Objects);
    D.EarlyFrees = R.EarlyFrees;
    return R.Why ? R.Why : checkPartners(P, Objects, SizesOf, LI);
  };
  Decisions.reserve(Pairs.size());
  SmallVector<PairDecision *, 8> Left;
  for (const Pair &P : Pairs) {
    PairDecision &D = Decisions.emplace_back(PairDecision{
        P, false, 0, false, false, false, false, {}, {}, {}, {}, {}});
    describePair(D.Report, P, Objects, SizesOf);
    if (auto Bytes = D.Report.Bytes; Bytes && *Bytes < MinBytes) {
      D.Report.Result = Verdict::Skipped;
      setReason(D.Report, Blocker::TooSmall);
    } else if (auto Why = Visible(D)) {
      Refuse(D, *Why);
    } else {
      Left.push_back(&D);
    }
  }
  auto IsConflict = [](PairDecision &D, const std::optional<Conflict> &C) {
    if (C) {
      D.Report.Result = Verdict::Declined;
      setReason(D.Report, C->Reason);
      describeConflict(D.Report, *C, D.P);
    }
    return C.has_value();
  };
  auto GroupOf = [&](ArrayRef<PairDecision *> Ds) {
    SmallVector<const Pair *, 8> Ps;
    for (const PairDecision *D : Ds)
      Ps.push_back(&D->P);
    return PairGroup(Ps, Objects);
  };
  SmallVector<PairDecision *, 8> Sound; // S1 holds
  SmallVector<unsigned, 8> FirstAllocs;
  auto S1 = checkContents(GroupOf(Left), F, FAM);
  for (auto [D, Violation] : llvm::zip_equal(Left, S1))
    if (!IsConflict(*D, Violation)) {
      Sound.push_back(D);
      FirstAllocs.push_back(D->First);
    }
  StreamKeys Keys(LI, Unit.PerThreadDefaultStream, Unit.OtherThreads);
  auto InFlight = [&](const DenseSet<FlowEdge> &LoopExits) {
    return checkS2(F, Events, GroupOf(Sound), Objects, Keys, FirstAllocs,
                   /*StartsIdle=*/isMain(F), LI, LoopExits);
  };
  DenseSet<FlowEdge> LoopExits;
  auto S2 = InFlight(LoopExits);
  if (llvm::any_of(S2, [](const S2Result &R) { return R.Violation; })) {
    LoopExits = exitsBehindRounds(Events, LI,
                                  FAM.getResult<ScalarEvolutionAnalysis>(F));
    S2 = InFlight(LoopExits);
  }
  for (auto [D, Result] : llvm::zip_equal(Sound, S2)) {
    std::optional<Refusal> Why;
    // An added wait may never end, or writes what kernels print too early.
    if ((Unit.Work.mayWaitForHost() || Unit.Work.mayPrint()) &&
        !Result.Violation)
      Why = checkAddedWaits(F, Events, D->P, Objects, D->First, Result.Unsure,
                            Unit.Work);
    if (Why)
      Refuse(*D, *Why);
    else if (!IsConflict(*D, Result.Violation))
      accept(*D, Result, Unit);
    else if (const Conflict &C = *Result.Violation; C.Second)
      D->Meeting = {C.First->At, C.Second->At,
                    const_cast<Value *>(C.First->Stream), C.First->PerThread};
  }
  declineRivals(Walks{F, FAM, Keys, S4, LoopExits});
}

void FunctionDecision::accept(PairDecision &D, S2Result &S2,
                              const UnitContext &Unit) {
  const Pair &P = D.P;
  D.Accepted = true;
  D.Unsure = std::move(S2.Unsure);
  // A wait behind a copy that failed might never end.
  if (Unit.Work.mayWaitForHost())
    llvm::erase_if(D.Unsure, [](const Event *E) { return E->waits(); });
  // A free may have to wait for them, and with that for what is behind them.
  if (!Unit.Work.mayWaitForHost())
    D.AsyncUploads = std::move(S2.AsyncUploads);
  bool Constant = Sizes::constant(SizesOf.bytes(Objects[P.Host])) &&
                  Sizes::constant(SizesOf.bytes(Objects[P.Device]));
  bool Equal = Sizes::equal(SizesOf.bytes(Objects[P.Host]),
                            SizesOf.bytes(Objects[P.Device]));
  // Where run time must compare the sizes, echort merges equal ones only: the
  // copies, which cover one of the two, then cover both. (Those of a Grown pair
  // cover the device buffer, which then must be the smaller one.)
  D.Report.Result = Constant || Equal ? Verdict::Unified : Verdict::Guarded;
  D.Report.Quiescent = S2.Quiescent && !Unit.OtherThreads;
  for (const Event *C : P.Copies)
    if (!llvm::is_contained(S2.IdleCopies, C))
      D.Report.Waits.push_back({locate(*C->At), C->Async ? "marker" : "event"});
  for (const Event *C : P.Chosen)
    D.Report.Waits.push_back({locate(*C->At), C->Async ? "marker" : "event"});
}

void FunctionDecision::withdraw(unsigned I, const Instruction &Call) {
  PairDecision &D = Decisions[I];
  D.Accepted = false;
  D.Report.Result = Verdict::Declined;
  D.Report.Quiescent = false;
  D.Report.Waits.clear();
  setReason(D.Report, Blocker::SharedCall);
  const Function *Callee = cast<CallBase>(Call).getCalledFunction();
  D.Report.Because.push_back(
      {(Callee ? Callee->getName() : "an indirect call").str() +
           " is one call for several buffers",
       locate(Call)});
}

void FunctionDecision::withdrawAll() {
  for (unsigned I = 0; I != Decisions.size(); ++I)
    if (Decisions[I].Accepted)
      withdraw(I, *Objects[Decisions[I].P.Host].Alloc);
}

void FunctionDecision::noteAddedWait(const CallBase *Host,
                                     const CallBase *Device,
                                     const AddedWait &W) {
  Waits.push_back(W);
  for (PairDecision &D : Decisions)
    if (Objects[D.P.Host].Alloc == Host && Objects[D.P.Device].Alloc == Device)
      D.Report.Waits.push_back({locate(*W.Wait), "added"});
}

/// True if pointer \p V may come from another file.
static bool comesFromOutside(const Value &V) {
  const Value *Base = getUnderlyingObject(&V);
  if (const auto *Load = dyn_cast<LoadInst>(Base))
    return isa<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand()));
  const auto *Call = dyn_cast<CallBase>(Base);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return isa<Argument>(Base) || (Callee && Callee->isDeclaration());
}

/// Copies with one side in a buffer of the function, or in one of several, that
/// are part of no pair.
void FunctionDecision::collectKept(Function &F,
                                   ArrayRef<const Instruction *> Explained) {
  for (BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB)) {
      if (E.Kind != EventKind::Copy || (E.Dst >= 0 && E.Src >= 0) ||
          is_contained(Explained, E.At))
        continue;
      if (E.chooses()) {
        if (llvm::none_of(Decisions, [&](const PairDecision &D) {
              return !D.isGuess() && D.P.mayLink(E);
            }))
          Kept.push_back({locate(*E.At),
                          "a side is one of several buffers, and no other copy "
                          "says which belong together"});
        continue;
      }
      if (E.Direction != CopyDirection::HostToDevice &&
          E.Direction != CopyDirection::DeviceToHost)
        continue;
      bool HostUnknown =
          (E.Direction == CopyDirection::HostToDevice) ? E.Src < 0 : E.Dst < 0;
      const auto &Call = *cast<CallBase>(E.At);
      auto Api = cudaApiOf(Call);
      auto Arg =
          Api->find((E.Direction == CopyDirection::HostToDevice) == HostUnknown
                        ? ApiRole::Src
                        : ApiRole::Dst);
      Kept.push_back(
          {locate(*E.At),
           (Twine(HostUnknown ? "the host" : "the device") +
            " side is no buffer that this function allocates in a form that "
            "Echo follows" +
            (Arg && comesFromOutside(*Call.getArgOperand(*Arg))
                 ? "; if another file allocates it, compile all with -flto"
                 : ""))
               .str()});
    }
}

/// True if a caller may get the address of one of the buffers of \p Objects.
static bool anyLeaves(const MemoryObjects &Objects) {
  return llvm::any_of(Objects.derivedValues(), [&](const Value *V) {
    return llvm::any_of(V->users(), [&](const User *U) {
      const auto *Store = dyn_cast<StoreInst>(U);
      return isa<ReturnInst>(U) ||
             (Store && Store->getValueOperand() == V &&
              !Objects.views().holds(*Store) &&
              !isOutParameter(Store->getPointerOperand()));
    });
  });
}

/// The arguments of \p Call through which the GPU reaches memory, and the
/// pointers in structs that a kernel gets by value; nothing if not all are
/// seen.
static std::optional<SmallVector<const Value *, 8>>
pointersForGpu(const CallBase &Call, const MemoryObjects &Objects,
               const ModelTable &Models) {
  SmallVector<const Value *, 8> Pointers;
  if (auto Api = cudaApiOf(Call)) {
    if (Api->Kind == ApiKind::Launch)
      return std::nullopt;
    for (auto [Role, Arg] : llvm::zip(Api->Roles, Call.args()))
      if (Role == ApiRole::Dst || Role == ApiRole::Src)
        Pointers.push_back(Arg.get());
    return Pointers;
  }
  if (const Function *Stub = Call.getCalledFunction();
      Stub && isKernelStub(*Stub)) {
    for (auto [Arg, Part] : llvm::zip(Call.args(), stubArgumentMap(*Stub))) {
      if (Part && Part->Packed) {
        PackedPointers Packed = packedPointers(*Arg, Objects.views());
        if (!Packed.Complete)
          return std::nullopt;
        for (const KernelViews::Content &C : Packed.Found)
          Pointers.push_back(C.Pointer);
        continue;
      }
      if (!Arg->getType()->isPointerTy())
        continue;
      if (Part && !Part->ByValue) {
        Pointers.push_back(Arg.get());
        continue;
      }
      auto Contents = Objects.views().contents(Arg.get());
      if (Contents.empty())
        return std::nullopt;
      for (const KernelViews::Content &C : Contents)
        Pointers.push_back(C.Pointer);
    }
    return Pointers;
  }
  const FunctionModel *Model = Models.lookup(outOfSightCallee(Call));
  if (Model && Model->usesGpu())
    for (auto [Arg, Use] : llvm::zip(Model->Args, Call.args()))
      if (Arg.What != ArgModel::Value)
        Pointers.push_back(Use.get());
  return Pointers;
}

bool FunctionDecision::needsNoCaller(Function &F,
                                     const UnitContext &Unit) const {
  if (!Hidden.empty() || llvm::any_of(Decisions, [](const PairDecision &D) {
        return D.Report.Result == Verdict::Declined && !D.isGuess();
      }))
    return false;
  auto IsGiven = [&](const Value *Pointer) {
    Target T = Objects.resolve(Pointer);
    const Value *Base = getUnderlyingObject(Pointer);
    return (T.none() || T.Other) &&
           (isa<Argument>(Base) || isa<LoadInst>(Base));
  };
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    auto Pointers = pointersForGpu(*Call, Objects, Unit.Models);
    if (!Pointers || llvm::any_of(*Pointers, IsGiven))
      return false;
  }
  return !anyLeaves(Objects);
}

} // namespace echo
