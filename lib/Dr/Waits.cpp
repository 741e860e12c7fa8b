//===- Waits.cpp - What work was in flight at each copy -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Waits.h. Work is numbered as it is submitted. A clock says for each
// stream up to which number all is done; a stream's own clock says what is done
// once all that was submitted to it is.
//
//===----------------------------------------------------------------------===//
#include "lib/Dr/Waits.h"

#include <algorithm>

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

class Streams {
  struct Stream {
    Clock Done;
    uint64_t Last = 0;
    bool Blocking = false; ///< certainly
    bool Foreign = false;  ///< its creation was not seen
  };
  std::vector<Stream> All;
  std::map<std::pair<uint64_t, uint16_t>, size_t> ByHandle;
  std::map<uint64_t, Clock> Events;
  std::map<uint16_t, Clock> Waited; ///< by thread
  uint64_t Number = 0;

  static constexpr size_t Legacy = 0;

  size_t stream(uint64_t Handle, uint16_t Thread) {
    if (Handle <= 1)
      return Legacy;
    const bool PerThread = Handle == 2;
    auto [It, IsNew] = ByHandle.insert(
        {{Handle, PerThread ? Thread : uint16_t(0)}, All.size()});
    if (IsNew) {
      All.push_back({});
      All.back().Blocking = PerThread;
      All.back().Foreign = !PerThread;
    }
    return It->second;
  }

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

  void submit(size_t S) {
    order(S);
    All[S].Done[S] = All[S].Last = ++Number;
  }

public:
  Streams() { All.resize(1); }

  /// \p Lost: the trace lacks work.
  CopyOrder copy(const TraceRecord &R, const TracedCopy &C, bool Pageable,
                 bool Lost) {
    size_t S = stream(R.Stream, R.Thread);
    // A wait for the stream covers what was submitted to it, and what it was
    // told to wait for; what only a copy in it would have waited for is more.
    const Clock Covered = All[S].Done;
    order(S);
    Wait Ended = Lost ? Wait::Device : Wait::None;
    CopyOrder Out;
    for (size_t I = 0; I < All.size(); ++I) {
      const uint64_t Seen = at(Waited[R.Thread], I);
      if (All[I].Last <= Seen)
        continue;
      bool Before = at(All[S].Done, I) > Seen;
      if (!Before && !(S == Legacy && All[I].Foreign))
        continue;
      Out.Busy = true;
      bool IsCovered = at(Covered, I) == at(All[S].Done, I) && Before;
      Ended = std::max(Ended, IsCovered ? Wait::Stream : Wait::Device);
    }
    // An asynchronous copy of pageable memory to the host is one that
    // programs take for synchronous; one to the device only may wait.
    bool Waits = !C.Async || (!C.ToDevice && Pageable);
    Out.Needed = Waits ? Ended : Wait::None;
    submit(S);
    if (!C.Async && !C.ToDevice && C.IsCertain)
      join(Waited[R.Thread], All[S].Done);
    return Out;
  }

  void add(const TraceRecord &R) {
    if (R.Status != 0)
      return;
    switch (static_cast<Record>(R.Kind)) {
    case Record::StreamCreate:
      if (R.Stream <= 2)
        return;
      ByHandle[{R.Stream, 0}] = All.size();
      All.push_back({});
      All.back().Blocking = R.Flags == 0;
      return;
    case Record::Copy: // between other places than host and device
    case Record::Set:
    case Record::Launch:
    case Record::HostFunc:
      return submit(stream(R.Stream, R.Thread));
    case Record::SyncDevice:
      for (size_t I = 0; I < All.size(); ++I)
        Waited[R.Thread][I] = All[I].Last;
      return;
    case Record::SyncStream:
      return join(Waited[R.Thread], All[stream(R.Stream, R.Thread)].Done);
    case Record::SyncEvent:
      return join(Waited[R.Thread], Events[R.A]);
    case Record::QueryDone:
      return join(Waited[R.Thread],
                  R.A ? Events[R.A] : All[stream(R.Stream, R.Thread)].Done);
    case Record::EventRecord: {
      size_t S = stream(R.Stream, R.Thread);
      order(S);
      Events[R.A] = All[S].Done;
      return;
    }
    case Record::EventDestroy: // its handle may be another one's
      Events.erase(R.A);
      return;
    case Record::StreamWait: {
      size_t S = stream(R.Stream, R.Thread);
      return join(All[S].Done, Events[R.A]);
    }
    case Record::Reset:
      for (size_t I = 0; I < All.size(); ++I)
        Waited[R.Thread][I] = All[I].Last;
      Events.clear();
      return;
    default:
      return;
    }
  }
};

bool isPageable(const BufferHistory &H, const TracedCopy &C) {
  return C.Host == TracedCopy::Nothing ||
         (H.Buffers[C.Host].Kind != dr::How::Pinned &&
          !H.Buffers[C.Host].has(dr::Reason::PinnedByProgram));
}

} // namespace

std::vector<CopyOrder> followWaits(const Trace &T,
                                   const BufferHistory &History) {
  std::vector<CopyOrder> Out;
  Out.reserve(History.Copies.size());
  Streams S;
  const bool Lost = T.Dropped || T.Short || T.Unreadable;
  auto Next = History.Copies.begin();
  for (size_t I = 0; I < T.Events.size(); ++I) {
    if (Next == History.Copies.end() || Next->Event != I) {
      S.add(T.Events[I]);
      continue;
    }
    Out.push_back(S.copy(T.Events[I], *Next, isPageable(History, *Next), Lost));
    ++Next;
  }
  return Out;
}

} // namespace echo::drtool
