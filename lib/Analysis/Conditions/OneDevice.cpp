//===- OneDevice.cpp - One device is current ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: while the buffers exist, no other device becomes current.
// A wait and the default stream are those of the current device, and a stream
// or event is of the device that was current when it was created.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/CallReach.h"
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Conditions/DeviceChoices.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace echo {

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

void OneDevice::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  auto Choices = deviceChoices(C.F, C.DT, C.Unit.Runs.SelectingDevice);
  const auto OfCreations = choicesBehindCreations(Choices, C.F, C.Events);
  for (Candidate *D : Left)
    D->Refused = checkDevice(Choices, OfCreations, D->P, C.Events, C.Objects,
                             C.DT, C.LI);
}

} // namespace echo
