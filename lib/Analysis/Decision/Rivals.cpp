//===- Rivals.cpp - Pairs that have a buffer in common --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which accepted pairs with a common buffer merge: the one that saves
// most, those whose device buffers take turns, those of which only one is there
// at a time, and an input and an output of one device buffer, if all three may
// share a block. It never accepts a pair that was declined.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Decision/Describe.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace echo {

/// Where run time compares sizes, it does so for all of the block's partners:
/// true if it need not, or each of the two pairs has one size.
bool FunctionDecision::sizesFit(const PairDecision &A,
                                const PairDecision &B) const {
  auto OfOneSize = [&](const PairDecision &D) {
    return D.Report.Result == Verdict::Guarded ||
           Sizes::equal(SizesOf.bytes(Objects[D.P.Host]),
                        SizesOf.bytes(Objects[D.P.Device]));
  };
  bool Compared = A.Report.Result == Verdict::Guarded ||
                  B.Report.Result == Verdict::Guarded;
  return !Compared || (OfOneSize(A) && OfOneSize(B));
}

static bool mayTurn(const PairDecision &D) {
  return !D.isAssumed() &&
         (D.With == Sharing::Alone || D.With == Sharing::Turns);
}

static bool mayExclude(const PairDecision &D) {
  return !D.isAssumed() &&
         (D.With == Sharing::Alone || D.With == Sharing::Excludes);
}

/// True if both pairs can merge: the buffers that they do not have in common
/// take each other's place in the common one's block, which is allocated before
/// both. Host buffers only if they are pageable (see Instances::check).
bool FunctionDecision::takeTurns(const PairDecision &A, const PairDecision &B,
                                 const Instances &S4) const {
  bool Hosts = A.P.Device == B.P.Device;
  if (Hosts == (A.P.Host == B.P.Host) || A.P.Grown != B.P.Grown ||
      !mayTurn(A) || !mayTurn(B) || !A.EarlyFrees.empty() ||
      !B.EarlyFrees.empty() ||
      (Hosts && (Objects[A.P.Host].isPinned() || Objects[B.P.Host].isPinned())))
    return false;
  unsigned Common = Hosts ? A.P.Device : A.P.Host;
  return A.First == Common && B.First == Common && sizesFit(A, B) &&
         (!S4.mayExistTogether(A.P.partner(Common), B.P.partner(Common)) ||
          isOff(Check::Turns));
}

/// True if both pairs can merge: the one that comes first of each, which is not
/// the common one, is there only where the other pair's is not.
bool FunctionDecision::excludeEachOther(const PairDecision &A,
                                        const PairDecision &B) const {
  bool Hosts = A.P.Device == B.P.Device;
  if (Hosts == (A.P.Host == B.P.Host) || !mayExclude(A) || !mayExclude(B) ||
      A.P.Grown || B.P.Grown || !A.EarlyFrees.empty() ||
      !B.EarlyFrees.empty() ||
      Objects[A.P.Host].isPinned() != Objects[B.P.Host].isPinned())
    return false;
  unsigned Common = Hosts ? A.P.Device : A.P.Host;
  return A.First == A.P.partner(Common) && B.First == B.P.partner(Common) &&
         sizesFit(A, B) &&
         echo::excludeEachOther(*Objects[A.First].Alloc,
                                *Objects[B.First].Alloc);
}

/// True if some asynchronous copy may be one of either pair, and the host waits
/// for it with the pageable buffer of the one, and not with the pinned one of
/// the other: what the rewrite leaves of it does the same for both.
bool FunctionDecision::waitsDiffer(const Function &F, const PairDecision &A,
                                   const PairDecision &B) const {
  if (Objects[A.P.Host].isPinned() == Objects[B.P.Host].isPinned())
    return false;
  return llvm::any_of(F, [&](const BasicBlock &BB) {
    return llvm::any_of(Events.in(&BB), [&](const Event &E) {
      return E.Async && A.P.mayLink(E) && B.P.mayLink(E);
    });
  });
}

/// True if the buffers \p A and \p B of one side are copied to each other.
static bool copiesBetween(const Function &F, const Effects &E, unsigned A,
                          unsigned B) {
  return llvm::any_of(F, [&](const BasicBlock &BB) {
    return llvm::any_of(E.in(&BB), [&](const Event &Ev) {
      int X = A, Y = B;
      return Ev.Kind == EventKind::Copy &&
             ((Ev.Dst == X && Ev.Src == Y) || (Ev.Dst == Y && Ev.Src == X) ||
              Ev.chooses());
    });
  });
}

namespace {
/// The one type that accesses are said to be of (TBAA), in one structure or
/// none: LLVM takes equal members of two structures for different memory.
class AccessType {
public:
  /// Adds what \p I accesses; false if accesses of two types were added, or
  /// that is not seen here.
  bool add(const Instruction &I);

private:
  bool addTag(const Instruction &I);

  const MDNode *Type = nullptr;      ///< null: none yet that says any
  const MDNode *Structure = nullptr; ///< the one with such members; null: none
  SmallPtrSet<const Function *, 8> Seen;
};
} // namespace

bool AccessType::addTag(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag)
    return true; // it may be any
  if (Tag->getNumOperands() < 2)
    return false;
  const auto *Base = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  const auto *Mine = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  if (!Base || !Mine || (Type && Type != Mine))
    return false;
  Type = Mine;
  if (Base == Mine)
    return true;
  if (Structure && Structure != Base)
    return false;
  Structure = Base;
  return true;
}

bool AccessType::add(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return addTag(I);
  const Function *Callee = Call->getCalledFunction();
  if (!Callee || I.getMetadata(LLVMContext::MD_tbaa_struct) || !addTag(I))
    return false;
  // Code out of sight cannot be moved by its types.
  if (Callee->isDeclaration() || !Seen.insert(Callee).second)
    return true;
  return llvm::all_of(instructions(*Callee), [&](const Instruction &Inner) {
    if (isa<CallBase>(Inner))
      return add(Inner);
    const Value *Pointer = getLoadStorePointerOperand(&Inner);
    return !Inner.mayReadOrWriteMemory() ||
           (Pointer && isa<AllocaInst>(getUnderlyingObject(Pointer))) ||
           addTag(Inner);
  });
}

/// True if no accesses of the host's to buffers \p X and \p Y are said to be of
/// types that never meet: LLVM would move one over the other.
static bool typesMayMeet(const Function &F, const Effects &Events, unsigned X,
                         unsigned Y) {
  AccessType Common;
  for (const BasicBlock &BB : F)
    for (const Event &E : Events.in(&BB))
      if (E.Kind == EventKind::Host &&
          llvm::any_of(E.Accesses,
                       [&](const Access &A) {
                         return A.Object == X || A.Object == Y;
                       }) &&
          !Common.add(*E.At))
        return false;
  return true;
}

/// Merges both pairs, of one device buffer, into one block, if each of the
/// three buffers may share it with each of the others. The two host buffers are
/// checked as a pair without linking copies: so all holds, too, where one of
/// the three stays apart at run time.
bool FunctionDecision::joinHosts(PairDecision &A, PairDecision &B,
                                 PairContext &C) {
  unsigned X = A.P.Host, Y = B.P.Host;
  const SCEV *Bytes = SizesOf.bytes(Objects[X]);
  auto IsPlain = [&](const PairDecision &D) {
    // What takes turns with the one would meet the other.
    return D.With == Sharing::Alone && !D.P.copiesParts() &&
           D.EarlyFrees.empty() && !Objects[D.P.Host].isPinned() &&
           D.Report.Result == Verdict::Unified &&
           Sizes::equal(SizesOf.bytes(Objects[D.P.Host]), Bytes) &&
           Sizes::equal(SizesOf.bytes(Objects[D.P.Device]), Bytes);
  };
  LoopInfo &LI = C.LI;
  auto LoopOf = [&](unsigned O) {
    return LI.getLoopFor(Objects[O].Alloc->getParent());
  };
  // LLVM may change the order of writes to the two.
  if (C.Unit.KeepsNoAlias && !isOff(Check::JoinedRestrict))
    return false;
  if (A.P.Device != B.P.Device || X == Y || !IsPlain(A) || !IsPlain(B) ||
      LoopOf(X) != LoopOf(Y) || LoopOf(X) != LoopOf(A.P.Device) ||
      copiesBetween(C.F, Events, X, Y) || Events.asksForOverlap(X, Y) ||
      !typesMayMeet(C.F, Events, X, Y))
    return false;
  Pair Hosts{X, Y, {}, {}, {}, 0, A.P.Bytes};
  S4Result R = C.Lifetimes.check(Hosts);
  if (!R.First || !R.EarlyFrees.empty())
    return false;
  Hosts.Resized = R.Resized;
  // The first of all comes before each of the others.
  unsigned First = A.First == B.First ? A.First : *R.First;
  if (First != A.P.Device &&
      (*R.First != First || (First == X ? A : B).First != First))
    return false;
  PairGroup Group({&Hosts}, Objects);
  if (checkContents(C, Group).front() && !isOff(Check::SharedDevice))
    return false;
  auto S2 = checkS2(C.F, Events, Group, Objects, C.Keys, {*R.First},
                    isMain(C.F), LI, C.LoopExits);
  if (S2.front().Violation && !isOff(Check::SharedDevice))
    return false;
  if (Work.mayWaitForHost() &&
      llvm::any_of(S2.front().Unsure,
                   [](const Event *E) { return E->waitsUnseen(); }))
    return false;
  A.Unsure.insert(A.Unsure.end(), S2.front().Unsure.begin(),
                  S2.front().Unsure.end());
  A.First = B.First = First;
  A.With = B.With = Sharing::Joined;
  A.Report.Quiescent &= S2.front().Quiescent;
  return true;
}

/// Of accepted pairs with a common buffer the first is kept, of proved ones
/// before those that the user vouches for; those that take
/// turns with all that are kept, or are there where none of these is, and a
/// second host buffer that fits; and none that needs other waits.
void FunctionDecision::declineRivals(PairContext &C) {
  SmallVector<PairDecision *, 8> Kept, Wanted;
  for (bool Assumed : {false, true})
    for (PairDecision &D : Decisions)
      if (D.Accepted && D.isAssumed() == Assumed)
        Wanted.push_back(&D);
  for (PairDecision *Each : Wanted) {
    PairDecision &D = *Each;
    SmallVector<PairDecision *, 2> Rivals;
    bool Clash = false;
    for (PairDecision *K : Kept) {
      if (D.P.has(K->P.Host) || D.P.has(K->P.Device))
        Rivals.push_back(K);
      Clash |= waitsDiffer(C.F, *K, D);
    }
    bool Fits = !Clash && llvm::all_of(Rivals, [&](const PairDecision *K) {
      return takeTurns(*K, D, C.Lifetimes);
    });
    auto Share = [&](Sharing How) {
      D.With = How;
      for (PairDecision *K : Rivals)
        K->With = How;
    };
    if (Fits && !Rivals.empty())
      Share(Sharing::Turns);
    if (!Fits && !Clash && llvm::all_of(Rivals, [&](const PairDecision *K) {
          return excludeEachOther(*K, D);
        })) {
      Fits = true;
      Share(Sharing::Excludes);
    }
    if (!Fits && !Clash && Rivals.size() == 1)
      Fits = joinHosts(*Rivals.front(), D, C);
    if (!Fits && !isOff(Check::Rival)) {
      takeBack(D, Blocker::Rival);
    } else {
      Kept.push_back(&D);
    }
  }
}

} // namespace echo
