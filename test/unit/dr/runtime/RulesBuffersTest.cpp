//===- RulesBuffersTest.cpp - Buffers that come, go and are more ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation's rules where buffers are allocated, freed, or more than a pair.
// Each rule has a program that must pass and one, a line apart, that must not.
//
//===----------------------------------------------------------------------===//
#include "RulesProgram.h"

#include <vector>

using namespace echo::dr;

TEST_CASE(
    "what the GPU wrote goes with its buffer, and the host looks at its own") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  const bool Changes = GENERATE(true, false), Waits = GENERATE(true, false);
  for (int I = 0; I != 4; ++I) {
    memset(H, I + 1, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([&] { D[5] += I < 3 || Changes; });
    if (I < 3)
      P.copy(H, D, CopyD2H);
  }
  if (Waits)
    P.sync(Record::SyncDevice);
  P.freeDevice(D);
  P.sync(Record::SyncDevice);
  CHECK(P.in() == Trap::None);
  const bool May = !Changes && Waits;
  SECTION("the host reads its buffer") {
    CHECK(H[5] == 4); // with one buffer for both: what the GPU made of it
    P.sync(Record::SyncDevice);
    CHECK(P.in() == (May ? Trap::None : Trap::HostAccess));
  }
  SECTION("it is copied to the next one") {
    P.copy(P.device(InDevice), H, CopyH2D);
    CHECK(P.in() == (May ? Trap::None : Trap::Undone));
  }
  SECTION("it goes, too") {}
  P.freeHost(H);
}

TEST_CASE("a buffer that goes to two others passes with neither") {
  Program P;
  P.Plan->NumPairs = 3;
  P.Plan->Pairs[2] = P.Plan->Pairs[0];
  P.Plan->Pairs[2].DeviceSite = OtherDevice;
  char *H = P.host(InHost), *D = P.device(InDevice), *E = P.device(OtherDevice);
  const bool Both = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    if (Both)
      P.copy(E, H, CopyH2D);
    P.launch([] {});
    P.sync();
  }
  CHECK(P.passes(0) == !Both);
  CHECK(P.verdict(2) == (Both ? Trap::OtherCopy : Trap::None));
  CHECK_FALSE(P.passes(2));
}

TEST_CASE("the GPU writes d before h is first copied") {
  Program P;
  char *H = P.host(InHost);
  SECTION("and before the host wrote h") {
    char *D = P.device(InDevice);
    Event E = P.make(Record::Set, reinterpret_cast<uint64_t>(D), 0, Bytes);
    P.run(E, [&] { memset(D, 0, Bytes); });
    P.sync();
    memset(H, 1, Bytes);
    P.copy(D, H, CopyH2D);
    CHECK(P.in() == Trap::None);
  }
  SECTION("but after the host wrote h") {
    memset(H, 1, Bytes);
    char *D = P.device(InDevice);
    Event E = P.make(Record::Set, reinterpret_cast<uint64_t>(D), 0, Bytes);
    P.run(E, [&] { memset(D, 0, Bytes); });
    P.sync();
    P.copy(D, H, CopyH2D);
    CHECK(P.in() == Trap::Overwritten);
  }
  SECTION("a kernel of something else, after the host wrote h") {
    memset(H, 1, Bytes);
    char *D = P.device(InDevice);
    P.launch([] {});
    P.copy(D, H, CopyH2D);
    CHECK(P.in() == Trap::None);
  }
}

TEST_CASE(
    "the host writes the output after the GPU did, before the first copy") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  const bool Early = GENERATE(true, false);
  P.launch([] {}); // of something else
  P.sync();
  if (Early)
    memset(O, 0, Bytes);
  P.launch([&] { memset(E, 1, Bytes); });
  P.sync();
  if (!Early)
    memset(O, 0, Bytes);
  P.copy(O, E, CopyD2H);
  CHECK(P.out() == (Early ? Trap::None : Trap::Overwritten));
}

TEST_CASE("a host buffer that each iteration allocates") {
  Program P;
  char *D = P.device(InDevice);
  const bool Zeroed = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    char *H = P.host(InHost, Zeroed);
    memset(H, I + 1, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    P.sync();
    P.freeHost(H);
  }
  if (Zeroed)
    CHECK(P.in() == Trap::Overwritten);
  else
    CHECK(P.passes(0));
}

TEST_CASE("a host buffer of no pair is copied to d, or gets what d holds") {
  Program P;
  Loop L;
  std::vector<char> Other(Bytes, 7);
  const bool ToDevice = GENERATE(true, false);
  char *D = nullptr;
  L.AfterSync = [&](Program &, char *, char *, int I) {
    if (I != 2 || !D)
      return;
    if (ToDevice)
      P.copy(D, Other.data(), CopyH2D, Bytes / 2);
    else
      P.copy(Other.data(), D, CopyD2H, Bytes / 2);
  };
  L.Taken = &D;
  L.Sync = true;
  L.run(P);
  CHECK(P.in() == (ToDevice ? Trap::OtherCopy : Trap::None));
}

TEST_CASE("zeros of calloc are what h holds") {
  Program P;
  char *First = P.host(InHost), *Old = P.device(InDevice);
  memset(First, 1, Bytes);
  P.copy(Old, First, CopyH2D);
  char *H = P.host(InHost, true), *D = P.device(InDevice);
  Trap Expected = Trap::None;
  SECTION("that are copied first") {}
  SECTION("and the GPU writes d before") {
    P.launch([&] { D[0] = 9; });
    Expected = Trap::Overwritten;
  }
  P.sync();
  P.copy(D, H, CopyH2D);
  P.sync();
  CHECK(P.in() == Expected);
}

TEST_CASE("another h is copied to the d of one that was written") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  memset(H, 1, Bytes);
  char *Other = P.host(OutHost); // of no pair with this d
  memset(Other, 2, Bytes);
  const bool Beside = GENERATE(false, true);
  if (Beside)
    P.copy(D, Other, CopyH2D);
  P.copy(D, H, CopyH2D);
  P.sync();
  CHECK(P.in() == (Beside ? Trap::Overwritten : Trap::None));
}

TEST_CASE("a d that a run with the plan gives to an older h") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  for (int I = 0; I != 3; ++I) {
    memset(H, I + 1, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    P.sync();
  }
  P.freeDevice(D);
  const bool Stays = GENERATE(true, false);
  if (!Stays)
    P.freeHost(H);
  char *Next = P.device(InDevice);
  P.launch([&] { memset(Next, 9, Bytes); });
  P.sync();
  const char *Other = P.host(InHost); // whose d it is not, if H stays
  if (Stays)
    CHECK(H[0] == 3);
  P.launch([] {});
  P.sync();
  P.R->finish();
  CHECK(Other);
  CHECK(P.in() == (Stays ? Trap::Overwritten : Trap::None));
}

TEST_CASE("a device buffer that each iteration allocates") {
  Program P;
  char *H = P.host(InHost);
  for (int I = 0; I != 3; ++I) {
    char *D = P.device(InDevice);
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    P.sync();
    P.freeDevice(D);
  }
  CHECK(P.passes(0));
}

TEST_CASE("h is freed while the GPU works on d") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  memset(H, 1, Bytes);
  P.copy(D, H, CopyH2D);
  P.launch([] {});
  P.freeHost(H);
  P.sync();
  CHECK(P.in() == Trap::None);
}

TEST_CASE("h is freed with what the host wrote and did not copy") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice), *Other = nullptr;
  P.launch([&] { memset(E, 1, Bytes); });
  P.copy(O, E, CopyD2H);
  P.sync();
  bool Passes = false;
  SECTION("and d is used by work") {
    memset(O, 2, Bytes);
    P.freeHost(O);
    P.launch([&] { E[0] = 3; });
  }
  SECTION("and d is copied to the next h") {
    memset(O, 2, Bytes);
    P.freeHost(O);
    Other = P.host(OutHost);
    P.copy(Other, E, CopyD2H);
  }
  SECTION("and d is freed") {
    memset(O, 2, Bytes);
    P.freeHost(O);
    P.freeDevice(E);
    P.launch([] {});
    Passes = true;
  }
  SECTION("and d is overwritten first") {
    memset(O, 2, Bytes);
    P.freeHost(O);
    Other = P.host(OutHost);
    memset(Other, 4, Bytes);
    P.copy(E, Other, CopyH2D);
    P.launch([&] { E[0] = 3; });
    Passes = true;
  }
  SECTION("that is what it held") {
    memset(O, 1, Bytes);
    P.freeHost(O);
    P.launch([&] { E[0] = 3; });
    Passes = true;
  }
  P.sync();
  CHECK(P.out() == (Passes ? Trap::None : Trap::Stale));
}

TEST_CASE("the device is reset while the host has h") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  P.copy(D, H, CopyH2D);
  const bool Freed = GENERATE(false, true);
  if (Freed)
    P.freeHost(H);
  P.sync(Record::Reset);
  CHECK(P.in() == (Freed ? Trap::None : Trap::Unwatched));
}

TEST_CASE("a pair of different sizes or without sites is not watched") {
  Program P;
  P.Plan->Pairs[0].DeviceBytes = Bytes + 1;
  Event E = P.make(Record::HostAlloc, 0, 0, Bytes);
  E.R.Site = InHost;
  CHECK(P.R->before(E) == Action::Run);
}
