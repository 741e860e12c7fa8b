//===- Instances.cpp - Condition S4: which h belongs to which d? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses dominance and loops; searches forward for frees and resets.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Instances.h"
#include "Analysis/Checks.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

namespace {
enum class Walk { GoOn, Stop, Found };
} // namespace

/// The first event for which \p Judge says Found on some path that starts
/// behind \p From; paths end where it says Stop.
static const Event *findEvent(const Effects &E, const Instruction *From,
                              function_ref<Walk(const Event &)> Judge) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto Scan = [&](const BasicBlock *BB, bool Active) -> const Event * {
    for (const Event &Ev : E.in(BB)) {
      if (Active) {
        Walk W = Judge(Ev);
        if (W == Walk::Found)
          return &Ev;
        if (W == Walk::Stop)
          return nullptr;
      }
      Active |= Ev.At == From;
    }
    for (const BasicBlock *Succ : successors(BB))
      if (Seen.insert(Succ).second)
        Work.push_back(Succ);
    return nullptr;
  };
  if (const Event *Found = Scan(From->getParent(), false))
    return Found;
  while (!Work.empty())
    if (const Event *Found = Scan(Work.pop_back_val(), true))
      return Found;
  return nullptr;
}

/// A phi that carries \p Object's pointer into the next iteration of a loop
/// that allocates the object anew, or null.
static const Instruction *crossesIteration(const MemoryObjects &Objects,
                                           unsigned Object,
                                           const LoopInfo &LI) {
  const BasicBlock *Home = Objects[Object].Alloc->getParent();
  for (const Value *V : Objects.derivedValues()) {
    const auto *Phi = dyn_cast<PHINode>(V);
    if (!Phi || !LI.isLoopHeader(Phi->getParent()) ||
        !LI.getLoopFor(Phi->getParent())->contains(Home))
      continue;
    if (is_contained(Objects.resolve(Phi).Objects, Object))
      return Phi;
  }
  return nullptr;
}

/// True if \p Second can be allocated behind \p First in the same iteration of
/// the loop that holds both.
static bool follows(const MemoryObject &First, const MemoryObject &Second,
                    const LoopInfo &LI) {
  const BasicBlock *From = First.Alloc->getParent();
  const Loop *L = LI.getLoopFor(From);
  if (From == Second.Alloc->getParent() &&
      First.Alloc->comesBefore(Second.Alloc))
    return true;
  SmallVector<const BasicBlock *, 16> Work(successors(From));
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if ((L && BB == L->getHeader()) || !Seen.insert(BB).second)
      continue;
    if (BB == Second.Alloc->getParent())
      return true;
    Work.append(succ_begin(BB), succ_end(BB));
  }
  return false;
}

S4Result checkS4(const Function &F, const Effects &E, const Pair &P,
                 const MemoryObjects &Objects, const LoopInfo &LI) {
  S4Result R;
  auto Fail = [&](Blocker Reason, const Instruction *At, std::string What) {
    R.First.reset();
    R.Why = Refusal{Reason, At, std::move(What)};
    return R;
  };
  const MemoryObject &H = Objects[P.Host], &D = Objects[P.Device];
  if (LI.getLoopFor(H.Alloc->getParent()) !=
          LI.getLoopFor(D.Alloc->getParent()) &&
      !isOff(Check::DifferentLoops))
    return Fail(Blocker::InstanceMismatch, D.Alloc,
                "the device buffer is allocated in another loop than the host "
                "buffer");
  bool HostFirst = follows(H, D, LI), DeviceFirst = follows(D, H, LI);
  if (HostFirst == DeviceFirst)
    return Fail(Blocker::InstanceMismatch, D.Alloc,
                HostFirst ? "either buffer may be allocated first"
                          : "no path allocates both buffers");
  R.First = HostFirst ? P.Host : P.Device;
  for (unsigned O : {P.Host, P.Device})
    if (crossesIteration(Objects, O, LI) && !isOff(Check::CrossesIteration))
      return Fail(Blocker::InstanceMismatch, Objects[O].Alloc,
                  "the pointer is used in a later iteration than the one that "
                  "allocated it");
  int First = *R.First, Second = P.partner(*R.First);
  // Freed before the second exists: harmless only if the second cannot follow.
  auto SecondFollows = [&](const Event &Freed) {
    return findEvent(E, Freed.At, [&](const Event &Ev) {
      if (Ev.Kind != EventKind::Alloc)
        return Walk::GoOn;
      if (Ev.Object == First)
        return Walk::Stop;
      return Ev.Object == Second ? Walk::Found : Walk::GoOn;
    });
  };
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB))
      if (Ev.Kind == EventKind::Free && Ev.Object == First &&
          SecondFollows(Ev) && !isOff(Check::FreedBeforePartner))
        return Fail(Blocker::InstanceMismatch, Ev.At,
                    "one buffer is freed before the other is allocated");
  for (int O : {First, Second}) {
    const Event *Reset = findEvent(E, Objects[O].Alloc, [&](const Event &Ev) {
      if (Ev.Kind == EventKind::Reset)
        return Walk::Found;
      bool Ends = (Ev.Kind == EventKind::Free || Ev.Kind == EventKind::Alloc) &&
                  Ev.Object == O;
      return Ends ? Walk::Stop : Walk::GoOn;
    });
    if (Reset && !isOff(Check::DeviceReset))
      return Fail(Blocker::DeviceReset, Reset->At, "cudaDeviceReset");
  }
  return R;
}

} // namespace echo
