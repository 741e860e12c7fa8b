//===- WaitsTest.cpp - What removed copies must wait for ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wait of the program's own that covers the work makes Echo's needless; its
// twin, which covers something else, does not.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/Waits.h"

#include <catch2/catch.hpp>

using namespace echo::drtool;
using namespace echo::dr;
using echo::drplan::Wait;

static constexpr uint64_t N = 1 << 20, H = 0x10000000, D = 0x70000000;
static constexpr uint64_t S = 0x5000, S2 = 0x6000, E = 0xe000;

static std::vector<CopyOrder> ordersOf(const Trace &T) {
  return followWaits(T, followBuffers(T), followStreams(T)).Copies;
}

struct Program : TraceText {
  Program(How Kind = How::Malloc) {
    hostAlloc(H, N, 1, Kind).deviceAlloc(D, N, 2);
    stream(S, true);
    stream(S2, true);
  }
  void stream(uint64_t Handle, bool NonBlocking) {
    add(Record::StreamCreate, {.Flags = NonBlocking, .Stream = Handle});
  }
  Program &on(Record Kind, uint64_t Stream, uint64_t Event = 0,
              int32_t Status = 0) {
    add(Kind, {.Status = Status, .A = Event, .Stream = Stream});
    return *this;
  }
  /// The answer for a copy that follows.
  CopyOrder copied(uint8_t Flags, uint64_t Stream) {
    bool Up = (Flags & CopyDirection) == CopyH2D;
    copy(Flags, Up ? D : H, Up ? H : D, N, 9, Stream);
    const Trace T = trace();
    return ordersOf(T).back();
  }
};

static Wait after(Program P, uint64_t Stream = S) {
  return P.copied(CopyD2H, Stream).Needed;
}

/// Whether work that the copy follows is in flight.
static bool isBusy(Program P, uint64_t Stream = S) {
  return P.copied(CopyD2H, Stream).Busy;
}

TEST_CASE("what the program waited for spares no wait of a copy") {
  // What it waits for may depend on the time, or on other threads.
  CHECK(after(Program()) == Wait::Stream);
  CHECK(after(Program().on(Record::Launch, S)) == Wait::Stream);
  CHECK(after(Program().on(Record::Launch, S).on(Record::SyncStream, S)) ==
        Wait::Stream);
  CHECK(after(Program().on(Record::Launch, S).on(Record::SyncDevice, 0)) ==
        Wait::Stream);
  CHECK(after(Program().on(Record::Launch, S).on(Record::QueryDone, S)) ==
        Wait::Stream);
  CHECK(Program().copied(CopyH2D, S).Needed == Wait::Stream);
}

TEST_CASE("nothing in flight") {
  CHECK_FALSE(isBusy(Program()));
  CHECK(isBusy(Program().on(Record::Launch, S)));
  CHECK_FALSE(isBusy(Program().on(Record::Launch, S, 0, 1))); // failed
}

TEST_CASE("a copy back waits for its stream, if it is one from the device") {
  // Its kind is left to CUDA, and what it comes from may lie with the host.
  auto With = [](How Kind, uint8_t Flags) {
    Program P;
    P.deviceAlloc(2 * D, N, 7, Kind);
    P.on(Record::Launch, S);
    P.copy(Flags, H, 2 * D, N, 9, S);
    return isBusy(P);
  };
  CHECK_FALSE(With(How::Device, CopyD2H));
  CHECK_FALSE(With(How::Device, 0));
  CHECK_FALSE(With(How::Foreign, CopyD2H));
  CHECK(With(How::Foreign, 0));
  CHECK(With(How::Managed, 0));
}

TEST_CASE("a trace that lacks records may lack work") {
  Program P;
  P.copy(CopyD2H, H, D, N, 9, S);
  Trace T = P.trace();
  CHECK(ordersOf(T).back().Needed == Wait::Stream);
  T.Dropped = 1;
  CHECK(ordersOf(T).back().Needed == Wait::Order);
}

TEST_CASE("the program's own waits") {
  auto Launched = [] { return Program().on(Record::Launch, S); };
  CHECK_FALSE(isBusy(Launched().on(Record::SyncDevice, 0)));
  CHECK_FALSE(isBusy(Launched().on(Record::SyncStream, S)));
  CHECK_FALSE(isBusy(Launched().on(Record::QueryDone, S)));
  CHECK(isBusy(Launched().on(Record::SyncStream, S2)));
  CHECK(isBusy(Launched().on(Record::SyncDevice, 0, 0, 1)));
  CHECK(isBusy(Launched().on(Record::SyncDevice, 0).on(Record::Launch, S)));
}

TEST_CASE("events") {
  auto Recorded = [] {
    return Program().on(Record::Launch, S).on(Record::EventRecord, S, E);
  };
  CHECK_FALSE(isBusy(Recorded().on(Record::SyncEvent, 0, E)));
  CHECK_FALSE(isBusy(Recorded().on(Record::QueryDone, 0, E)));
  CHECK(isBusy(Recorded().on(Record::SyncEvent, 0, E + 1)));
  CHECK(isBusy(Recorded().on(Record::Launch, S).on(Record::SyncEvent, 0, E)));
  // S2 waits for S by the event: a wait for S2 covers both.
  CHECK_FALSE(isBusy(
      Recorded().on(Record::StreamWait, S2, E).on(Record::SyncStream, S2)));
  CHECK(isBusy(Recorded().on(Record::StreamWait, S2, E), S2));
  CHECK_FALSE(isBusy(Recorded(), S2)); // the copy did not wait either
}

TEST_CASE("a record is no work of its stream") {
  // The kernel is in the legacy stream, which blocking ones follow.
  Program P;
  P.stream(2 * S, false);
  P.on(Record::Launch, 0).on(Record::EventRecord, 2 * S, E);
  Program Event = P;
  P.on(Record::SyncStream, 2 * S);
  CHECK(isBusy(P, 0));
  Event.on(Record::SyncEvent, 0, E);
  CHECK_FALSE(isBusy(Event, 0));
}

TEST_CASE("an asynchronous upload puts its stream behind the legacy one") {
  for (const bool NonBlocking : {true, false}) {
    Program P;
    P.stream(2 * S, NonBlocking);
    P.on(Record::Launch, 0);
    CHECK(P.copied(CopyH2D | CopyAsync, 2 * S).Needed ==
          (NonBlocking ? Wait::None : Wait::Order));
  }
}

TEST_CASE("a copy of no bytes waits for nothing") {
  for (const uint64_t Bytes : {uint64_t(0), uint64_t(4)}) {
    Program P;
    P.on(Record::Launch, S);
    P.add(Record::Set, {.Flags = CopyD2H, .Bytes = Bytes, .Stream = S});
    CHECK(isBusy(P) == (Bytes == 0));
  }
}

TEST_CASE("an event's handle that is used again") {
  Program P;
  P.on(Record::Launch, S).on(Record::EventRecord, S, E);
  CHECK_FALSE(isBusy(Program(P).on(Record::SyncEvent, 0, E)));
  P.on(Record::EventDestroy, 0, E); // E is now another event, not recorded yet
  CHECK(isBusy(Program(P).on(Record::SyncEvent, 0, E)));
  CHECK(isBusy(P.on(Record::StreamWait, S2, E).on(Record::SyncStream, S2)));
}

TEST_CASE("waits of another thread are no waits of this one") {
  Program P;
  P.on(Record::Launch, S);
  P.Thread = 2;
  P.on(Record::SyncDevice, 0);
  P.Thread = 1;
  CHECK(isBusy(P));
}

TEST_CASE("the legacy default stream") {
  Program P;
  P.stream(0x7000, false);
  CHECK(after(P, 0) == Wait::Order); // it waits for blocking streams
  P.on(Record::Launch, 0x7000);
  CHECK(after(P, 0) == Wait::Order);
  CHECK(after(Program(), 0) == Wait::Stream);
  CHECK_FALSE(isBusy(Program().on(Record::Launch, S), 0));
  CHECK(isBusy(Program().on(Record::Launch, 0), 0));
  CHECK(isBusy(Program().on(Record::Launch, 1), 0));
  // Nobody saw how this stream was created.
  CHECK(after(Program().on(Record::Launch, 0x8000), 0) == Wait::Order);
  // A blocking stream waits for the legacy one, but a wait for it alone
  // covers nothing that was never submitted to it.
  Program Q;
  Q.stream(0x7000, false);
  Q.on(Record::Launch, 0);
  CHECK(after(Q, 0x7000) == Wait::Order);
  CHECK(after(Q.on(Record::SyncDevice, 0), 0x7000) == Wait::Order);
  CHECK(after(Q) == Wait::Stream); // S is none of them
  Program Unused;
  Unused.stream(0x7000, false);
  CHECK(after(Unused, 0x7000) == Wait::Stream);
  // Others wait for what it waits for, as for its work.
  CHECK(after(Program(Unused).on(Record::StreamWait, 0, E), 0x7000) ==
        Wait::Order);
  CHECK(after(Program(Unused).on(Record::EventRecord, 0, E), 0x7000) ==
        Wait::Order);
  CHECK(after(Program(Unused).on(Record::SyncStream, 0), 0x7000) ==
        Wait::Stream);
}

TEST_CASE("a stream's handle that is used again") {
  Program P;
  P.on(Record::Launch, S);
  P.add(Record::StreamDestroy, {.Stream = S});
  P.stream(S, true);
  P.on(Record::SyncStream, S); // covers nothing of the first S
  P.stream(0x7000, false);
  CHECK_FALSE(isBusy(P, S));
}

TEST_CASE("directions and kinds of memory") {
  auto Busy = [](How Kind) {
    Program P(Kind);
    P.on(Record::Launch, S);
    return P;
  };
  CHECK(Busy(How::Malloc).copied(CopyH2D, S).Needed == Wait::Stream);
  CHECK(Busy(How::Malloc).copied(CopyH2D | CopyAsync, S).Needed == Wait::None);
  CHECK(Busy(How::Malloc).copied(CopyD2H | CopyAsync, S).Needed ==
        Wait::Stream);
  CHECK(Busy(How::Pinned).copied(CopyD2H | CopyAsync, S).Needed == Wait::None);
  CHECK(Busy(How::Pinned).copied(CopyD2H, S).Needed == Wait::Stream);
  CHECK(Busy(How::Malloc).copied(CopyH2D, S).Busy);
  CHECK_FALSE(Program().copied(CopyH2D, S).Busy);
}

TEST_CASE("an upload is no wait, a download is") {
  Program P;
  P.on(Record::Launch, S);
  P.copy(CopyH2D, D, H, N, 8, S);
  CHECK(isBusy(P));
  Program Q;
  Q.on(Record::Launch, S);
  Q.copy(CopyD2H, H, D, N, 8, S);
  CHECK_FALSE(isBusy(Q));
}

/// Whether \p Stream has work at the trace's end that no wait has covered.
static bool isUnended(Program P, uint64_t Handle) {
  const Trace T = P.trace();
  const StreamHistory Streams = followStreams(T);
  for (const WaitHistory::Span &S :
       followWaits(T, followBuffers(T), Streams).Unended)
    if (Streams.Streams[S.Stream].Handle == Handle && S.Until == ~uint64_t(0))
      return true;
  return false;
}

TEST_CASE("work of a library in a stream of its own") {
  constexpr uint64_t Blocking = 0x7000;
  const auto Works = [](uint64_t Stream = S) {
    Program P;
    P.stream(Blocking, false);
    return P.on(Record::Launch, Stream);
  };
  const auto Down = [](Program P, uint64_t Stream = 0) {
    P.copy(CopyD2H, H, D, N, 9, Stream);
    return P;
  };
  CHECK(isUnended(Works(), S));
  CHECK(isUnended(Down(Works()), S)); // the legacy stream does not wait for it
  CHECK_FALSE(isUnended(Down(Works(), S), S));
  CHECK_FALSE(isUnended(Down(Works(Blocking)), Blocking));
  CHECK_FALSE(isUnended(Works().on(Record::SyncStream, S), S));
  CHECK(isUnended(Works().on(Record::SyncStream, S2), S));
  // Events: the edge that is there, one from before the work, one of another
  // stream, and one that another stream waits for.
  const auto Joined = [&](Program P, uint64_t From, uint64_t To) {
    P.on(Record::EventRecord, From, E).on(Record::StreamWait, To, E);
    return Down(P);
  };
  CHECK_FALSE(isUnended(Joined(Works(), S, 0), S));
  CHECK(isUnended(Joined(Works(), S2, 0), S));
  CHECK(isUnended(Joined(Works(), S, S2), S));
  Program Early;
  Early.on(Record::EventRecord, S, E).on(Record::Launch, S);
  CHECK(isUnended(Down(Early.on(Record::StreamWait, 0, E)), S));
  // What it sets names its memory: a buffer that counts, or none.
  const auto Set = [](uint64_t Address) {
    Program P;
    P.add(Record::Set, {.A = Address, .Bytes = N, .Stream = S});
    return P;
  };
  CHECK(isUnended(Set(D), S));
  CHECK_FALSE(isUnended(Set(0), S));
}

TEST_CASE("small copies are work, and those back are waits") {
  const auto Small = [](uint8_t Flags, uint64_t Stream) {
    Program P;
    P.on(Record::Launch, S);
    P.add(Record::Set, {.Flags = Flags, .Bytes = 4, .Stream = Stream});
    return P;
  };
  CHECK_FALSE(isBusy(Small(CopyD2H, S)));
  CHECK(isBusy(Small(CopyD2H, S2)));
  CHECK(isBusy(Small(CopyD2H | CopyAsync, S)));
  CHECK(isBusy(Small(CopyH2D, S)));
  CHECK_FALSE(isUnended(Small(CopyD2H, S), S));
  CHECK(isUnended(Small(CopyD2H | CopyAsync, S), S));
  CHECK_FALSE(isUnended(Small(CopyH2D, S), S));
  CHECK(isUnended(Small(CopyH2D, 0), S));
}
