//===- Decide.cpp - The decision about every pair of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the conditions of all pairs, one after the other (Conditions.def), and
// then which pairs that share a buffer merge (Rivals).
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/Decide.h"
#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Api/Names.h"
#include "Analysis/Api/StubArguments.h"
#include "Analysis/Decision/Assumptions.h"
#include "Analysis/Decision/CudaStart.h"
#include "Analysis/Decision/Describe.h"
#include "Analysis/Decision/HiddenPairs.h"
#include "Analysis/Kernels/PackedArguments.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
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
  if (!Pairs.empty()) {
    PairContext C(F, FAM, Unit, Events, Objects, SizesOf);
    decide(Pairs, C, MinBytes);
  }
  SmallVector<const Instruction *, 8> Explained;
  Hidden = findHiddenPairs(F, Events, Objects, Unit.Models, Pairs, Explained);
  for (PairReport &R : Hidden)
    if (isListed(R, Unit))
      R.Word = Vouched::NotEnough;
  collectKept(F, Explained);
  Complete = needsNoCaller(F, Unit);
}

bool FunctionDecision::anyAccepted() const {
  return llvm::any_of(Decisions,
                      [](const PairDecision &D) { return D.Accepted; });
}

/// Says in the report of \p D what breaks a condition: \p Refused or \p
/// Violation.
static void reportReason(PairDecision &D, const std::optional<Refusal> &Refused,
                         const std::optional<Conflict> &Violation) {
  if (Refused) {
    setReason(D.Report, Refused->Reason);
    D.Report.Because.push_back({Refused->What, locate(*Refused->At)});
    return;
  }
  setReason(D.Report, Violation->Reason);
  describeConflict(D.Report, *Violation, D.P);
}

void FunctionDecision::decide(ArrayRef<Pair> Pairs, PairContext &C,
                              uint64_t MinBytes) {
  Decisions.resize(Pairs.size());
  SmallVector<Candidate *, 8> Left;
  for (auto [D, P] : llvm::zip_equal(Decisions, Pairs)) {
    D.P = P;
    describePair(D.Report, P, Objects, SizesOf);
    D.Listed = isListed(D.Report, C.Unit);
    if (auto Bytes = D.Report.Bytes; Bytes && *Bytes < MinBytes) {
      D.Report.Result = Verdict::Skipped;
      setReason(D.Report, Blocker::TooSmall);
    } else {
      Left.push_back(&D);
    }
  }
  for (const auto &Asked : makeConditions()) {
    if (Left.empty())
      break;
    Asked->check(C, Left);
    for (PairDecision &D : Decisions)
      if (D.Listed && !D.holds())
        overrule(D, C);
    llvm::erase_if(Left, [](const Candidate *D) { return !D->holds(); });
  }
  for (PairDecision &D : Decisions)
    if (!D.holds())
      reportReason(D, D.Refused, D.Violation);
    else if (D.Report.Result != Verdict::Skipped)
      accept(D, C.Unit);
  declineRivals(C);
}

void FunctionDecision::accept(PairDecision &D, const UnitContext &Unit) {
  const Pair &P = D.P;
  D.Accepted = true;
  if (Unit.Work.mayWaitForHost()) {
    // A wait after a copy that failed might never end.
    llvm::erase_if(D.Unsure, [](const Event *E) { return E->waits(); });
    // A free may have to wait for them, and with that for what follows them.
    D.AsyncUploads.clear();
  }
  D.NeedsLateCuda = Unit.Runs.LateCuda.declared();
  D.CudaFollows = startsCudaAfter(Objects[P.Host], Unit.Runs);
  bool Constant = Sizes::constant(SizesOf.bytes(Objects[P.Host])) &&
                  Sizes::constant(SizesOf.bytes(Objects[P.Device]));
  bool Equal = Sizes::equal(SizesOf.bytes(Objects[P.Host]),
                            SizesOf.bytes(Objects[P.Device]));
  // Where run time must compare the sizes, echort merges equal ones only: the
  // copies, which cover one of the two, then cover both. (Those of a Grown pair
  // cover the device buffer, which then must be the smaller one.)
  D.ComparesSizes = !Constant && !Equal;
  D.Report.Result = D.ComparesSizes ? Verdict::Guarded : Verdict::Unified;
  if (D.isAssumed()) {
    D.Report.Result = Verdict::Assumed;
    reportReason(D, D.OverruledRefusal, D.OverruledConflict);
    relyOnLess(D);
  }
  D.Report.Quiescent = D.Quiescent && !Unit.OtherThreads;
  for (const Event *C : P.Copies)
    if (!llvm::is_contained(D.IdleCopies, C))
      D.Report.Waits.push_back({locate(*C->At), C->Async ? "marker" : "event"});
  for (const Event *C : P.Chosen)
    D.Report.Waits.push_back({locate(*C->At), C->Async ? "marker" : "event"});
}

void FunctionDecision::takeBack(PairDecision &D, Blocker Reason) {
  D.Accepted = false;
  D.Report.Result = Verdict::Declined;
  D.Report.Waits.clear();
  D.Report.Because.clear();
  if (D.isAssumed())
    D.Report.Word = Vouched::NotEnough;
  setReason(D.Report, Reason);
}

void FunctionDecision::withdraw(unsigned I, const Instruction &Call) {
  PairDecision &D = Decisions[I];
  takeBack(D, Blocker::SharedCall);
  D.Report.Quiescent = false;
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
        return (D.Report.Result == Verdict::Declined || D.isAssumed()) &&
               !D.isGuess();
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
