//===- Waits.cpp - What work was in flight at each copy -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Waits.h. Work is numbered as it is submitted. A clock says for each
// stream up to which number all is done; a stream's own clock says what is done
// once all that was submitted to it is.
//
//===----------------------------------------------------------------------===//
#include "Profile/Waits.h"

#include <algorithm>
#include <set>
#include <utility>

namespace echo::drtool {

using dr::Record;
using drplan::Wait;

namespace {

using Clock = std::map<size_t, uint64_t>; ///< stream to number

void join(Clock &Into, const Clock &From) {
  for (const auto &[Stream, Number] : From) {
    uint64_t &Mine = Into[Stream];
    Mine = std::max(Mine, Number);
  }
}

uint64_t at(const Clock &C, size_t Stream) {
  auto It = C.find(Stream);
  return It == C.end() ? 0 : It->second;
}

class Order {
  struct Stream {
    Clock Done;
    uint64_t Last = 0;
    bool Blocking = false; ///< certainly
    bool Foreign = false;  ///< its creation was not seen
    uint64_t LastUse = 0;  ///< its last work that may use a buffer
    uint64_t Since = 0;    ///< ns: when the first of it began; 0: all has ended
  };
  std::vector<Stream> All;
  std::map<uint64_t, Clock> Events;
  std::map<uint16_t, Clock> Waited; ///< by thread
  Clock Ended;                      ///< what any thread has waited for
  std::set<size_t> Open;            ///< streams whose Since is not 0
  uint64_t Number = 0;
  const bool Lost, UsesLegacy;
  WaitHistory Out;

  static constexpr size_t Legacy = 0;

  /// What the legacy default stream and blocking streams wait for.
  void order(size_t S) {
    if (S == Legacy) {
      for (size_t I = 1; I < All.size(); ++I)
        if (All[I].Blocking)
          join(All[S].Done, All[I].Done);
    } else if (All[S].Blocking) {
      join(All[S].Done, All[Legacy].Done);
    }
  }

  void submit(size_t S, const TraceRecord &R, bool UsesBuffer) {
    order(S);
    All[S].Done[S] = All[S].Last = ++Number;
    if (!UsesBuffer)
      return;
    All[S].LastUse = Number;
    if (!All[S].Since)
      All[S].Since = std::max<uint64_t>(1, R.Begin);
    Open.insert(S);
  }

  void ended(const Clock &C, uint64_t When) {
    join(Ended, C);
    for (auto It = Open.begin(); It != Open.end();) {
      const size_t I = *It++;
      if (at(Ended, I) >= All[I].LastUse)
        close(I, When);
    }
  }

  void close(size_t Stream, uint64_t When) {
    Out.Unended.push_back({Stream, All[Stream].Since, When});
    All[Stream].Since = 0;
    Open.erase(Stream);
  }

  void waited(const TraceRecord &R, const Clock &C) {
    join(Waited[R.Thread], C);
    ended(C, R.End);
  }

  void waitedForAll(const TraceRecord &R) {
    Clock C;
    for (size_t I = 0; I < All.size(); ++I)
      C[I] = All[I].Last;
    waited(R, C);
  }

  /// Whether a copy in \p S may follow work that no wait for \p S covers: the
  /// legacy stream's, or that of streams which the legacy one follows.
  bool followsOthers(size_t S) const {
    if (Lost)
      return true;
    if (S != Legacy)
      return UsesLegacy && (All[S].Blocking || All[S].Foreign);
    return std::any_of(All.begin() + 1, All.end(), [](const Stream &Other) {
      return Other.Blocking || Other.Foreign;
    });
  }

  /// What must remain of a copy in \p S. That nothing was in flight, as the
  /// program had waited, may be otherwise in the next run: what a program waits
  /// for may depend on the time, and on other threads.
  Wait needed(size_t S, const TracedCopy &C, bool Pageable) const {
    if (followsOthers(S))
      return Wait::Order; // later waits for the stream may rest on it, too
    // An asynchronous copy of pageable memory to the host is one that programs
    // take for synchronous; one to the device only may wait.
    return !C.Async || (!C.ToDevice && Pageable) ? Wait::Stream : Wait::None;
  }

  /// A copy that is too small to be one between buffers. When copies end is
  /// left to validation: some have when they return, some have not.
  void smallCopy(const TraceRecord &R, size_t S) {
    order(S);
    const Clock Before = All[S].Done;
    submit(S, R, false);
    const uint8_t Direction = R.Flags & dr::CopyDirection;
    if (R.Flags & dr::CopyAsync)
      return;
    if (Direction == dr::CopyD2H)
      waited(R, All[S].Done);
    else if (Direction == dr::CopyH2D)
      ended(Before, R.End);
  }

public:
  /// \p Lost: the trace lacks records. \p UsesLegacy: the legacy stream has
  /// work somewhere in it, or what other streams may wait for as well.
  Order(const std::vector<TracedStream> &Streams, bool Lost, bool UsesLegacy)
      : All(Streams.size()), Lost(Lost), UsesLegacy(UsesLegacy) {
    for (size_t I = 0; I < All.size(); ++I) {
      All[I].Blocking = Streams[I].isBlocking();
      All[I].Foreign = Streams[I].From == TracedStream::Unseen;
    }
  }

  void copy(const TraceRecord &R, size_t S, const TracedCopy &C,
            bool Pageable) {
    order(S);
    CopyOrder Found;
    const Clock &Known = Waited[R.Thread];
    for (size_t I = 0; I < All.size(); ++I)
      Found.Busy |=
          All[I].Last > at(Known, I) && (at(All[S].Done, I) > at(Known, I) ||
                                         (S == Legacy && All[I].Foreign));
    Found.Needed = needed(S, C, Pageable);
    Out.Copies.push_back(Found);
    const Clock Before = All[S].Done;
    submit(S, R, false);
    if (C.Async)
      return;
    if (C.ToDevice)
      ended(Before, R.End);
    else if (C.IsCertain)
      waited(R, All[S].Done);
  }

  void add(const TraceRecord &R, size_t S) {
    if (R.Status != 0 || isEmpty(R))
      return;
    switch (static_cast<Record>(R.Kind)) {
    case Record::Set:
      if (R.Flags & dr::CopyDirection)
        return smallCopy(R, S);
      return submit(S, R, R.A != 0);
    case Record::Copy: // between other places than host and device
      return submit(S, R, false);
    case Record::Launch:
    case Record::HostFunc:
      return submit(S, R, true);
    case Record::SyncDevice:
      return waitedForAll(R);
    case Record::SyncStream:
      return waited(R, All[S].Done);
    case Record::SyncEvent:
      return waited(R, Events[R.A]);
    case Record::QueryDone:
      return waited(R, R.A ? Events[R.A] : All[S].Done);
    case Record::EventRecord: {
      // The record is no work: a wait for its stream covers nothing more.
      const Clock Before = All[S].Done;
      order(S);
      Events[R.A] = std::exchange(All[S].Done, Before);
      return;
    }
    case Record::EventDestroy: // its handle may be another one's
      Events.erase(R.A);
      return;
    case Record::StreamWait:
      return join(All[S].Done, Events[R.A]);
    case Record::Reset:
      waitedForAll(R);
      Events.clear();
      return;
    default:
      return;
    }
  }

  WaitHistory finish() {
    while (!Open.empty())
      close(*Open.begin(), ~uint64_t(0));
    return std::move(Out);
  }
};

bool isPageable(const BufferHistory &H, const TracedCopy &C) {
  return C.Host == TracedCopy::Nothing ||
         (H.Buffers[C.Host].Kind != dr::How::Pinned &&
          !H.Buffers[C.Host].has(dr::Reason::PinnedByProgram));
}

/// Whether \p R in the legacy stream is what blocking streams may wait for.
bool ordersOthers(const TraceRecord &R) {
  const auto Kind = static_cast<Record>(R.Kind);
  return isWork(R) || Kind == Record::StreamWait || Kind == Record::EventRecord;
}

} // namespace

WaitHistory followWaits(const Trace &T, const BufferHistory &Buffers,
                        const StreamHistory &Streams) {
  bool UsesLegacy = false;
  for (size_t I = 0; I < T.Events.size(); ++I)
    UsesLegacy |= Streams.Of[I] == 0 && ordersOthers(T.Events[I]);
  Order O(Streams.Streams, T.lacksRecords(), UsesLegacy);
  auto Next = Buffers.Copies.begin();
  for (size_t I = 0; I < T.Events.size(); ++I) {
    const TraceRecord &R = T.Events[I];
    if (Next == Buffers.Copies.end() || Next->Event != I) {
      O.add(R, Streams.Of[I]);
      continue;
    }
    O.copy(R, Streams.Of[I], *Next, isPageable(Buffers, *Next));
    ++Next;
  }
  return O.finish();
}

} // namespace echo::drtool
