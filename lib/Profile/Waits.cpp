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
#include <optional>
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
    std::optional<uint16_t> Thread; ///< that submitted to it last
    bool IsShared = false;          ///< several threads decide what is in it
  };
  struct Event {
    Clock Done;
    uint16_t Thread = 0; ///< that recorded it
  };
  std::vector<Stream> All;
  std::map<uint64_t, Event> Events;
  std::map<uint16_t, Clock> Waited; ///< by thread
  Clock Ended;                      ///< what any thread has waited for
  std::set<size_t> Open;            ///< streams whose Since is not 0
  uint64_t Number = 0;
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

  /// The thread of \p R submits to \p S, or makes it wait.
  void usedBy(size_t S, const TraceRecord &R) {
    Stream &Of = All[S];
    Of.IsShared |= Of.Thread.value_or(R.Thread) != R.Thread;
    Of.Thread = R.Thread;
  }

  /// Whether another thread than that of \p R uses the stream, too: in another
  /// run what it does may come after a wait that it came before in this one.
  bool isOthers(size_t S, const TraceRecord &R) const {
    return All[S].IsShared || All[S].Thread.value_or(R.Thread) != R.Thread;
  }

  void submit(size_t S, const TraceRecord &R, bool UsesBuffer) {
    usedBy(S, R);
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

  void waitedForStream(const TraceRecord &R, size_t S) {
    const Clock &C = All[S].Done;
    if (!isOthers(S, R))
      return waited(R, C);
    waited(R, {{S, at(C, S)}}); // not what another thread made it wait for
    ended(C, R.End);
  }

  void waitedForEvent(const TraceRecord &R) {
    const Event &E = Events[R.A];
    if (E.Thread == R.Thread)
      waited(R, E.Done);
    else
      ended(E.Done, R.End);
  }

  void waitedForAll(const TraceRecord &R) {
    Clock C;
    for (size_t I = 0; I < All.size(); ++I)
      C[I] = All[I].Last;
    waited(R, C);
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
      waitedForStream(R, S);
    else if (Direction == dr::CopyH2D)
      ended(Before, R.End);
  }

public:
  explicit Order(const std::vector<TracedStream> &Streams)
      : All(Streams.size()) {
    for (size_t I = 0; I < All.size(); ++I) {
      All[I].Blocking = Streams[I].isBlocking();
      All[I].Foreign = Streams[I].From == TracedStream::Unseen;
    }
  }

  /// \p Lost: the trace lacks work.
  void copy(const TraceRecord &R, size_t S, const TracedCopy &C, bool Pageable,
            bool Lost) {
    // A wait for the stream covers what was submitted to it, and what it was
    // told to wait for; what only a copy in it would have waited for is more.
    const Clock Covered = All[S].Done;
    order(S);
    Wait Needed = Lost ? Wait::Order : Wait::None;
    bool Orders = false; // the stream after work of others
    CopyOrder Found;
    for (size_t I = 0; I < All.size(); ++I) {
      const uint64_t Ended = at(Waited[R.Thread], I);
      // What another thread submits may come later than it did.
      const uint64_t Seen = isOthers(I, R) ? 0 : Ended;
      if (All[I].Last <= Seen)
        continue;
      bool Before = at(All[S].Done, I) > Seen;
      if (!Before && !(S == Legacy && All[I].Foreign))
        continue;
      Found.Busy |= All[I].Last > Ended;
      bool IsCovered = at(Covered, I) == at(All[S].Done, I) && Before;
      Orders |= !IsCovered;
      Needed = std::max(Needed, IsCovered ? Wait::Stream : Wait::Order);
    }
    // An asynchronous copy of pageable memory to the host is one that
    // programs take for synchronous; one to the device only may wait.
    // Where the copy alone orders its stream after others, later waits for the
    // stream rest on it.
    bool Waits = !C.Async || (!C.ToDevice && Pageable) || Orders;
    Found.Needed = Waits ? Needed : Wait::None;
    Out.Copies.push_back(Found);
    const Clock Before = All[S].Done;
    submit(S, R, false);
    if (C.Async)
      return;
    if (C.ToDevice)
      ended(Before, R.End);
    else if (C.IsCertain)
      waitedForStream(R, S);
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
      return waitedForStream(R, S);
    case Record::SyncEvent:
      return waitedForEvent(R);
    case Record::QueryDone:
      return R.A ? waitedForEvent(R) : waitedForStream(R, S);
    case Record::EventRecord: {
      // The record is no work: a wait for its stream covers nothing more.
      const Clock Before = All[S].Done;
      order(S);
      Events[R.A] = {std::exchange(All[S].Done, Before), R.Thread};
      return;
    }
    case Record::EventDestroy: // its handle may be another one's
      Events.erase(R.A);
      return;
    case Record::StreamWait: {
      const Event &E = Events[R.A];
      usedBy(S, R);
      All[S].IsShared |= E.Thread != R.Thread;
      return join(All[S].Done, E.Done);
    }
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

} // namespace

WaitHistory followWaits(const Trace &T, const BufferHistory &Buffers,
                        const StreamHistory &Streams) {
  Order O(Streams.Streams);
  const bool Lost = T.lacksRecords();
  auto Next = Buffers.Copies.begin();
  for (size_t I = 0; I < T.Events.size(); ++I) {
    const TraceRecord &R = T.Events[I];
    if (Next == Buffers.Copies.end() || Next->Event != I) {
      O.add(R, Streams.Of[I]);
      continue;
    }
    O.copy(R, Streams.Of[I], *Next, isPageable(Buffers, *Next), Lost);
    ++Next;
  }
  return O.finish();
}

} // namespace echo::drtool
