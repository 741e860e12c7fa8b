//===- InFlight.cpp - Condition S2: is GPU work in the way? ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow to a fixed point. On a join an entry keeps only the keys
// that prove it done on every path. The rules of streams and waits are those
// of CUDA's pages on stream and API synchronization behavior; where a page says
// "may", the wait does not count.
//
//===----------------------------------------------------------------------===//
#include "Analysis/InFlight.h"
#include "Analysis/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;

namespace echo {

namespace {

struct Entry {
  bool Read = false, Write = false;
  uint64_t Keys = 0;
  bool operator==(const Entry &) const = default;
};

struct State {
  /// By the event and the object it accesses.
  std::map<std::pair<const Event *, unsigned>, Entry> Entries;
  bool AnyWork = false; ///< some GPU work of any kind may be in flight
  bool Reached = false;
  bool operator==(const State &) const = default;
};

class Flow {
public:
  Flow(const Pair &P, const MemoryObjects &Objects, StreamKeys &Keys,
       unsigned FirstAlloc)
      : P(P), Objects(Objects), Keys(Keys), FirstAlloc(FirstAlloc) {}

  void step(const Event &Ev, State &S);
  /// \p S behind an edge that \p Query, if not null, was answered on: what it
  /// asked for is done.
  State alongEdge(State S, const Event *Query);
  /// \p OnEveryPath: of the entries only those of both, for a test.
  static void join(State &Into, const State &From, bool OnEveryPath);

  S2Result Result{std::nullopt, true, {}, {}};
  bool Checking = false; ///< the fixed point is reached: report conflicts
  bool OnlyDefault = true;

private:
  void host(const Event &Ev, const State &S);
  void gpu(const Event &Ev, State &S);
  bool happens(const Event &Ev) const;
  void copyDone(const Event &Ev, State &S, int Stream);
  void enqueue(State &S, int Stream);
  void meet(const Event &Ev, const Access &A, const State &S, int Stream);
  void start(const Event &Ev, const Access &A, State &S, int Stream);
  void drop(State &S, uint64_t Waited);

  bool Counted = false; ///< what the event waits for changed the state
  const Pair &P;
  const MemoryObjects &Objects;
  StreamKeys &Keys;
  unsigned FirstAlloc;
};

uint64_t bit(int Key) { return Key < 0 ? 0 : uint64_t(1) << Key; }

} // namespace

void Flow::join(State &Into, const State &From, bool OnEveryPath) {
  if (!From.Reached)
    return;
  if (!Into.Reached) {
    Into = From;
    return;
  }
  Into.AnyWork |= From.AnyWork;
  if (OnEveryPath)
    std::erase_if(Into.Entries, [&](const auto &Item) {
      return !From.Entries.count(Item.first);
    });
  for (const auto &[Id, New] : From.Entries) {
    if (OnEveryPath && !Into.Entries.count(Id))
      continue;
    auto [It, Added] = Into.Entries.try_emplace(Id, New);
    if (Added)
      continue;
    It->second.Read |= New.Read;
    It->second.Write |= New.Write;
    if (isOff(Check::KeysOnEveryPath))
      It->second.Keys |= New.Keys;
    else
      It->second.Keys &= New.Keys;
  }
}

static bool joinIsMonotone() {
  return !isOff(Check::WaitOnEveryPath) && !isOff(Check::KeysOnEveryPath);
}

/// Removes the entries that a wait for any key in \p Waited proves done.
void Flow::drop(State &S, uint64_t Waited) {
  Counted |= std::erase_if(S.Entries, [&](const auto &Item) {
               return (Item.second.Keys & Waited) != 0;
             }) != 0;
}

State Flow::alongEdge(State S, const Event *Query) {
  if (Query)
    drop(S, bit(Query->Kind == EventKind::QueryStream ? Keys.streamOf(*Query)
                                                      : Keys.eventOf(*Query)));
  return S;
}

/// An operation joins \p Stream: what is ordered before it is done when the
/// stream is.
void Flow::enqueue(State &S, int Stream) {
  if (Stream == StreamKeys::None)
    return;
  for (auto &[Id, Item] : S.Entries) {
    bool LegacyWaits =
        Stream == StreamKeys::Legacy && (Item.Keys & Keys.blockingMask()) != 0;
    bool WaitsForLegacy =
        Keys.isBlocking(Stream) && (Item.Keys & bit(StreamKeys::Legacy)) != 0;
    if (!LegacyWaits && !WaitsForLegacy)
      continue;
    Counted |= !(Item.Keys & bit(Stream));
    Item.Keys |= bit(Stream);
  }
}

/// \p S without constant factors.
static const SCEV *variablePart(const SCEV *S) {
  while (const auto *M = dyn_cast<SCEVMulExpr>(S)) {
    if (M->getNumOperands() != 2 || !isa<SCEVConstant>(M->getOperand(0)))
      break;
    S = M->getOperand(1);
  }
  return S;
}

/// True if launch, set or copy \p Ev surely takes its place in its stream: a
/// copy of no bytes, or one that fails, waits for nothing and orders nothing. A
/// pair of no bytes is never merged, so a multiple of its size is not empty.
bool Flow::happens(const Event &Ev) const {
  if (Ev.MayFail && !isOff(Check::FailingCopyWaitsNot))
    return false;
  return Ev.Moves || isOff(Check::EmptyCopyWaitsNot) ||
         (Ev.Bytes && variablePart(Ev.Bytes) == variablePart(P.Bytes));
}

/// Reports the entry on the other side that access \p A is not ordered with.
void Flow::meet(const Event &Ev, const Access &A, const State &S, int Stream) {
  if (!Checking || Result.Violation || !P.has(A.Object))
    return;
  for (const auto &[Id, Item] : S.Entries) {
    if (Id.second == A.Object || (!A.Write && !Item.Write))
      continue;
    if (Stream != StreamKeys::None && (Item.Keys & bit(Stream)))
      continue;
    Blocker Reason = Blocker::CopyInFlight;
    if (Ev.Kind == EventKind::Host || Ev.Kind == EventKind::Alloc)
      Reason = A.Write ? Blocker::HostWriteInFlight : Blocker::HostReadInFlight;
    if (isOff(Reason))
      continue;
    Result.Violation = Conflict{Reason, Id.first, &Ev};
    return;
  }
}

void Flow::start(const Event &Ev, const Access &A, State &S, int Stream) {
  if (P.has(A.Object))
    S.Entries[{&Ev, A.Object}] = Entry{A.Read, A.Write, bit(Stream)};
}

void Flow::host(const Event &Ev, const State &S) {
  for (const Access &A : Ev.Accesses) {
    meet(Ev, A, S, StreamKeys::None);
    if (Checking && A.Object == P.Host && S.AnyWork &&
        !isOff(Check::Quiescence))
      Result.Quiescent = false;
  }
}

/// A synchronous copy returns.
void Flow::copyDone(const Event &Ev, State &S, int Stream) {
  bool Linking = P.links(Ev);
  bool Waits = happens(Ev);
  switch (Waits ? Ev.Direction : CopyDirection::Unknown) {
  case CopyDirection::DeviceToHost:
    drop(S, bit(Stream)); // "returns only once the copy has completed"
    if (isOff(Check::DownloadWaitIsOwn))
      S.Entries.clear();
    if (OnlyDefault)
      S.AnyWork = false;
    break;
  case CopyDirection::HostToDevice:
    // The source has been read; the transfer into the device may go on. Where
    // the copy is removed its sync(c) waits for all of the stream.
    for (const Access &A : Ev.Accesses)
      if (!Linking && Objects[A.Object].side() == Side::Device &&
          !isOff(Check::UploadGoesOn))
        start(Ev, A, S, Stream);
    S.AnyWork = !(Linking && OnlyDefault);
    break;
  default:
    for (const Access &A : Ev.Accesses)
      if (!Linking)
        start(Ev, A, S, Stream);
    if (Ev.Direction == CopyDirection::DeviceToDevice &&
        isOff(Check::InsideCopyWaitsNot))
      S.Entries.clear();
    S.AnyWork = true;
    break;
  }
}

void Flow::gpu(const Event &Ev, State &S) {
  if (Checking && P.links(Ev) && !S.AnyWork)
    Result.IdleCopies.push_back(&Ev);
  int Stream = Keys.streamOf(Ev);
  Counted = false;
  bool Sync = Ev.Kind == EventKind::Copy &&
              (!Ev.Async || isOff(Check::AsyncCopyWaitsNot));
  // "A stream sync is performed before the copy": only work that is in the
  // stream itself, before the copy joins it, counts as waited for.
  if (Sync && Ev.Direction == CopyDirection::HostToDevice && happens(Ev)) {
    drop(S, bit(Stream));
    if (isOff(Check::UploadWaitIsOwn))
      S.Entries.clear();
  }
  // The host itself moves the bytes of a copy between host buffers, and need
  // not wait for the stream before.
  bool ByHost = Ev.Kind == EventKind::Copy &&
                (Ev.Direction == CopyDirection::HostToHost ||
                 Ev.Direction == CopyDirection::Unknown) &&
                !isOff(Check::HostCopyUnordered);
  State Joined = S;
  bool WasBusy = S.AnyWork;
  enqueue(Joined, Stream);
  if (!P.links(Ev))
    for (const Access &A : Ev.Accesses)
      meet(Ev, A, Joined, ByHost ? StreamKeys::None : Stream);
  if (happens(Ev) && !ByHost)
    S = std::move(Joined);
  if (Sync)
    copyDone(Ev, S, Stream);
  if (Checking && happens(Ev) && !Ev.Sure && !P.links(Ev) &&
      (Counted || (WasBusy && !S.AnyWork)))
    Result.Unsure.push_back(&Ev);
  if (Sync)
    return;
  S.AnyWork = true;
  if (!P.links(Ev))
    for (const Access &A : Ev.Accesses)
      start(Ev, A, S, Stream);
}

void Flow::step(const Event &Ev, State &S) {
  switch (Ev.Kind) {
  case EventKind::Host:
    return host(Ev, S);
  case EventKind::Gpu:
  case EventKind::Copy:
    return gpu(Ev, S);
  case EventKind::Alloc:
    if (Ev.Object == static_cast<int>(FirstAlloc))
      S.Entries.clear();
    return host(Ev, S);
  case EventKind::Reset:
  case EventKind::SyncDevice:
    S.Entries.clear();
    S.AnyWork = false;
    return;
  case EventKind::QueryStream:
  case EventKind::QueryEvent:
    return; // its answer tells, see alongEdge()
  case EventKind::SyncStream:
    if (isOff(Check::StreamSyncIsOwn))
      return S.Entries.clear();
    return drop(S, bit(Keys.streamOf(Ev)));
  case EventKind::SyncEvent:
    if (isOff(Check::EventSyncIsRecorded))
      return S.Entries.clear();
    return drop(S, bit(Keys.eventOf(Ev)));
  case EventKind::EventRecord: {
    int Stream = Keys.streamOf(Ev);
    uint64_t Handle = bit(Keys.eventOf(Ev));
    // Another name of the same event waits for this record from now on.
    bool Own = isOwnHandle(Ev.Handle, ApiKind::EventCreate) ||
               isOff(Check::EventShared);
    uint64_t Aliases = Own ? 0 : Keys.sharedEvents();
    // A record is no work that joins its stream: a wait for the stream behind
    // it does not cover the legacy stream's work (seen on an H200).
    if (isOff(Check::RecordIsNoWork))
      enqueue(S, Stream);
    for (auto &[Id, Item] : S.Entries) {
      if (Item.Keys & bit(Stream))
        Item.Keys = (Item.Keys & ~Aliases) | Handle;
      else if (!isOff(Check::RecordReplaces))
        Item.Keys &= ~(Handle | Aliases);
    }
    return;
  }
  case EventKind::StreamWait: {
    uint64_t Handle = bit(Keys.eventOf(Ev));
    for (auto &[Id, Item] : S.Entries)
      if ((Item.Keys & Handle) || isOff(Check::StreamWaitIsRecorded))
        Item.Keys |= bit(Keys.streamOf(Ev));
    return;
  }
  case EventKind::Other:
    S.AnyWork = true;
    // What is out of sight may record an event anew.
    for (auto &[Id, Item] : S.Entries)
      if (!isOff(Check::EventOutOfSight))
        Item.Keys &= ~Keys.sharedEvents();
    if (isOff(Check::UnknownWaitsNot))
      S.Entries.clear();
    return;
  case EventKind::Free:
    return;
  }
}

/// The query whose answer, on the edge from \p From to \p To, is not "not
/// ready", or null. Nothing may stand between the query and the branch.
static const Event *answeredQuery(const Effects &E, const BasicBlock *From,
                                  const BasicBlock *To) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  ArrayRef<Event> Events = E.in(From);
  if (!Branch || !Branch->isConditional() || Events.empty() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  const Event &Query = Events.back();
  const auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
  if ((Query.Kind != EventKind::QueryStream &&
       Query.Kind != EventKind::QueryEvent) ||
      !Cmp || !Cmp->isEquality() || Cmp->getOperand(0) != Query.At)
    return nullptr;
  constexpr uint64_t Success = 0, NotReady = 600;
  const auto *With = dyn_cast<ConstantInt>(Cmp->getOperand(1));
  bool Equal = (Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
               (Branch->getSuccessor(0) == To);
  bool Done =
      With && (Equal ? With->equalsInt(Success) : With->equalsInt(NotReady));
  return Done ? &Query : nullptr;
}

S2Result checkS2(const Function &F, const Effects &E, const Pair &P,
                 const MemoryObjects &Objects, StreamKeys &Keys,
                 unsigned FirstAlloc, bool StartsIdle) {
  Flow Fl(P, Objects, Keys, FirstAlloc);
  // Number all streams first, so that blockingMask() is complete.
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      Keys.streamOf(Ev);
      Keys.eventOf(Ev);
      Fl.OnlyDefault &= Ev.Kind != EventKind::Other;
    }
  Fl.OnlyDefault &= Keys.onlyDefaultStreams();

  std::map<const BasicBlock *, State> Out;
  auto InOf = [&](const BasicBlock *BB) {
    State In;
    if (BB == &F.getEntryBlock()) {
      In.Reached = true;
      In.AnyWork = !StartsIdle;
    }
    auto IsSkip = [&](const BasicBlock *P) { return skipsLaunch(P, BB, E); };
    bool OnEveryPath = isOff(Check::WaitOnEveryPath) &&
                       llvm::none_of(predecessors(BB), IsSkip);
    for (const BasicBlock *Pred : predecessors(BB))
      if (!isOff(Check::InFlightAroundLoop, Pred, BB))
        Flow::join(In, Fl.alongEdge(Out[Pred], answeredQuery(E, Pred, BB)),
                   OnEveryPath);
    return In;
  };
  ReversePostOrderTraversal<const Function *> Order(&F);
  // Without the rules of join() there may be no fixed point.
  unsigned RoundsLeft = joinIsMonotone() ? ~0u : 100;
  for (bool Changed = true; Changed && RoundsLeft; --RoundsLeft) {
    Changed = false;
    for (const BasicBlock *BB : Order) {
      State S = InOf(BB);
      for (const Event &Ev : E.in(BB))
        Fl.step(Ev, S);
      State &Old = Out[BB];
      if (!(Old == S)) {
        Old = std::move(S);
        Changed = true;
      }
    }
  }
  Fl.Checking = true;
  for (const BasicBlock *BB : Order) {
    State S = InOf(BB);
    for (const Event &Ev : E.in(BB))
      Fl.step(Ev, S);
  }
  return Fl.Result;
}

} // namespace echo
