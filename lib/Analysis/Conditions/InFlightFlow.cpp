//===- InFlightFlow.cpp - What an event does to what is in flight ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InFlightFlow.h. On a join an entry keeps only the keys that prove it done
// on every path.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/InFlightFlow.h"
#include "Support/Checks.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo::inflight {

static uint64_t bit(int Key) { return Key < 0 ? 0 : uint64_t(1) << Key; }

void Flow::join(State &Into, const State &From, bool OnEveryPath) {
  if (!From.Reached)
    return;
  if (!Into.Reached) {
    Into = From;
    return;
  }
  Into.AnyWork |= From.AnyWork;
  Into.OfCaller |= From.OfCaller;
  Into.Code |= From.Code;
  Into.WorkWithout |= From.WorkWithout;
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

/// True if the entry \p Id is of an upload that goes on after its return.
static bool isUpload(const auto &Id) { return std::get<2>(Id) == GoesOn; }

/// Removes \p Pairs' entries that a wait for any key in \p Waited proves done.
/// \p By: the copy or set that waits, if it is one. For an upload's sake
/// something is put only after one that says that it failed.
void Flow::drop(State &S, uint64_t Waited, const BitVector &Pairs,
                const Event *By) {
  std::erase_if(S.Entries, [&](const auto &Item) {
    unsigned Number = std::get<0>(Item.first);
    bool Gone = (Item.second.Keys & Waited) && Pairs[Number];
    if (isUpload(Item.first)) {
      Gone &= !By || By->Sure;
      if (Gone)
        OfUploads.set(Number);
      return Gone;
    }
    if (Gone)
      Counted.set(Number);
    return Gone;
  });
}

void Flow::clear(State &S, const BitVector &Pairs) {
  std::erase_if(S.Entries, [&](const auto &Item) {
    return Pairs[std::get<0>(Item.first)] && !isUpload(Item.first);
  });
}

State Flow::alongEdge(State S, const Event *Query) {
  if (Query)
    drop(S,
         bit(Query->Kind == EventKind::QueryStream ? Keys.streamOf(*Query)
                                                   : Keys.eventOf(*Query)),
         All);
  return S;
}

/// \p Old, and \p Stream if an operation that joins it is ordered after what
/// has those keys: that is done when the stream is.
uint64_t Flow::joined(uint64_t Old, int Stream) const {
  if (Stream == StreamKeys::None)
    return Old;
  bool LegacyWaits =
      Stream == StreamKeys::Legacy && (Old & Keys.blockingMask()) != 0;
  bool WaitsForLegacy =
      Keys.isBlocking(Stream) && (Old & bit(StreamKeys::Legacy)) != 0;
  return LegacyWaits || WaitsForLegacy ? Old | bit(Stream) : Old;
}

/// An operation joins \p Stream, as far as \p Pairs see.
void Flow::enqueue(State &S, int Stream, const BitVector &Pairs) {
  for (auto &[Id, Item] : S.Entries) {
    uint64_t New = joined(Item.Keys, Stream);
    if (New == Item.Keys || isUpload(Id))
      continue;
    Counted.set(std::get<0>(Id));
    if (Pairs[std::get<0>(Id)])
      Item.Keys = New;
  }
}

/// The pairs for which launch, set or copy \p Ev surely takes its place in its
/// stream: a copy of no bytes, or one that fails, waits for nothing and orders
/// nothing. A pair of no bytes is never merged.
const BitVector &Flow::movesBytes(const Event &Ev) {
  if (Ev.MayFail && !isOff(Check::FailingCopyWaitsNot))
    return Nobody;
  return movesIfNotFailing(Ev);
}

const BitVector &Flow::movesIfNotFailing(const Event &Ev) {
  if (Ev.Moves || isOff(Check::EmptyCopyWaitsNot))
    return All;
  if (!Ev.Bytes)
    return Nobody;
  auto [It, New] = OfSize.try_emplace(Ev.Bytes, Nobody);
  if (New)
    for (unsigned I = 0; I < G.size(); ++I)
      It->second[I] = (!G[I].Resized || isOff(Check::ResizedOnlyRead)) &&
                      Sizes::isNotZeroWith(Ev.Bytes, G[I].Bytes);
  return It->second;
}

/// Of \p Pairs, for which \p Ev surely moves bytes where they are merged, those
/// for which it does where the device side stays apart, too. The host side is a
/// block all the same, of more than no bytes; the device side may have none, or
/// too few for a copy between the two (\p Linked), which then fails.
BitVector Flow::movesWhereApart(const Event &Ev, const BitVector &Pairs,
                                int Linked) {
  BitVector Moves = Pairs;
  if (Linked >= 0 && !G[Linked].SizesKnown)
    Moves.reset(Linked);
  for (unsigned I : Pairs.set_bits())
    if (!Ev.Moves && !isOff(Check::EmptyCopyWaitsNot) &&
        (!Ev.Bytes || !G[I].HostBytes || G[I].Resized ||
         !Sizes::isNotZeroWith(Ev.Bytes, G[I].HostBytes)))
      Moves.reset(I);
  return Moves;
}

/// As movesBytes, where a merged pair's own copy is what echort does for it:
/// that waits whatever the number of bytes.
const BitVector &Flow::happens(const Event &Ev, int Linked) {
  const BitVector &Moves = movesBytes(Ev);
  // Where a host buffer is gone that comes first, the next one starts anew.
  if (Linked >= 0 && Ev.MayFail && !G[Linked].mayFail(Ev) &&
      FirstAllocs[Linked] == G[Linked].Host) {
    bool Mine = movesIfNotFailing(Ev)[Linked] || G[Linked].copiesParts() ||
                G[Linked].Resized;
    Happening = Nobody;
    Happening[Linked] = Mine;
    return Happening;
  }
  if (Linked < 0 || Ev.MayFail || Moves[Linked] ||
      !(G[Linked].copiesParts() || G[Linked].Resized))
    return Moves;
  Happening = Moves;
  Happening.set(Linked);
  return Happening;
}

/// Reports, for each pair but number \p Linked, the entry on the other side
/// that access \p A is not ordered with once it has joined \p Stream.
void Flow::meet(const Event &Ev, const Access &A, const State &S, int Stream,
                int Linked) {
  if (!Checking)
    return;
  for (unsigned Number : G.with(A.Object)) {
    std::optional<Conflict> &Violation = Results[Number].Violation;
    if (static_cast<int>(Number) == Linked)
      continue;
    const bool Old = Violation.has_value();
    for (auto It = S.Entries.lower_bound({Number, nullptr, 0});
         !Old && It != S.Entries.end() && std::get<0>(It->first) == Number;
         ++It) {
      const auto &[Id, Item] = *It;
      // The first one in the order of the function is reported.
      if (Violation && !comesBefore(*std::get<1>(Id), *Violation->First))
        continue;
      if (std::get<2>(Id) == A.Object || isUpload(Id) ||
          (!A.Write && !Item.Write))
        continue;
      if (Stream != StreamKeys::None &&
          (joined(Item.Keys, Stream) & bit(Stream)))
        continue;
      Blocker Reason = Blocker::CopyInFlight;
      if (Ev.Kind == EventKind::Host || Ev.Kind == EventKind::Alloc)
        Reason =
            A.Write ? Blocker::HostWriteInFlight : Blocker::HostReadInFlight;
      if (!isOff(Reason))
        Violation = Conflict{Reason, std::get<1>(Id), &Ev};
    }
  }
}

/// Forbids the uploads that access \p A meets to go on: it uses d, or writes h,
/// and once it has joined \p Stream is not ordered after them.
void Flow::meetUploads(const Access &A, const State &S, int Stream) {
  if (!Checking)
    return;
  for (unsigned Number : G.with(A.Object)) {
    if (A.Object == G[Number].Host && !A.Write)
      continue;
    for (auto It = S.Entries.lower_bound({Number, nullptr, 0});
         It != S.Entries.end() && std::get<0>(It->first) == Number; ++It) {
      bool Ordered = Stream != StreamKeys::None &&
                     (joined(It->second.Keys, Stream) & bit(Stream));
      if (isUpload(It->first) && !Ordered)
        Met.insert({Number, std::get<1>(It->first)});
    }
  }
}

/// Forbids all uploads that may go on in \p S.
void Flow::forbidAll(const State &S) {
  for (const auto &[Id, Item] : S.Entries)
    if (Checking && isUpload(Id))
      Met.insert({std::get<0>(Id), std::get<1>(Id)});
}

/// Copy \p Ev of pair \p Linked may go on after its return, if it is an upload
/// in the legacy stream of the bytes of one buffer.
void Flow::startUpload(const Event &Ev, State &S, int Stream, int Linked) {
  if (Linked < 0 || Stream != StreamKeys::Legacy || !Ev.Bytes ||
      Ev.Direction != CopyDirection::HostToDevice)
    return;
  unsigned Number = Linked;
  S.Entries[{Number, &Ev, GoesOn}] = Entry{false, false, bit(Stream)};
  if (Checking)
    Uploads.insert({Number, &Ev});
}

void Flow::collectUploads() {
  for (auto [Number, Ev] : Uploads)
    if (!Met.contains({Number, Ev}))
      Results[Number].AsyncUploads.push_back(Ev);
}

/// \p Pairs, but number \p Linked, have an access of \p Ev in flight.
void Flow::start(const Event &Ev, const Access &A, State &S, int Stream,
                 const BitVector &Pairs, int Linked) {
  for (unsigned Number : G.with(A.Object))
    if (static_cast<int>(Number) != Linked && Pairs[Number]) {
      // A kernel may get one buffer twice.
      Entry &Started = S.Entries[{Number, &Ev, A.Object}];
      Started.Read |= A.Read;
      Started.Write |= A.Write;
      Started.Keys = bit(Stream);
    }
}

void Flow::host(const Event &Ev, const State &S) {
  if (!Checking)
    return;
  for (const Access &A : Ev.Accesses) {
    meet(Ev, A, S, StreamKeys::None, -1);
    meetUploads(A, S, StreamKeys::None);
    for (unsigned Number : G.with(A.Object))
      if (A.Object == G[Number].Host && (S.AnyWork[Number] || S.OfCaller) &&
          !isOff(Check::Quiescence))
        Results[Number].Quiescent = false;
  }
}

/// A synchronous copy returns. \p Linked: the number of the pair that it links.
void Flow::copyDone(const Event &Ev, State &S, int Stream, int Linked) {
  const BitVector Waiting = happens(Ev, Linked);
  const BitVector Apart = movesWhereApart(Ev, Waiting, Linked);
  bool Download = Ev.Direction == CopyDirection::DeviceToHost;
  bool Upload = Ev.Direction == CopyDirection::HostToDevice;
  BitVector Others = All; // that do not know how it ends
  if (Download || Upload)
    Others.reset(Waiting);
  for (const Access &A : Ev.Accesses)
    start(Ev, A, S, Stream, Others, Linked);
  if (Ev.Direction == CopyDirection::DeviceToDevice &&
      isOff(Check::InsideCopyWaitsNot))
    clear(S, All);
  S.anyWork(Others);
  if (Download) {
    // "returns only once the copy has completed"
    drop(S, bit(Stream), Waiting, &Ev);
    if (isOff(Check::DownloadWaitIsOwn))
      clear(S, Waiting);
    if (OnlyDefault)
      S.AnyWork.reset(Apart);
    if (OnlyDefault && !Ev.MayFail)
      S.WorkWithout.reset(Apart);
  } else if (Upload) {
    // The source has been read; the transfer into the device may go on. Where
    // the copy is removed its sync(c) waits for all of the stream.
    for (const Access &A : Ev.Accesses)
      if (Objects[A.Object].side() == Side::Device &&
          !isOff(Check::UploadGoesOn))
        start(Ev, A, S, Stream, Waiting, Linked);
    S.anyWork(Waiting);
    if (Linked >= 0 && Apart[Linked] && OnlyDefault)
      S.AnyWork.reset(Linked), S.WorkWithout.reset(Linked);
  }
}

void Flow::gpu(const Event &Ev, State &S) {
  int Linked = G.linkedBy(Ev);
  if (Checking && Linked >= 0 && !S.AnyWork[Linked])
    Results[Linked].IdleCopies.push_back(&Ev);
  if (Checking && Linked >= 0 && !S.Code)
    Results[Linked].CopiesWithoutCode.push_back(&Ev);
  S.Code |= Ev.Kind == EventKind::Gpu && Ev.RunsCode;
  int Stream = Keys.streamOf(Ev);
  const BitVector Happens = happens(Ev, Linked);
  Counted.reset();
  OfUploads.reset();
  bool Sync = Ev.Kind == EventKind::Copy &&
              (!Ev.Async || isOff(Check::AsyncCopyWaitsNot));
  // "A stream sync is performed before the copy": only work that is in the
  // stream itself, before the copy joins it, counts as waited for.
  if (Sync && Ev.Direction == CopyDirection::HostToDevice) {
    drop(S, bit(Stream), Happens, &Ev);
    if (isOff(Check::UploadWaitIsOwn))
      clear(S, Happens);
  }
  // The host itself moves the bytes of a copy between host buffers, and need
  // not wait for the stream before.
  bool ByHost = Ev.Kind == EventKind::Copy &&
                (Ev.Direction == CopyDirection::HostToHost ||
                 Ev.Direction == CopyDirection::Unknown) &&
                !isOff(Check::HostCopyUnordered);
  const int In = ByHost ? StreamKeys::None : Stream;
  for (const Access &A : Ev.Accesses) {
    meet(Ev, A, S, In, Linked);
    meetUploads(A, S, In);
  }
  BitVector WasBusy = S.AnyWork;
  enqueue(S, Stream, ByHost ? Nobody : Happens);
  if (Sync) {
    copyDone(Ev, S, Stream, Linked);
    startUpload(Ev, S, Stream, Linked);
  }
  bool Safe = Ev.Sure && isOff(Check::FailingCopyWaits);
  if (Checking && !Safe) {
    // Those that count on it. Of a merged pair's own copy the wait stays.
    BitVector Pairs = WasBusy.reset(S.AnyWork);
    Pairs |= Counted;
    Pairs &= Happens;
    if (Linked >= 0)
      Pairs.reset(Linked);
    Pairs |= OfUploads;
    for (unsigned Number : Pairs.set_bits())
      Results[Number].Unsure.push_back(&Ev);
  }
  if (Sync)
    return;
  S.anyWork(All);
  for (const Access &A : Ev.Accesses)
    start(Ev, A, S, Stream, All, Linked);
}

void Flow::allocated(const Event &Ev, State &S) {
  BitVector Starting = Nobody;
  const unsigned Object = Ev.Object;
  for (unsigned Number : G.with(Object)) {
    Starting[Number] = Object == FirstAllocs[Number] && !G[Number].Grown;
    if (Object == G[Number].Host && S.WorkWithout[Number])
      S.AnyWork.set(Number);
  }
  clear(S, Starting);
  host(Ev, S);
}

void Flow::recorded(const Event &Ev, State &S) {
  int Stream = Keys.streamOf(Ev);
  uint64_t Handle = bit(Keys.eventOf(Ev));
  // Another name of the same event waits for this record from now on.
  bool Own =
      isOwnHandle(Ev.Handle, ApiKind::EventCreate) || isOff(Check::EventShared);
  uint64_t Aliases = Own ? 0 : Keys.sharedEvents();
  // A record is no work that joins its stream: a wait for the stream after
  // it does not cover the legacy stream's work (seen on an H200).
  if (isOff(Check::RecordIsNoWork))
    enqueue(S, Stream, All);
  for (auto &[Id, Item] : S.Entries) {
    if (Item.Keys & bit(Stream))
      Item.Keys = (Item.Keys & ~Aliases) | Handle;
    else if (!isOff(Check::RecordReplaces))
      Item.Keys &= ~(Handle | Aliases);
  }
}

void Flow::streamWaits(const Event &Ev, State &S) {
  uint64_t Handle = bit(Keys.eventOf(Ev));
  for (auto &[Id, Item] : S.Entries)
    if ((Item.Keys & Handle) || isOff(Check::StreamWaitIsRecorded))
      Item.Keys |= bit(Keys.streamOf(Ev));
}

void Flow::streamDestroyed(const Event &Ev, State &S) {
  // CUDA does not say that the legacy stream waits for what is left there. A
  // stream that is not known may be any.
  constexpr uint64_t Defaults = uint64_t(1) << StreamKeys::Legacy |
                                uint64_t(1) << StreamKeys::PerThreadDefault;
  int Stream = Keys.streamOf(Ev);
  uint64_t Left = Stream == StreamKeys::None ? Defaults : ~bit(Stream);
  for (auto &[Id, Item] : S.Entries)
    Item.Keys &= Left;
}

void Flow::outOfSight(State &S) {
  S.anyWork(All);
  S.Code = true;
  // It may record an event anew.
  for (auto &[Id, Item] : S.Entries)
    if (!isOff(Check::EventOutOfSight))
      Item.Keys &= ~Keys.sharedEvents();
  if (isOff(Check::UnknownWaitsNot))
    S.Entries.clear();
}

void Flow::step(const Event &Ev, State &S) {
  switch (Ev.Kind) {
  case EventKind::Host:
    return host(Ev, S);
  case EventKind::Gpu:
  case EventKind::Copy:
    return gpu(Ev, S);
  case EventKind::Alloc:
    return allocated(Ev, S);
  case EventKind::Reset:
  case EventKind::SyncDevice:
    S.Entries.clear();
    S.AnyWork = S.WorkWithout = Nobody;
    S.OfCaller = S.Code = false;
    return;
  case EventKind::QueryStream:
  case EventKind::QueryEvent:
    // What its answer proves is alongEdge()'s. It would show an upload that
    // goes on.
    return forbidAll(S);
  case EventKind::SyncStream:
    if (isOff(Check::StreamSyncIsOwn))
      return S.Entries.clear();
    return drop(S, bit(Keys.streamOf(Ev)), All);
  case EventKind::SyncEvent:
    if (isOff(Check::EventSyncIsRecorded))
      return S.Entries.clear();
    return drop(S, bit(Keys.eventOf(Ev)), All);
  case EventKind::EventRecord:
    return recorded(Ev, S);
  case EventKind::StreamWait:
    return streamWaits(Ev, S);
  case EventKind::StreamDestroy:
    return streamDestroyed(Ev, S);
  case EventKind::Other:
    return outOfSight(S);
  case EventKind::Free:
    return;
  }
}

} // namespace echo::inflight
