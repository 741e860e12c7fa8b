//===- Liveness.cpp - Condition S1: is the partner's content dead? --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward data-flow of two bits to a fixed point, then one pass over all
// retained writes. Unwind edges are part of the control flow.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Liveness.h"
#include "Analysis/CallStatus.h"
#include "Analysis/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

namespace {
struct Live {
  bool Host = false, Device = false;
  /// The content of h, if all of CUDA failed because a kernel did.
  bool HostAfterFailure = false;
  bool &of(const Pair &P, unsigned Object) {
    return Object == P.Host ? Host : Device;
  }
  bool operator==(const Live &) const = default;
};

/// What one event does to the content of one side.
struct Use {
  bool Reads = false, Kills = false, Writes = false;
  bool Doubtful = false; ///< kills unless a kernel has failed
};
} // namespace

static Use useOf(const Event &E, const Pair &P, unsigned Object) {
  Use U;
  if (P.links(E)) {
    bool IsSource = E.Src == static_cast<int>(Object);
    U.Reads = IsSource && !isOff(Check::CopyReadsSource);
    // Covers all: checked before.
    U.Kills = !IsSource && (!E.MayFail || isOff(Check::FailingCopyKills));
    U.Doubtful = U.Kills && E.Doubtful;
    return U;
  }
  if (E.Kind == EventKind::Alloc && E.Object == static_cast<int>(Object))
    U.Kills = true;
  for (const Access &A : E.Accesses)
    if (A.Object == Object) {
      U.Reads |= A.Read;
      U.Writes |= A.Write;
      U.Kills |= A.Full || (A.Write && isOff(Check::PartialWriteKills));
      U.Doubtful = A.Full && E.Doubtful;
    }
  return U;
}

static void stepBack(const Event &E, const Pair &P, Live &L) {
  for (unsigned Object : {P.Host, P.Device}) {
    Use U = useOf(E, P, Object);
    bool &Bit = L.of(P, Object);
    if (Object == P.Host) {
      L.HostAfterFailure =
          (L.HostAfterFailure && (!U.Kills || U.Doubtful)) || U.Reads;
      Bit &= !U.Doubtful || L.HostAfterFailure;
    }
    Bit = (Bit && (!U.Kills || U.Doubtful)) || U.Reads;
  }
}

/// The edges on which a loop of the host has overwritten one side.
class Overwritten {
public:
  Overwritten(const Effects &E, const Pair &P, ArrayRef<LoopWrite> Writes) {
    for (const LoopWrite &W : Writes)
      if (P.has(W.Object) && only(W, E, P) &&
          (Sizes::equal(W.Bytes, P.Bytes) || isOff(Check::LoopWritesAll)))
        Found.push_back(W);
  }
  bool onEdge(const BasicBlock *From, const BasicBlock *To,
              unsigned Object) const {
    return llvm::any_of(Found, [&](const LoopWrite &W) {
      return W.Object == Object && W.Exiting == From && W.Exit == To;
    });
  }

private:
  /// True if the loop does nothing with the pair but write that side: what it
  /// found there is dead then, and nothing destroys what it leaves half done.
  static bool only(const LoopWrite &W, const Effects &E, const Pair &P) {
    for (const BasicBlock *BB : W.Outermost->blocks())
      for (const Event &Ev : E.in(BB)) {
        Use Mine = useOf(Ev, P, W.Object);
        Use Other = useOf(Ev, P, P.partner(W.Object));
        bool Only = Mine.Writes && !Mine.Reads;
        if (P.links(Ev) || P.has(Ev.Object) || Other.Reads || Other.Writes ||
            Other.Kills || ((Mine.Reads || Mine.Kills) && !Only))
          return false;
      }
    return true;
  }

  SmallVector<LoopWrite, 4> Found;
};

/// The event after \p From that reads \p Object's content of that moment.
static const Event *findReader(const Effects &E, const Pair &P,
                               const Overwritten &Done, const Event *From,
                               unsigned Object) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto Scan = [&](const BasicBlock *BB, const Event *After) -> const Event * {
    bool Active = !After;
    for (const Event &Ev : E.in(BB)) {
      if (Active) {
        Use U = useOf(Ev, P, Object);
        if (U.Reads)
          return &Ev;
        if (U.Kills && !U.Doubtful)
          return nullptr;
      }
      Active |= &Ev == After;
    }
    for (const BasicBlock *Succ : successors(BB))
      if (!Done.onEdge(BB, Succ, Object) && Seen.insert(Succ).second)
        Work.push_back(Succ);
    return nullptr;
  };
  if (const Event *Found = Scan(From->At->getParent(), From))
    return Found;
  while (!Work.empty())
    if (const Event *Found = Scan(Work.pop_back_val(), nullptr))
      return Found;
  return nullptr;
}

static Blocker reasonFor(const Event &E, const Pair &P, unsigned Written) {
  if (E.Kind == EventKind::Alloc)
    return Blocker::AllocWriteLive;
  return Written == P.Host ? Blocker::HostWriteLive : Blocker::DeviceWriteLive;
}

/// The rule that write \p E makes a content one that somebody wrote.
static Check ruleOfWriter(const Event &E) {
  return E.Kind == EventKind::Gpu ? Check::WrittenByGpu : Check::WrittenByHost;
}

/// Forward: may the content of each side have been written since its
/// allocation? A linking copy passes on what it reads.
static void stepInit(const Event &E, const Pair &P, Live &Init) {
  if (P.links(E)) {
    bool FromSource = Init.of(P, E.Src) && !isOff(Check::WrittenByCopy);
    Init.of(P, E.Dst) = FromSource || (E.MayFail && Init.of(P, E.Dst));
    return;
  }
  for (unsigned Object : {P.Host, P.Device}) {
    if (E.Kind == EventKind::Alloc && E.Object == static_cast<int>(Object))
      Init.of(P, Object) = false;
    if (useOf(E, P, Object).Writes && !isOff(ruleOfWriter(E)))
      Init.of(P, Object) = true;
  }
}

using BlockBits = DenseMap<const BasicBlock *, Live>;

/// What may be written on entry to each block.
static BlockBits initialized(const Function &F, const Effects &E,
                             const Pair &P) {
  BlockBits In;
  ReversePostOrderTraversal<const Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Order) {
      Live Init = In.lookup(BB);
      for (const Event &Ev : E.in(BB))
        stepInit(Ev, P, Init);
      for (const BasicBlock *Succ : successors(BB)) {
        Live Joined = In.lookup(Succ);
        Joined.Host |= Init.Host;
        Joined.Device |= Init.Device;
        if (!(Joined == In.lookup(Succ))) {
          In[Succ] = Joined;
          Changed = true;
        }
      }
    }
  }
  return In;
}

bool skipsLaunch(const BasicBlock *From, const BasicBlock *To,
                 const Effects &E) {
  return llvm::any_of(successors(From), [&](const BasicBlock *BB) {
    return BB->getSingleSuccessor() == To &&
           llvm::any_of(E.in(BB), [](const Event &Ev) {
             return Ev.Kind == EventKind::Gpu;
           });
  });
}

/// True if control takes the edge from \p From to \p To only where a wait has
/// told that all went well: no kernel has failed before.
static bool waitSucceeded(const Effects &E, const Pair &P,
                          const BasicBlock *From, const BasicBlock *To) {
  const CallBase *Call = callThatSucceeded(From, To);
  if (!Call)
    return false;
  for (const Event &Ev : llvm::reverse(E.in(Call->getParent())))
    if (Ev.At == Call)
      return Ev.Kind == EventKind::SyncDevice ||
             Ev.Kind == EventKind::SyncStream ||
             Ev.Kind == EventKind::SyncEvent ||
             (Ev.Kind == EventKind::Copy && !Ev.Async &&
              Ev.Direction == CopyDirection::DeviceToHost &&
              (Ev.Moves || P.links(Ev)));
  return false;
}

std::optional<Conflict> checkS1(const Function &F, const Effects &E,
                                const Pair &P, ArrayRef<LoopWrite> LoopWrites) {
  Overwritten Done(E, P, LoopWrites);
  BlockBits In;
  auto OutOf = [&](const BasicBlock *BB) {
    Live Out;
    for (const BasicBlock *Succ : successors(BB)) {
      if (isOff(Check::LiveAroundLoop, BB, Succ) ||
          (isOff(Check::KernelWriteKills) && skipsLaunch(BB, Succ, E)))
        continue;
      Live L = In.lookup(Succ);
      Out.Host |= L.Host && !Done.onEdge(BB, Succ, P.Host);
      Out.HostAfterFailure |=
          L.HostAfterFailure && !waitSucceeded(E, P, BB, Succ);
      Out.Device |= L.Device;
    }
    auto IsSkip = [&](const BasicBlock *To) { return skipsLaunch(BB, To, E); };
    if (isOff(Check::LiveOnOnePath) && llvm::none_of(successors(BB), IsSkip))
      for (const BasicBlock *Succ : successors(BB)) {
        Out.Host &= In.lookup(Succ).Host;
        Out.Device &= In.lookup(Succ).Device;
      }
    return Out;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : post_order(&F.getEntryBlock())) {
      Live L = OutOf(BB);
      for (const Event &Ev : llvm::reverse(E.in(BB)))
        stepBack(Ev, P, L);
      if (!(In.lookup(BB) == L)) {
        In[BB] = L;
        Changed = true;
      }
    }
  }
  BlockBits InitIn = initialized(F, E, P);
  for (const BasicBlock *BB : post_order(&F.getEntryBlock())) {
    SmallVector<Live, 16> InitBefore;
    Live Init = InitIn.lookup(BB);
    for (const Event &Ev : E.in(BB)) {
      InitBefore.push_back(Init);
      stepInit(Ev, P, Init);
    }
    Live After = OutOf(BB);
    for (const Event &Ev : llvm::reverse(E.in(BB))) {
      Live Written = InitBefore.pop_back_val();
      for (unsigned Object : {P.Host, P.Device}) {
        unsigned Other = P.partner(Object);
        if (P.links(Ev) || !useOf(Ev, P, Object).Writes)
          continue;
        if (useOf(Ev, P, Other).Reads)
          return Conflict{reasonFor(Ev, P, Object), &Ev, &Ev};
        if (After.of(P, Other) && Written.of(P, Other) &&
            !isOff(reasonFor(Ev, P, Object)))
          return Conflict{reasonFor(Ev, P, Object), &Ev,
                          findReader(E, P, Done, &Ev, Other)};
      }
      stepBack(Ev, P, After);
    }
  }
  return std::nullopt;
}

} // namespace echo
