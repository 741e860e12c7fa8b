//===- PairsTest.cpp - Which pairs a trace shows, and what is open to them ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each choice that is open has a twin, one record apart, where it is closed.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/Analysis.h"

#include <catch2/catch.hpp>

#include <functional>

using namespace echo::drtool;
using namespace echo::dr;
using echo::drplan::Wait;

static constexpr uint64_t N = 1 << 20;
static constexpr uint64_t Hx = 0x10000000, Hy = 0x20000000, Dx = 0x70000000,
                          Dy = 0x80000000;
enum Sites : uint64_t { SHx = 1, SHy, SDx, SDy, Up, Down };

/// One upload, one kernel, one download, ten times.
static TraceText loop(const std::function<void(TraceText &)> &Before = {},
                      const std::function<void(TraceText &)> &Each = {}) {
  TraceText T;
  T.hostAlloc(Hx, N, SHx).hostAlloc(Hy, N, SHy);
  T.deviceAlloc(Dx, N, SDx).deviceAlloc(Dy, N, SDy);
  if (Before)
    Before(T);
  for (int I = 0; I < 10; ++I) {
    T.copy(CopyH2D, Dx, Hx, N, Up, 0, 300);
    T.launch();
    if (Each)
      Each(T);
    T.copy(CopyD2H, Hy, Dy, N, Down, 0, 400);
  }
  return T;
}

static Analysis analyzed(TraceText T) { return analyze({T.trace()}); }

static const Pair &pairOf(const Analysis &A, uint64_t HostSite) {
  for (const Pair &P : A.Pairs)
    if (P.HostSite == HostSite)
      return P;
  FAIL("no such pair");
  abort();
}

TEST_CASE("a loop's two pairs") {
  const Analysis A = analyzed(loop());
  CHECK(A.Iterations.Site == Down); // takes longest
  CHECK(A.Iterations.Count == 10);
  CHECK(A.Iterations.SteadyCount == 8);
  REQUIRE(A.Pairs.size() == 2);
  const Pair &X = pairOf(A, SHx), &Y = pairOf(A, SHy);
  CHECK(X.DeviceSite == SDx);
  CHECK(X.Bytes == N);
  CHECK_FALSE(X.HostMayChange);
  CHECK(X.Copies.size() == 1);
  CHECK(X.Copies[0].Count == 10);
  CHECK(X.Copies[0].Steady == 8);
  CHECK(X.Copies[0].Needed == Wait::Stream);
  CHECK(Y.Copies[0].Needed == Wait::Stream);
  CHECK(X.open().size() == 4);
  CHECK(Y.open().size() == 4);
  // Of 750 ns an iteration 300 are the upload; the download found work in
  // flight and counts as its bytes take at the upload's rate.
  CHECK(A.Iterations.period() == Approx(740));
  CHECK(A.CopyFraction == Approx(600.0 / 740).epsilon(0.01));
  CHECK(Analysis::speedup(0.5) == Approx(2));
}

TEST_CASE("an iteration that nothing disturbed") {
  auto Undisturbed = [](unsigned Times, auto Took) {
    TraceText T;
    for (unsigned I = 0; I <= Times; ++I)
      T.copy(CopyH2D, Dx, Hx, N, Up, 0, Took(I));
    return loopAt(T.trace(), Up).Undisturbed;
  };
  auto Noisy = [](unsigned I) { return I % 8 ? 1500 + I : 990; };
  CHECK(Undisturbed(100, Noisy) == Approx(1000));
  CHECK(Undisturbed(15, Noisy) == 0); // too few
  // Two copies of an iteration follow each other at once.
  CHECK(Undisturbed(100, [](unsigned I) { return I % 2 ? 10 : 990; }) == 0);
}

TEST_CASE("a copy that does not recur makes no pair") {
  TraceText T;
  T.hostAlloc(Hx, N, SHx).deviceAlloc(Dx, N, SDx);
  T.copy(CopyH2D, Dx, Hx, N, Up);
  CHECK(analyzed(T).Pairs.empty());
  T.copy(CopyH2D, Dx, Hx, N, Up);
  CHECK(analyzed(T).Pairs.size() == 1);
  CHECK(analyze({}).Pairs.empty());
}

TEST_CASE("the first upload outside the loop belongs to the pair") {
  const Analysis A =
      analyzed(loop([](TraceText &T) { T.copy(CopyH2D, Dy, Hy, N, 77); }));
  const Pair &Y = pairOf(A, SHy);
  REQUIRE(Y.Copies.size() == 2);
  CHECK(Y.Copies[0].Site == 77);
  CHECK(Y.Copies[0].Steady == 0);
}

TEST_CASE("prefix copies link, displaced ones do not merge") {
  auto With = [](uint64_t To, uint64_t From) {
    return analyzed(loop({}, [=](TraceText &T) {
      T.copy(CopyH2D, Dx + To, Hx + From, N / 2, 78);
    }));
  };
  CHECK(pairOf(With(0, 0), SHx).open().size() == 4);
  CHECK(pairOf(With(N / 2, N / 2), SHx).open().size() == 4);
  const Analysis A = With(N / 2, 0);
  CHECK(pairOf(A, SHx).open() == std::vector{Choice::PinnedSplit});
  CHECK(pairOf(A, SHx).Obstacles.count(Obstacle::Displaced));
}

TEST_CASE("reasons of the trace close choices") {
  auto With = [](uint64_t Pointer, Reason R) {
    return analyzed(loop([=](TraceText &T) {
      T.add(Record::Ineligible, {.Flags = uint8_t(R), .A = Pointer});
    }));
  };
  Analysis A = With(Hx + 100, Reason::Inspected);
  CHECK(pairOf(A, SHx).open() == std::vector{Choice::PinnedSplit});
  CHECK(pairOf(A, SHy).open().size() == 4);
  CHECK(pairOf(With(Hx, Reason::Ipc), SHx).open().empty());
  CHECK(pairOf(With(Dx, Reason::Ipc), SHx).open() ==
        std::vector{Choice::PinnedSplit});
  A = With(0, Reason::Graph);
  CHECK(pairOf(A, SHx).open().empty());
  CHECK(pairOf(A, SHy).open().empty());
  CHECK(pairOf(With(Hx + N, Reason::Ipc), SHx).open().size() == 4);
}

TEST_CASE("work that nothing waits for, beside the loop") {
  constexpr uint64_t S = 0x5000, E = 0x6000;
  const auto With = [](bool Joins, bool Once) {
    return analyzed(loop(
        [](TraceText &T) {
          T.add(Record::Module, {.A = 7}).text("/usr/lib/libown.so.9");
          T.add(Record::Frame, {.Site = 70, .A = 7, .B = 0x10, .Bytes = 0});
          T.add(Record::StreamCreate, {.Flags = 1, .Site = 70, .Stream = S});
          T.launch(S);
        },
        [=](TraceText &T) {
          if (!Once)
            T.launch(S);
          T.add(Record::EventRecord, {.A = E, .Stream = S});
          if (Joins)
            T.add(Record::StreamWait, {.A = E, .Stream = 0});
        }));
  };
  for (const bool Once : {false, true}) {
    const Analysis Apart = With(false, Once), Joined = With(true, Once);
    CHECK(pairOf(Apart, SHx).open() == std::vector{Choice::PinnedSplit});
    CHECK(pairOf(Apart, SHx).Obstacles.count(Obstacle::Unjoined));
    REQUIRE(Apart.Notes.size() == 1);
    CHECK(Apart.Notes[0].find("stream 1 of libown.so.9") != std::string::npos);
    CHECK(pairOf(Joined, SHx).open().size() == 4);
    CHECK(pairOf(Joined, SHy).open().size() == 4);
    CHECK(Joined.Notes.empty());
  }
}

TEST_CASE("memory of other kinds") {
  auto With = [](How Host, How Device, uint64_t DeviceBytes, uint64_t Offset) {
    TraceText T;
    T.hostAlloc(Hx, N, SHx, Host).deviceAlloc(Dx, DeviceBytes, SDx, Device);
    for (int I = 0; I < 4; ++I)
      T.copy(CopyH2D, Dx + Offset, Hx, N, Up);
    Analysis A = analyzed(T);
    REQUIRE(A.Pairs.size() == 1);
    return A.Pairs[0];
  };
  CHECK(With(How::New, How::Device, N, 0).open().size() == 4);
  CHECK(With(How::Mmap, How::Device, N, 0).open().size() == 1);
  CHECK(With(How::Pinned, How::Device, N, 0).open().empty());
  CHECK(With(How::Malloc, How::Managed, N, 0).open().size() == 1);
  // A part of a pool: pinning alone, whatever block of the pool it is.
  const Pair Part = With(How::Malloc, How::Device, 20 * N, 3 * N);
  CHECK(Part.open() == std::vector{Choice::PinnedSplit});
  CHECK(Part.DeviceSite == 0);
  CHECK(Part.Obstacles.count(Obstacle::DevicePart));
  CHECK(With(How::Malloc, How::Device, N + 512, 0)
            .Obstacles.count(Obstacle::SizesDiffer));
}

TEST_CASE("pinned memory that no copy names may be what both sides watch") {
  constexpr uint64_t P = 0x30000000;
  const auto With = [](How Kind, bool Copied) {
    return analyzed(loop([=](TraceText &T) {
      T.hostAlloc(P, N, 99).hostAlloc(P, N, 99, Kind);
      if (Copied)
        T.copy(CopyD2H, P, Dy, 64, 98);
    }));
  };
  for (const How Kind : {How::Pinned, How::Registered}) {
    const Analysis Watched = With(Kind, false), Copied = With(Kind, true);
    CHECK(pairOf(Watched, SHx).open() == std::vector{Choice::PinnedSplit});
    CHECK(pairOf(Watched, SHx).Obstacles.count(Obstacle::SeenByBoth));
    CHECK(pairOf(Copied, SHx).open().size() == 4);
  }
  CHECK(pairOf(With(How::Malloc, false), SHx).open().size() == 4);
}

TEST_CASE("memory that was not seen") {
  TraceText T;
  T.deviceAlloc(Dx, N, SDx);
  for (int I = 0; I < 4; ++I)
    T.copy(CopyH2D, Dx, Hx, N, Up);
  Analysis A = analyzed(T);
  REQUIRE(A.Pairs.size() == 1);
  CHECK(A.Pairs[0].open().empty());
  CHECK(A.Pairs[0].Obstacles.count(Obstacle::HostUnseen));
  TraceText U;
  U.hostAlloc(Hx, N, SHx);
  for (int I = 0; I < 4; ++I)
    U.copy(CopyH2D, Dx, Hx, N, Up);
  A = analyzed(U);
  REQUIRE(A.Pairs.size() == 1);
  CHECK(A.Pairs[0].open() == std::vector{Choice::PinnedSplit});
  // A pointer near the end of a buffer that the copy runs out of.
  TraceText V;
  V.hostAlloc(Hx, N, SHx);
  for (int I = 0; I < 4; ++I)
    V.copy(CopyH2D, Dx, Hx + 1, N, Up);
  CHECK(analyzed(V).Pairs.at(0).open().empty());
}

TEST_CASE("device memory that is no allocation has its reason") {
  // A range as the driver interposer notes it; copies go across its mapped
  // parts.
  auto With = [](uint64_t Bytes, uint64_t Offset, Reason R, uint8_t Direction) {
    TraceText T;
    T.hostAlloc(Hx, N, SHx).deviceAlloc(Dx, Bytes, SDx, How::Foreign);
    T.add(Record::Ineligible, {.Flags = uint8_t(R), .A = Dx});
    for (int I = 0; I < 4; ++I)
      T.copy(Direction, Dx + Offset, Hx, N, Up);
    Analysis A = analyzed(T);
    REQUIRE(A.Pairs.size() == 1);
    return A.Pairs[0];
  };
  const Pair Reserved = With(100 * N, 3 * N, Reason::VirtualMemory, CopyH2D);
  CHECK(Reserved.open() == std::vector{Choice::PinnedSplit});
  CHECK(Reserved.DeviceReasons.count(Reason::VirtualMemory));
  CHECK_FALSE(Reserved.Obstacles.count(Obstacle::DeviceUnseen));
  // A copy whose way the pointers tell.
  const Pair Variable = With(N, 0, Reason::Symbol, 0);
  CHECK(Variable.open() == std::vector{Choice::PinnedSplit});
  CHECK(Variable.DeviceReasons.count(Reason::Symbol));
  CHECK(Variable.Copies.at(0).ToDevice);
  CHECK(Variable.Obstacles.count(Obstacle::DeviceOfOtherKind));
}

TEST_CASE("host buffers allocated anew in each iteration") {
  auto With = [](bool DeviceToo) {
    TraceText T;
    if (!DeviceToo)
      T.deviceAlloc(Dy, N, SDy);
    for (int I = 0; I < 10; ++I) {
      uint64_t H = Hy + uint64_t(I % 3) * 2 * N;
      T.hostAlloc(H, N, SHy);
      if (DeviceToo)
        T.deviceAlloc(Dy, N, SDy);
      T.copy(CopyD2H, H, Dy, N, Down);
      T.hostFree(H);
      if (DeviceToo)
        T.deviceFree(Dy);
    }
    Analysis A = analyzed(T);
    REQUIRE(A.Pairs.size() == 1);
    return A.Pairs[0];
  };
  const Pair Host = With(false), Both = With(true);
  CHECK(Host.HostMayChange);
  CHECK(Host.HostBuffers == 10);
  CHECK(Host.DeviceBuffers == 1);
  CHECK(Host.open() == std::vector{Choice::PinnedSplit});
  CHECK(Host.Obstacles.count(Obstacle::OrderDiffers));
  CHECK(Both.HostMayChange);
  CHECK(Both.open().size() == 4);
}

TEST_CASE("one host buffer for two device buffers merges with one of them") {
  const Analysis A = analyzed(
      loop({}, [](TraceText &T) { T.copy(CopyH2D, Dy, Hx, N, 79, 0, 50); }));
  REQUIRE(A.Pairs.size() == 3);
  int Open = 0;
  for (const Pair &P : A.Pairs)
    Open += P.open().size() == 4;
  CHECK(Open == 2);
  CHECK(A.Pairs[2].Obstacles.count(Obstacle::Rival));
}

TEST_CASE("a freed block that another thread gets at once") {
  TraceText T;
  T.deviceAlloc(Dx, N, SDx);
  for (int I = 0; I < 4; ++I) {
    T.hostAlloc(Hx, N, SHx);
    T.copy(CopyH2D, Dx, Hx, N, Up);
    // Thread 2 asks for memory before, and gets it after, the free.
    TraceRecord R = {.Kind = uint8_t(Record::HostAlloc), .Thread = 2};
    R.Begin = T.Now + 1;
    R.End = T.Now + 40;
    R.Site = SHy;
    R.A = Hx;
    R.Bytes = N;
    T.put(R);
    T.hostFree(Hx);
    T.Now += 100;
    T.copy(CopyH2D, Dx, Hx, N, Up);
    T.hostFree(Hx);
  }
  const Analysis A = analyzed(T);
  REQUIRE(A.Pairs.size() == 2);
  CHECK(pairOf(A, SHx).Copies[0].Count == 4);
  CHECK(pairOf(A, SHy).Copies[0].Count == 4);
}

TEST_CASE("processes of one program are taken together, others left out") {
  TraceText One = loop(), Two = loop(), Other;
  Two.header().Pid = 43;
  Two.add(Record::Ineligible, {.Flags = uint8_t(Reason::Ipc), .A = Hx});
  Other.header().ExecutableHash = 5;
  Other.header().Finished = 0;
  const Analysis A = analyze({Other.trace(), One.trace(), Two.trace()});
  CHECK(A.Traces == std::vector<size_t>{1, 2});
  REQUIRE(A.Pairs.size() == 2);
  CHECK(pairOf(A, SHy).Copies[0].Count == 20);
  CHECK(pairOf(A, SHx).open().empty()); // the second process said so
  REQUIRE(A.Notes.size() == 1);
  CHECK(A.Notes[0].find("2 programs were traced") == 0);
}

TEST_CASE("the plan that an analysis gives") {
  const std::vector<Trace> Traces = {
      loop([](TraceText &T) {
        T.add(Record::Ineligible, {.Flags = uint8_t(Reason::Ipc), .A = Dx});
      }).trace()};
  Launch L;
  L.Command = {"/bin/app", 3};
  L.Host = "box";
  const Plan P = makePlan(analyze(Traces), Traces, L, false);
  CHECK_FALSE(P.Enabled);
  CHECK(P.LoopSite == Down);
  CHECK(P.Context.Executable == PlanExecutable{"/bin/app", 0xe});
  CHECK(P.Context.Host == "box");
  CHECK(P.Context.Device == "GPU");
  REQUIRE(P.Pairs.size() == 2);
  CHECK(P.Pairs[0].Chosen == Choice::Leave);
  std::string Why;
  const std::optional<Plan> Back = parsePlan(planText(P), Why);
  INFO(Why);
  REQUIRE(Back);
  CHECK(*Back == P);
  const Plan Everywhere = makePlan(analyze(Traces), Traces, L, true);
  CHECK(Everywhere.Context.Host.empty());
  CHECK(parsePlan(planText(Everywhere), Why));
  CHECK(parsePlan(planText(makePlan(analyze({}), {}, L, false)), Why));
}

TEST_CASE("a pair that is copied at many places") {
  auto With = [](unsigned Sites) {
    return analyzed(loop([=](TraceText &T) {
      for (unsigned I = 0; I < Sites; ++I)
        T.copy(CopyH2D, Dx, Hx, N, 100 + I);
    }));
  };
  CHECK(pairOf(With(15), SHx).open().size() == 4);
  CHECK(pairOf(With(16), SHx).open() == std::vector{Choice::PinnedSplit});
}
