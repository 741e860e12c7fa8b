//===- Liveness.cpp - Condition S1: is the partner's content dead? --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A backward data-flow of two bits for each pair to a fixed point, then one
// pass over all retained writes. Unwind edges are part of the control flow.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Liveness.h"
#include "Analysis/Api/CallStatus.h"
#include "Analysis/Memory/Exposure.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace echo {

namespace {
/// What may be read later, or what may have been written: a bit for each pair.
struct Live {
  explicit Live(const PairGroup &G)
      : Host(G.bits()), Device(G.bits()), HostAfterFailure(G.bits()),
        HostAfterLate(G.bits()) {}
  BitVector Host, Device;
  /// The content of h, if all of CUDA failed because a kernel did.
  BitVector HostAfterFailure;
  /// The same, if that was when an asynchronous download of the pair had its
  /// turn: a wait for something else may have succeeded before.
  BitVector HostAfterLate;
  BitVector &of(const Pair &P, unsigned Object) {
    return Object == P.Host ? Host : Device;
  }
  bool operator==(const Live &) const = default;
};

/// What one event does to the content of one side.
struct Use {
  bool Reads = false, Kills = false, Writes = false;
  bool Doubtful = false; ///< kills unless a kernel has failed
};

/// What one event does to one pair.
struct Step {
  const Event *Ev;
  unsigned Number; ///< of the pair
  const Pair *P;
  Use Host, Device;
  const Use &of(unsigned Object) const {
    return Object == P->Host ? Host : Device;
  }
};
} // namespace

/// True if what is done with \p Object, by other events than copies between the
/// two, may be done with another buffer than the one that is read later.
static bool isAnyOfGrown(const Pair &P, unsigned Object) {
  return P.Grown && Object == P.Host && !isOff(Check::GrownKeepsContent);
}

static Use useIfThere(const Event &E, const Pair &P, unsigned Object) {
  Use U;
  if (P.links(E)) {
    bool IsSource = E.Src == static_cast<int>(Object);
    U.Reads = IsSource && !isOff(Check::CopyReadsSource);
    U.Kills = !IsSource && P.copiesAll(E) &&
              (!P.mayFail(E) || isOff(Check::FailingCopyKills));
    U.Doubtful = U.Kills && E.Doubtful;
    return U;
  }
  if (P.mayLink(E)) {
    bool IsSource = llvm::is_contained(E.SrcOf, Object);
    U.Reads = IsSource;
    if (P.isSole(E)) {
      U.Kills = !IsSource && E.Bytes && Sizes::equal(E.Bytes, P.Bytes) &&
                (!E.MayFail || isOff(Check::FailingCopyKills));
      U.Doubtful = U.Kills && E.Doubtful;
      return U;
    }
    // It writes what is there already, or nothing, unless it reads another.
    U.Writes = !IsSource && E.SrcOf.size() > 1 && !isOff(Check::ChosenCopy);
    for (const Access &A : E.Accesses)
      U.Kills |= A.Object == Object && A.Full && !isAnyOfGrown(P, Object);
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
  if (isAnyOfGrown(P, Object))
    U.Kills = U.Doubtful = false;
  return U;
}

static Use useOf(const Event &E, const Pair &P, unsigned Object) {
  Use U = useIfThere(E, P, Object);
  // Where an allocation of the pair's own fails, it does not merge.
  if (!isOff(Check::OthersAreThere))
    U.Kills &= llvm::all_of(E.Needs, [&](unsigned O) { return P.has(O); });
  return U;
}

static void stepBack(const Step &S, Live &L) {
  for (unsigned Object : {S.P->Host, S.P->Device}) {
    const Use &U = S.of(Object);
    auto Bit = L.of(*S.P, Object)[S.Number];
    bool Old = Bit, Stays = !U.Kills || U.Doubtful;
    if (Object == S.P->Host) {
      auto Failed = L.HostAfterFailure[S.Number];
      Failed = (Failed && Stays) || U.Reads;
      auto Late = L.HostAfterLate[S.Number];
      Late = (Late && Stays) || U.Reads;
      Old &= !U.Doubtful || (S.Ev->Async ? Late : Failed);
    }
    Bit = (Old && Stays) || U.Reads;
  }
}

/// The edges on which a loop of the host has overwritten one side.
class Overwritten {
public:
  /// \p Writes: those of the pair's buffers.
  Overwritten(const Effects &E, const Pair &P,
              ArrayRef<const LoopWrite *> Writes) {
    for (const LoopWrite *W : Writes)
      if (!isAnyOfGrown(P, W->Object) && only(*W, E, P) &&
          (Sizes::equal(W->Bytes, P.Bytes) || isOff(Check::LoopWritesAll)))
        Found.push_back(*W);
  }
  ArrayRef<LoopWrite> writes() const { return Found; }
  /// True if all that \p Ev reads of the pair was written by the loop around
  /// it.
  bool rereads(const Event &Ev) const {
    return llvm::any_of(
        Found, [&](const LoopWrite &W) { return W.Rereads.contains(Ev.At); });
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
  /// Where copies from the other side do that, nothing else does.
  static bool only(const LoopWrite &W, const Effects &E, const Pair &P) {
    for (const BasicBlock *BB : W.Outermost->blocks())
      for (const Event &Ev : E.in(BB)) {
        if (W.Rereads.contains(Ev.At))
          continue;
        Use Mine = useOf(Ev, P, W.Object);
        Use Other = useOf(Ev, P, P.partner(W.Object));
        bool Only = Mine.Writes && !Mine.Reads;
        bool Links = P.links(Ev) && Ev.Dst == static_cast<int>(W.Object);
        if (W.ByCopies && Links && !Ev.MayFail)
          continue;
        if (P.links(Ev) || P.has(Ev.Object) || Other.Reads || Other.Writes ||
            Other.Kills || (W.ByCopies && Mine.Writes) ||
            ((Mine.Reads || Mine.Kills) && !Only))
          return false;
      }
    return true;
  }

  SmallVector<LoopWrite, 4> Found;
};

/// The event after \p From that reads \p Object's content of that moment.
/// \p MayFail: see Conflict.
static const Event *findReader(const Effects &E, const Pair &P,
                               const Overwritten &Done, const Event *From,
                               unsigned Object, const Event *&MayFail) {
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto Scan = [&](const BasicBlock *BB, const Event *After) -> const Event * {
    bool Active = !After;
    for (const Event &Ev : E.in(BB)) {
      if (Active) {
        Use U = useOf(Ev, P, Object);
        if (U.Reads && !Done.rereads(Ev))
          return &Ev;
        if (U.Kills && !U.Doubtful)
          return nullptr;
        if (!U.Kills && useIfThere(Ev, P, Object).Kills)
          MayFail = &Ev;
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
static void stepInit(const Step &S, Live &Init) {
  const Event &E = *S.Ev;
  const Pair &P = *S.P;
  if (P.links(E)) {
    bool FromSource =
        Init.of(P, E.Src)[S.Number] && !isOff(Check::WrittenByCopy);
    auto Dst = Init.of(P, E.Dst)[S.Number];
    Dst = FromSource || ((P.mayFail(E) || !P.copiesAll(E)) && Dst);
    return;
  }
  if (P.mayLink(E))
    for (unsigned Dst : E.DstOf)
      if (P.has(Dst))
        Init.of(P, Dst).set(S.Number);
  for (unsigned Object : {P.Host, P.Device}) {
    if (E.Kind == EventKind::Alloc && E.Object == static_cast<int>(Object) &&
        !isAnyOfGrown(P, Object))
      Init.of(P, Object).reset(S.Number);
    if (S.of(Object).Writes && !isOff(ruleOfWriter(E)))
      Init.of(P, Object).set(S.Number);
  }
}

namespace {
/// A stream that is one and the same each time; or none, or several.
class OneStream {
public:
  void add(const Event &Ev) {
    OneStream Of(Ev);
    Several |= Of.Several || (Any && !Of.is(*this));
    Any = true;
    Stream = Of.Stream;
    PerThread = Of.PerThread;
  }
  bool isOf(const Event &Ev) const { return Any && is(OneStream(Ev)); }
  OneStream() = default;

private:
  explicit OneStream(const Event &Ev) : Any(true), PerThread(Ev.PerThread) {
    if (Ev.Stream && !isa<ConstantPointerNull>(Ev.Stream))
      Stream = Ev.Stream;
    const auto *I = dyn_cast_or_null<Instruction>(Stream);
    Several = !Ev.HasStream || Ev.StreamUnknown ||
              (I && InstructionsBehind({I}).contains(*I));
  }
  bool is(const OneStream &Other) const {
    return !Several && !Other.Several && Stream == Other.Stream &&
           PerThread == Other.PerThread;
  }

  bool Any = false, Several = false;
  const Value *Stream = nullptr; ///< null: the default one
  bool PerThread = false;
};
} // namespace

/// True if a copy that fails after a kernel's error may run after \p Ev, of
/// which the branch that ends \p End tells, and before that branch.
static bool mayFailSince(const Effects &E, const Event &Ev,
                         const BasicBlock &End) {
  const BasicBlock *Begin = Ev.At->getParent();
  bool Behind = false;
  for (const Event &Other : E.in(Begin)) {
    if (Behind && Other.Doubtful)
      return true;
    Behind |= &Other == &Ev;
  }
  // Backward from the branch; the call itself ends each path.
  SmallPtrSet<const BasicBlock *, 8> Seen = {Begin};
  SmallVector<const BasicBlock *, 8> Work;
  auto Add = [&](const BasicBlock *BB) {
    if (Seen.insert(BB).second)
      Work.push_back(BB);
  };
  Add(&End);
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (llvm::any_of(E.in(BB), [](const Event &O) { return O.Doubtful; }))
      return true;
    llvm::for_each(predecessors(BB), Add);
  }
  return false;
}

/// The event that control takes the edge from \p From to \p To only after the
/// success of, or null: a status says nothing of copies that came after it.
static const Event *succeeded(const Effects &E, const BasicBlock *From,
                              const BasicBlock *To) {
  const CallBase *Call = callThatSucceeded(From, To);
  if (Call)
    for (const Event &Ev : llvm::reverse(E.in(Call->getParent())))
      if (Ev.At == Call)
        return mayFailSince(E, Ev, *From) ? nullptr : &Ev;
  return nullptr;
}

/// The pairs for which the success of \p Ev, if not null, tells that no kernel
/// has failed before.
static BitVector toldBy(const Event *Ev, const PairGroup &G) {
  if (!Ev)
    return G.bits();
  if (Ev->Kind == EventKind::SyncDevice || Ev->Kind == EventKind::SyncStream ||
      Ev->Kind == EventKind::SyncEvent)
    return G.bits(true);
  bool Download = Ev->Kind == EventKind::Copy && !Ev->Async &&
                  Ev->Direction == CopyDirection::DeviceToHost;
  BitVector Pairs = G.bits(Download && Ev->Moves);
  if (int Linked = G.linkedBy(*Ev); Download && Linked >= 0)
    Pairs.set(Linked);
  return Pairs;
}

namespace {
class Liveness {
public:
  Liveness(const Function &F, const Effects &E, const PairGroup &G,
           ArrayRef<LoopWrite> LoopWrites);
  std::vector<std::optional<Conflict>> run();

private:
  using BlockBits = DenseMap<const BasicBlock *, Live>;
  using Edge = std::pair<const BasicBlock *, const BasicBlock *>;
  using HostAndDevice = std::pair<bool, bool>;

  Live at(const BlockBits &Bits, const BasicBlock *BB) const {
    auto It = Bits.find(BB);
    return It == Bits.end() ? Live(G) : It->second;
  }
  ArrayRef<Step> steps(const BasicBlock *BB) const {
    auto It = Steps.find(BB);
    return It == Steps.end() ? ArrayRef<Step>() : ArrayRef(It->second);
  }
  Live outOf(const BasicBlock *BB) const;
  void leave(const BasicBlock *BB, const BasicBlock *Succ, const Live &L,
             Live &Out) const;
  void findLive();
  void findWritten();
  void check(const Step &S, const Live &After, HostAndDevice Written);

  const Effects &E;
  const PairGroup &G;
  std::vector<const BasicBlock *> PostOrder;
  DenseMap<const BasicBlock *, std::vector<Step>> Steps;
  std::vector<OneStream> Late;     ///< of asynchronous downloads; by pair
  std::vector<Overwritten> Done;   ///< by pair
  DenseMap<Edge, Live> Overwrites; ///< which side of which pairs
  BlockBits LiveIn;    ///< what may be read later, on entry to each block
  BlockBits WrittenIn; ///< what may have been written, on entry to each block
  std::vector<std::optional<Conflict>> Found;
};
} // namespace

Liveness::Liveness(const Function &F, const Effects &E, const PairGroup &G,
                   ArrayRef<LoopWrite> LoopWrites)
    : E(E), G(G), Late(G.size()), Found(G.size()) {
  std::vector<SmallVector<const LoopWrite *, 4>> Writes(G.size());
  for (const LoopWrite &W : LoopWrites)
    for (unsigned I : G.with(W.Object))
      Writes[I].push_back(&W);
  for (unsigned I = 0; I < G.size(); ++I) {
    Done.emplace_back(E, G[I], Writes[I]);
    for (const LoopWrite &W : Done[I].writes())
      Overwrites.try_emplace({W.Exiting, W.Exit}, G)
          .first->second.of(G[I], W.Object)
          .set(I);
  }
  for (const BasicBlock *BB : post_order(&F.getEntryBlock())) {
    PostOrder.push_back(BB);
    for (const Event &Ev : E.in(BB))
      for (unsigned I : G.touchedBy(Ev)) {
        if (!Done[I].rereads(Ev))
          Steps[BB].push_back({&Ev, I, &G[I], useOf(Ev, G[I], G[I].Host),
                               useOf(Ev, G[I], G[I].Device)});
        if (Ev.Async && useOf(Ev, G[I], G[I].Host).Doubtful)
          Late[I].add(Ev);
      }
  }
}

/// Adds to \p Out what may be read after a failure, which is \p L where control
/// goes on from \p BB to \p Succ.
void Liveness::leave(const BasicBlock *BB, const BasicBlock *Succ,
                     const Live &L, Live &Out) const {
  const Event *Ev = succeeded(E, BB, Succ);
  BitVector Told = toldBy(Ev, G);
  BitVector AfterFailure = L.HostAfterFailure;
  Out.HostAfterFailure |= AfterFailure.reset(Told);
  for (unsigned I : BitVector(Told).set_bits())
    if (Ev->Kind != EventKind::SyncDevice && !Late[I].isOf(*Ev))
      Told.reset(I);
  BitVector AfterLate = L.HostAfterLate;
  Out.HostAfterLate |= AfterLate.reset(Told);
}

Live Liveness::outOf(const BasicBlock *BB) const {
  Live Out(G);
  for (const BasicBlock *Succ : successors(BB)) {
    auto It = LiveIn.find(Succ);
    if (It == LiveIn.end() || isOff(Check::LiveAroundLoop, BB, Succ) ||
        (isOff(Check::KernelWriteKills) && skipsLaunch(BB, Succ, E)))
      continue;
    const Live &L = It->second;
    auto Without = [](BitVector Bits, const BitVector &Gone) {
      return Bits.reset(Gone);
    };
    if (auto Edge = Overwrites.find({BB, Succ}); Edge != Overwrites.end()) {
      Out.Host |= Without(L.Host, Edge->second.Host);
      Out.Device |= Without(L.Device, Edge->second.Device);
    } else {
      Out.Host |= L.Host;
      Out.Device |= L.Device;
    }
    leave(BB, Succ, L, Out);
  }
  auto IsSkip = [&](const BasicBlock *To) { return skipsLaunch(BB, To, E); };
  if (isOff(Check::LiveOnOnePath) && llvm::none_of(successors(BB), IsSkip))
    for (const BasicBlock *Succ : successors(BB)) {
      Live L = at(LiveIn, Succ);
      Out.Host &= L.Host;
      Out.Device &= L.Device;
    }
  return Out;
}

void Liveness::findLive() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : PostOrder) {
      Live L = outOf(BB);
      for (const Step &S : llvm::reverse(steps(BB)))
        stepBack(S, L);
      Live &Old = LiveIn.try_emplace(BB, G).first->second;
      if (!(Old == L)) {
        Old = std::move(L);
        Changed = true;
      }
    }
  }
}

void Liveness::findWritten() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : llvm::reverse(PostOrder)) {
      Live Init = at(WrittenIn, BB);
      for (const Step &S : steps(BB))
        stepInit(S, Init);
      for (const BasicBlock *Succ : successors(BB)) {
        Live &Old = WrittenIn.try_emplace(Succ, G).first->second;
        Changed |= Init.Host.test(Old.Host) || Init.Device.test(Old.Device);
        Old.Host |= Init.Host;
        Old.Device |= Init.Device;
      }
    }
  }
}

/// True if \p S is a call or work that writes both buffers, in whatever order:
/// a copy, and what may be one of the pair's, writes one.
static bool writesBoth(const Step &S) {
  return !isOff(Check::CallWritesBoth) && S.Ev->Kind != EventKind::Copy &&
         S.Host.Writes && S.Device.Writes;
}

/// \p After: what may be read after \p S; \p Written: what may be written
/// before.
void Liveness::check(const Step &S, const Live &After, HostAndDevice Written) {
  const Pair &P = *S.P;
  const Event &Ev = *S.Ev;
  for (unsigned Object : {P.Host, P.Device}) {
    unsigned Other = P.partner(Object);
    if (Found[S.Number] || P.links(Ev) || !S.of(Object).Writes)
      continue;
    Blocker Reason = reasonFor(Ev, P, Object);
    bool Host = Other == P.Host;
    if (S.of(Other).Reads && !P.mayLink(Ev))
      Found[S.Number] = Conflict{Reason, &Ev, &Ev};
    else if ((Host ? After.Host : After.Device)[S.Number] &&
             ((Host ? Written.first : Written.second) || writesBoth(S)) &&
             !isOff(Reason)) {
      Conflict &C = Found[S.Number].emplace(Conflict{Reason, &Ev, nullptr});
      C.Second = findReader(E, P, Done[S.Number], &Ev, Other, C.MayFail);
    }
  }
}

std::vector<std::optional<Conflict>> Liveness::run() {
  findLive();
  findWritten();
  for (const BasicBlock *BB : PostOrder) {
    ArrayRef<Step> Here = steps(BB);
    if (Here.empty())
      continue;
    SmallVector<HostAndDevice, 16> WrittenBefore;
    Live Written = at(WrittenIn, BB);
    for (const Step &S : Here) {
      WrittenBefore.push_back(
          {Written.Host[S.Number], Written.Device[S.Number]});
      stepInit(S, Written);
    }
    Live After = outOf(BB);
    for (const Step &S : llvm::reverse(Here)) {
      check(S, After, WrittenBefore.pop_back_val());
      stepBack(S, After);
    }
  }
  return std::move(Found);
}

std::vector<std::optional<Conflict>> checkS1(const Function &F,
                                             const Effects &E,
                                             const PairGroup &Pairs,
                                             ArrayRef<LoopWrite> LoopWrites) {
  return Liveness(F, E, Pairs, LoopWrites).run();
}

} // namespace echo
