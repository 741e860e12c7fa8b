//===- Instances.cpp - Condition S4: which h belongs to which d? ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses dominance and loops; searches forward for frees and resets.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Instances.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Memory/Exposure.h"
#include "Analysis/Memory/LiveInstances.h"
#include "Support/Checks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

namespace {
enum class Walk { GoOn, Stop, Found };
} // namespace

/// True if \p Freed is what a realloc frees, which may fail, and somebody may
/// use the old buffer after it. Nobody does what \p Freed does, or ends, to a
/// buffer of which the program has no address any more.
static bool mayLeaveOldBuffer(const Event &Freed,
                              const MemoryObjects &Objects) {
  if (!Freed.isResize() || isOff(Check::FailingResize))
    return false;
  const unsigned Object = Freed.Object;
  InstructionsBehind Behind(Freed.At, Objects[Object].Alloc);
  return llvm::any_of(Objects.derivedValues(), [&](const Value *V) {
    return is_contained(Objects.resolve(V).Objects, Object) &&
           llvm::any_of(V->users(), [&](const User *U) {
             const auto *I = dyn_cast<Instruction>(U);
             // What has its address is looked at by itself.
             return I && !isa<GEPOperator, PHINode, SelectInst>(I) &&
                    Behind.contains(*I);
           });
  });
}

/// The first event for which \p Judge says Found on some path that starts
/// after \p From; paths end where it says Stop, and where \p Of, if not null,
/// is. Where \p Judge says Stop at a realloc, a path goes on if that may have
/// failed and left the old buffer to somebody who uses it.
static const Event *findEvent(const Effects &E, const MemoryObjects &Objects,
                              const Event *From,
                              function_ref<Walk(const Event &)> Judge,
                              const Value *Of = nullptr) {
  // With each block the realloc that failed last on the way there, if any.
  using Place = std::pair<const BasicBlock *, const Instruction *>;
  SmallVector<Place, 16> Work;
  DenseSet<Place> Seen;
  auto Scan = [&](const BasicBlock *BB, bool Active,
                  const Instruction *Failed) -> const Event * {
    for (const Event &Ev : E.in(BB)) {
      // The new buffer of a call that failed is not there.
      bool IsOfFailed = Ev.At == Failed && Ev.Kind != EventKind::Free;
      if (Active && !IsOfFailed) {
        Walk W = Judge(Ev);
        if (W == Walk::Found)
          return &Ev;
        if (W == Walk::Stop && !mayLeaveOldBuffer(Ev, Objects))
          return nullptr;
        if (W == Walk::Stop)
          Failed = Ev.At;
      }
      Active |= &Ev == From;
    }
    for (const BasicBlock *Succ : successors(BB))
      if (!(Of && isNullOn(BB, Succ, Of)) &&
          !(Failed && isNullOn(BB, Succ, Failed, /*Null=*/false)) &&
          Seen.insert({Succ, Failed}).second)
        Work.push_back({Succ, Failed});
    return nullptr;
  };
  if (const Event *Found = Scan(From->At->getParent(), false, nullptr))
    return Found;
  while (!Work.empty()) {
    auto [BB, Failed] = Work.pop_back_val();
    if (const Event *Found = Scan(BB, true, Failed))
      return Found;
  }
  return nullptr;
}

LiveInstances liveInstances(const Function &F, const Effects &E,
                            const MemoryObjects &Objects, unsigned Object) {
  LiveInstances::FreedBy Freed;
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB))
      // Not what realloc frees: it may fail.
      if (Ev.Kind == EventKind::Free && Ev.Object == static_cast<int>(Object) &&
          Ev.At->getType()->isVoidTy())
        for (const Use &Arg : cast<CallBase>(Ev.At)->args())
          if (is_contained(Objects.resolve(Arg.get()).Objects, Object))
            Freed[Ev.At].push_back(Arg.get());
  return LiveInstances(F, Objects[Object].allocs(), std::move(Freed));
}

Instances::Instances(const Function &F, const Effects &E,
                     const MemoryObjects &Objects, const Sizes &S,
                     const LoopInfo &LI, const DominatorTree &DT)
    : F(F), E(E), Objects(Objects), S(S), LI(LI), DT(DT),
      Allocs(Objects.objects().size()), Frees(Objects.objects().size()),
      HeaderPhis(Objects.objects().size()) {
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      if (Ev.Kind == EventKind::Free)
        Frees[Ev.Object].push_back(&Ev);
      if (Ev.Kind == EventKind::Alloc)
        Allocs[Ev.Object] = &Ev;
      HasReset |= Ev.Kind == EventKind::Reset;
    }
  for (const Value *V : Objects.derivedValues())
    if (const auto *Phi = dyn_cast<PHINode>(V);
        Phi && LI.isLoopHeader(Phi->getParent()))
      for (unsigned O : Objects.resolve(Phi).Objects)
        HeaderPhis[O].push_back(Phi);
}

bool Instances::mayExistTogether(unsigned A, unsigned B) const {
  auto AllocatedDuring = [&](unsigned Second, unsigned First) {
    return findEvent(E, Objects, Allocs[First], [&](const Event &Ev) {
      if (Ev.Kind == EventKind::Free && !Ev.Perhaps &&
          Ev.Object == static_cast<int>(First))
        return Walk::Stop;
      bool Starts =
          Ev.Kind == EventKind::Alloc && Ev.Object == static_cast<int>(Second);
      return Starts ? Walk::Found : Walk::GoOn;
    });
  };
  return AllocatedDuring(A, B) || AllocatedDuring(B, A);
}

/// True if all that is done with \p Old, or an address computed from it, is to
/// read it, to compare it with null, and to free it by one of \p Frees.
static bool isOnlyRead(const Value *Old, ArrayRef<const Event *> Frees) {
  return llvm::all_of(Old->uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (const auto *G = dyn_cast<GetElementPtrInst>(By))
      return U.getOperandNo() == 0 && isOnlyRead(G, {});
    const auto *Cmp = dyn_cast<ICmpInst>(By);
    bool IsNull =
        Cmp && isa<ConstantPointerNull>(Cmp->getOperand(1 - U.getOperandNo()));
    return isa<LoadInst>(By) || IsNull ||
           llvm::any_of(Frees, [&](const Event *E) { return E->At == By; });
  });
}

/// True if \p Phi carries \p Object's pointer on to the realloc that makes the
/// object anew in each iteration: after that call nobody may use the old one.
/// Before it that may only be read: the sizes of this iteration, by which
/// writes cover a buffer and copies of no bytes are told from others, are not
/// those of the old one.
static bool isResized(const PHINode *Phi, const MemoryObject &Object,
                      const Loop *Home, ArrayRef<const Event *> Frees) {
  return Object.What == MemoryObject::Realloc && Home &&
         Phi->getParent() == Home->getHeader() &&
         Object.Alloc->getArgOperand(0) == Phi &&
         (isOnlyRead(Phi, Frees) || isOff(Check::ResizedOnlyRead)) &&
         llvm::all_of(Phi->blocks(), [&](const BasicBlock *From) {
           return !Home->contains(From) ||
                  Phi->getIncomingValueForBlock(From) == Object.Pointer;
         });
}

/// True if a phi, or a view, may carry \p Object's pointer into the next
/// iteration of a loop that allocates the object anew. \p Resized: unless
/// that resizes it.
bool Instances::crossesIteration(unsigned Object, bool Resized) const {
  const BasicBlock *Home = Objects[Object].Alloc->getParent();
  if (const Loop *L = LI.getLoopFor(Home))
    for (const StoreInst *Store : Objects.viewStores(Object)) {
      // Memory that is new in each iteration holds what that put there.
      const Instruction *Renewal = Objects.views().renewalOf(*Store, DT);
      bool Renewed = Renewal && L->contains(Renewal);
      if (!L->contains(Store) ||
          !(Renewed || Objects.views().comesBeforeUses(*Store, DT)))
        return true;
    }
  return llvm::any_of(HeaderPhis[Object], [&](const PHINode *Phi) {
    return LI.getLoopFor(Phi->getParent())->contains(Home) &&
           !(Resized && isResized(Phi, Objects[Object], LI.getLoopFor(Home),
                                  Frees[Object]));
  });
}

/// True if run time, which compares the sizes, may merge the pair in some turns
/// of a loop and not in others. Where it does not merge, copies need not cover
/// the buffer that stays, and may be empty and wait for nothing; so nothing
/// that holds for the turns that merge would hold for that buffer.
bool Instances::mayMergeInSomeTurns(const Pair &P) const {
  const BasicBlock *Host = Objects[P.Host].Alloc->getParent(),
                   *Device = Objects[P.Device].Alloc->getParent();
  const SCEV *HostBytes = S.bytes(Objects[P.Host]),
             *DeviceBytes = S.bytes(Objects[P.Device]);
  if (Sizes::equal(HostBytes, DeviceBytes))
    return false;
  for (const BasicBlock *BB : {Host, Device})
    for (const Loop *L = LI.getLoopFor(BB); L; L = L->getParentLoop())
      if (!(L->contains(Host) && L->contains(Device)) &&
          !(S.isInvariant(HostBytes, *L) && S.isInvariant(DeviceBytes, *L)))
        return true;
  return false;
}

/// True if \p P is Grown (see Pair): one host buffer at most is there when the
/// device buffer comes, and none is made while that is there. So whatever has a
/// host buffer's address then has that one's, or one that is gone.
bool Instances::isGrown(const Pair &P) const {
  const MemoryObject &H = Objects[P.Host], &D = Objects[P.Device];
  const BasicBlock *Device = D.Alloc->getParent();
  if (D.side() != Side::Device || H.isPinned() ||
      H.What == MemoryObject::Realloc || H.Pointer != H.Alloc || HasReset ||
      !Objects.viewStores(P.Host).empty() || P.isChosen() || !P.Bytes ||
      !Sizes::equal(P.Bytes, S.bytes(D)))
    return false;
  // After realloc the rewrite does not know that the old one is gone.
  for (const Event *Freed : Frees[P.Host])
    if (Objects.objectOf(cast<CallBase>(Freed->At)) >= 0 &&
        secondFollows(*Freed, P.Host, P.Device))
      return false;
  LiveInstances Live = liveInstances(F, E, Objects, P.Host);
  // One that stays for the next device buffer stays with what the last one left
  // in it, which copies of another size would not overwrite.
  for (const Loop *L = LI.getLoopFor(Device); L; L = L->getParentLoop()) {
    bool All = llvm::all_of(H.allocs(),
                            [&](const CallBase *A) { return L->contains(A); });
    if (All && Live.noneAt(*L->getHeader()))
      break;
    if (!S.isInvariant(P.Bytes, *L) && !isOff(Check::GrownOfOneSize))
      return false;
  }
  bool Replaced = findEvent(E, Objects, Allocs[P.Device], [&](const Event &Ev) {
    if (Ev.Kind == EventKind::Free && !Ev.Perhaps &&
        Ev.Object == static_cast<int>(P.Device))
      return Walk::Stop;
    return Ev.Kind == EventKind::Alloc && Ev.Object == static_cast<int>(P.Host)
               ? Walk::Found
               : Walk::GoOn;
  });
  return !Replaced && (Live.oneAt(*D.Alloc) || isOff(Check::OneInstance));
}

/// True if \p Second can be allocated after \p First in the same iteration of
/// \p L, the loop that holds both, or null.
bool Instances::follows(const MemoryObject &First, const MemoryObject &Second,
                        const Loop *L) const {
  const BasicBlock *From = First.Alloc->getParent();
  const BasicBlock *To = Second.Alloc->getParent();
  if (From == To && First.Alloc->comesBefore(Second.Alloc))
    return true;
  // What dominates comes first, and only once in an iteration.
  if (LI.getLoopFor(From) == LI.getLoopFor(To) &&
      !isOff(Check::ComplexControl)) {
    if (DT.dominates(To, From))
      return false;
    if (DT.dominates(From, To))
      return true;
  }
  SmallVector<const BasicBlock *, 16> Work(successors(From));
  SmallPtrSet<const BasicBlock *, 16> Seen;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if ((L && BB == L->getHeader()) || !Seen.insert(BB).second)
      continue;
    if (BB == To)
      return true;
    Work.append(succ_begin(BB), succ_end(BB));
  }
  return false;
}

/// True if \p Second can be allocated after \p Freed and no new \p First.
bool Instances::secondFollows(const Event &Freed, unsigned First,
                              unsigned Second) const {
  const CallBase *A = Objects[First].Alloc, *B = Objects[Second].Alloc;
  // Each path to the second leads past the first, and the free follows both.
  if (LI.getLoopFor(A->getParent()) == LI.getLoopFor(B->getParent()) &&
      DT.dominates(A, B) && DT.dominates(B, Freed.At) &&
      !isOff(Check::ComplexControl))
    return false;
  return findEvent(E, Objects, &Freed, [&](const Event &Ev) {
    if (Ev.Kind != EventKind::Alloc)
      return Walk::GoOn;
    if (Ev.Object == static_cast<int>(First))
      return Walk::Stop;
    return Ev.Object == static_cast<int>(Second) ? Walk::Found : Walk::GoOn;
  });
}

/// True if the rewrite can keep \p Second apart where \p Freed, a free of
/// \p First, comes before it: one block at most is there in each iteration, so
/// it suffices that nobody is told of it any more. Not what realloc frees, as
/// its content goes on; and some way must allocate both.
bool Instances::staysApart(const Event &Freed, unsigned First,
                           unsigned Second) const {
  const CallBase *A = Objects[First].Alloc, *B = Objects[Second].Alloc;
  return Objects.objectOf(cast<CallBase>(Freed.At)) < 0 &&
         LI.getLoopFor(A->getParent()) == LI.getLoopFor(B->getParent()) &&
         findEvent(
             E, Objects, Allocs[First],
             [&](const Event &Ev) {
               if (Ev.Kind == EventKind::Free && !Ev.Perhaps &&
                   Ev.Object == static_cast<int>(First))
                 return Walk::Stop;
               if (Ev.Kind != EventKind::Alloc)
                 return Walk::GoOn;
               return Ev.Object == static_cast<int>(Second) ? Walk::Found
                                                            : Walk::GoOn;
             });
}

const Event *
Instances::freedTooEarly(unsigned First, unsigned Second,
                         SmallVectorImpl<const Event *> &Apart) const {
  for (const Event *Freed : Frees[First]) {
    if (isOff(Check::FreedBeforePartner) ||
        !secondFollows(*Freed, First, Second))
      continue;
    if (!staysApart(*Freed, First, Second))
      return Freed;
    Apart.push_back(Freed);
  }
  return nullptr;
}

const Event *Instances::resetWhileThere(unsigned Object) const {
  if (!HasReset)
    return nullptr;
  auto IsReset = [&](const Event &Ev) {
    if (Ev.Kind == EventKind::Reset)
      return Walk::Found;
    bool Ends = (Ev.Kind == EventKind::Free || Ev.Kind == EventKind::Alloc) &&
                !Ev.Perhaps && Ev.Object == static_cast<int>(Object);
    return Ends ? Walk::Stop : Walk::GoOn;
  };
  return findEvent(E, Objects, Allocs[Object], IsReset,
                   Objects[Object].Pointer);
}

// One h may have one d after the other: at run time the next one joins when the
// one before it was freed, which waits for the GPU's work with it. One d may
// have one h after the other: the host is done with what it frees, and copies
// of pageable memory that stay are waited for. Pinned memory may be read later.
S4Result Instances::check(const Pair &P) const {
  S4Result R;
  auto Fail = [&](Blocker Reason, const Instruction *At, std::string What) {
    R.First.reset();
    R.Why = Refusal{Reason, At, std::move(What)};
    return R;
  };
  const MemoryObject &H = Objects[P.Host], &D = Objects[P.Device];
  const Loop *HostLoop = LI.getLoopFor(H.Alloc->getParent()),
             *DeviceLoop = LI.getLoopFor(D.Alloc->getParent());
  bool Anew = !HostLoop || HostLoop->contains(DeviceLoop);
  bool Several = !H.Others.empty();
  if ((Several || (!Anew && crossesIteration(P.Host, false))) &&
      !crossesIteration(P.Device, false) && isGrown(P)) {
    R.First = P.Host;
    R.Resized = R.Grown = true;
    return R;
  }
  if (Several || !D.Others.empty())
    return Fail(Blocker::InstanceMismatch, H.Alloc,
                "several calls allocate the host buffer, and it is not seen "
                "that one such buffer at most is there with the device buffer");
  bool HostAnew =
      !H.isPinned() && (!DeviceLoop || DeviceLoop->contains(HostLoop));
  if (!Anew && !HostAnew && !isOff(Check::DifferentLoops))
    return Fail(Blocker::InstanceMismatch, D.Alloc,
                "the device buffer is allocated in another loop than the host "
                "buffer");
  if (mayMergeInSomeTurns(P) && !isOff(Check::DifferentLoops))
    return Fail(Blocker::InstanceMismatch, HostAnew ? H.Alloc : D.Alloc,
                "the buffer is allocated in a loop, with another size each "
                "time");
  const Loop *Both = Anew ? HostLoop : DeviceLoop;
  bool HostFirst = follows(H, D, Both), DeviceFirst = follows(D, H, Both);
  if (HostFirst == DeviceFirst)
    return Fail(Blocker::InstanceMismatch, D.Alloc,
                HostFirst ? "either buffer may be allocated first"
                          : "no path allocates both buffers");
  R.First = HostFirst ? P.Host : P.Device;
  // A host buffer that each iteration resizes is a new one after the resize.
  // That has to come first: until then the GPU may be at work with the old one.
  bool Resized = Anew && HostFirst;
  R.Resized = Resized && crossesIteration(P.Host, false);
  for (unsigned O : {P.Host, P.Device})
    if (crossesIteration(O, Resized && O == P.Host) &&
        !isOff(Check::CrossesIteration))
      return Fail(Blocker::InstanceMismatch, Objects[O].Alloc,
                  "the pointer is used in a later iteration than the one that "
                  "allocated it");
  unsigned First = *R.First, Second = P.partner(*R.First);
  if (const Event *Freed = freedTooEarly(First, Second, R.EarlyFrees))
    return Fail(Blocker::InstanceMismatch, Freed->At,
                "one buffer is freed before the other is allocated");
  for (unsigned O : {First, Second})
    if (const Event *Reset = resetWhileThere(O);
        Reset && !isOff(Check::DeviceReset))
      return Fail(Blocker::DeviceReset, Reset->At, "cudaDeviceReset");
  return R;
}

} // namespace echo
