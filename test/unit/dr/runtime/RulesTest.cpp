//===- RulesTest.cpp - Which programs' pairs validation passes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs as events, on a device whose work is done at once. Each rule
// has a program that must pass and one, a line apart, that must not.
//
//===----------------------------------------------------------------------===//
#include "RulesProgram.h"

#include "runtime/dr/Threads.h"

#include <thread>
#include <unistd.h>

using namespace echo::dr;

namespace echo::dr {
Thread *thisThread() {
  static Thread Only;
  return &Only;
}
__thread unsigned Depth;
const void *DroppedOut;
void dropOut(const void *Pointer, Reason) { DroppedOut = Pointer; }
void childUnseen() {}
bool MayCallCuda = true; ///< of the thread
bool mayCallCuda() { return MayCallCuda; }
Mode mode() { return Mode::Validate; }
uint64_t minBytes() { return Bytes; }
void beforeMappingCall(long, const long *) {}
} // namespace echo::dr

TEST_CASE("a loop that copies, computes and copies back passes") {
  Program P;
  Loop L;
  SECTION("with synchronous copies") {}
  SECTION("with asynchronous copies and a wait") { L.Async = CopyAsync; }
  SECTION("with a wait before the copy back") { L.Sync = true; }
  L.run(P);
  CHECK(P.passes(0));
  CHECK(P.passes(1));
}

TEST_CASE("the host reads the input while the GPU could use it") {
  Program P;
  Loop L;
  L.AfterLaunch = [](Program &, char *H, char *, int) {
    volatile char C = H[5];
    (void)C;
  };
  L.run(P);
  CHECK(P.in() == Trap::HostAccess);
  CHECK(P.passes(1));
}

TEST_CASE("the host writes the input between copy and launch") {
  Program P;
  Loop L;
  L.BeforeLaunch = [](Program &, char *H, char *, int) { H[0] = 9; };
  L.run(P);
  CHECK(P.in() == Trap::HostAccess);
}

TEST_CASE("the host reads the output before it is copied back") {
  Program P;
  Loop L;
  L.Sync = true;
  const int First = GENERATE(0, 1);
  L.AfterSync = [=](Program &, char *, char *O, int I) {
    volatile char C = I < First ? 0 : O[5];
    (void)C;
  };
  L.run(P);
  CHECK(P.passes(0));
  // Before the first copy no window is known, only the order.
  CHECK(P.out() == (First ? Trap::HostAccess : Trap::Overwritten));
}

TEST_CASE("work is in flight where buffers are compared") {
  Program P;
  P.R->Patience = 30;
  Loop L;
  char *H = P.host(InHost), *D = P.device(InDevice);
  P.launch([] {}, 0x50);
  // The host, which is here, may be what that work waits for.
  const bool Ends = GENERATE(true, false);
  StillWorks = Ends ? 5 : 1000000;
  P.launch([] {}, 0x50);
  StillWorks = 0;
  P.sync(Record::SyncDevice);
  P.freeDevice(D);
  P.freeHost(H);
  L.run(P);
  CHECK(P.in() == (Ends ? Trap::None : Trap::Held));
  CHECK(P.passes(0) == Ends);
  CHECK(P.passes(1) == Ends);
}

TEST_CASE("a kernel has not ended where the program calls") {
  Program P;
  P.R->Patience = 30;
  char *H = P.host(InHost), *D = P.device(InDevice), *Out = P.host(OutHost);
  P.copy(D, H, CopyH2D);
  P.launch([] {}, 0x50);
  Trap Expected = Trap::Held;
  Waits = 0;
  SECTION("a launch waits for nothing") {
    StillWorks = 1000000;
    P.launch([] {}, 0x60);
    StillWorks = 0;
    Expected = Trap::None;
    CHECK(Waits == 0);
  }
  SECTION("an event could wait, if it is not recorded") {
    StillWorks = 1000000;
    P.sync(Record::EventRecord);
  }
  SECTION("it ends by itself, and what it printed comes out") {
    StillWorks = 5;
    P.sync(Record::EventRecord);
    Expected = Trap::None;
    CHECK(Waits == 1);
  }
  SECTION("a free") {
    StillWorks = 1000000;
    P.freeHost(Out);
  }
  SECTION("a free where CUDA must not be called") {
    StillWorks = 1000000;
    MayCallCuda = false;
    P.freeHost(Out);
    CHECK(P.in() == Trap::None);
    MayCallCuda = true;
    SECTION("and then a launch") {
      P.launch([] {}, 0x60);
    }
    SECTION("and then a question") { P.R->dropOut(&P, Reason::Inspected); }
  }
  StillWorks = 0;
  P.sync(Record::SyncDevice);
  CHECK(P.in() == Expected);
  P.freeDevice(D);
  P.freeHost(H);
}

TEST_CASE("both are used, and no copy links them") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  const bool Writes = GENERATE(true, false), Touches = GENERATE(true, false),
             HostFirst = GENERATE(true, false);
  P.launch([&] { D[5] += Writes; });
  P.sync(Record::SyncDevice);
  if (Touches)
    H[7] = 1;
  HostFirst ? P.freeHost(H) : P.freeDevice(D);
  HostFirst ? P.freeDevice(D) : P.freeHost(H);
  // One buffer for both, from where they were allocated on.
  CHECK(P.in() == (Writes && Touches ? Trap::Overwritten : Trap::None));
}

TEST_CASE("a copy of no bytes is no wait") {
  Program P;
  Loop L;
  const size_t Copied = GENERATE(size_t(0), size_t(16));
  char *Other = P.device(77), Small[16];
  L.AfterLaunch = [&](Program &, char *H, char *, int I) {
    P.copy(Small, Other, CopyD2H, Copied);
    if (I == 3)
      H[7] = 7;
  };
  L.run(P);
  CHECK(P.in() == (Copied ? Trap::None : Trap::HostAccess));
  P.freeDevice(Other);
}

TEST_CASE("only one iteration touches the buffer") {
  Program P;
  Loop L;
  L.AfterLaunch = [](Program &, char *H, char *, int I) {
    if (I == 3)
      H[Bytes - 1] = 1;
  };
  L.run(P);
  CHECK(P.in() == Trap::HostAccess);
}

TEST_CASE("the host uses the input when the GPU is done and it is unchanged") {
  Program P;
  Loop L;
  L.Sync = true;
  L.AfterSync = [](Program &, char *H, char *, int) { H[7] = 7; };
  L.run(P);
  CHECK(P.passes(0));
}

TEST_CASE(
    "the host changes the output, and the GPU works on it without a copy") {
  Program P;
  Loop L;
  L.AfterDown = [](Program &, char *, char *O, int) { O[3] = 100; };
  L.run(P);
  CHECK(P.out() == Trap::Stale);
  CHECK(P.passes(0));
}

TEST_CASE("an asynchronous copy back ends with its wait") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  for (int I = 0; I != 3; ++I) {
    P.launch([&] { memset(E, I, Bytes); }, 0x50);
    P.copy(O, E, CopyD2H | CopyAsync, Bytes, 0x50);
    SECTION("waited for") {
      P.sync(Record::SyncStream, 0, 0x50);
      CHECK(O[0] == I);
    }
    SECTION("another stream is waited for") {
      P.sync(Record::SyncStream, 0, 0x60);
      volatile char C = O[0];
      (void)C;
      CHECK(P.out() == Trap::HostAccess);
    }
    SECTION("nothing is waited for") {
      volatile char C = O[0];
      (void)C;
      CHECK(P.out() == Trap::HostAccess);
    }
  }
}

TEST_CASE("a window that no wait closes") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D | CopyAsync, Bytes, 0x50);
    P.launch([] {}, 0x50);
    if (I == 0)
      CHECK(P.in() == Trap::None);
  }
  CHECK(P.in() == Trap::HostAccess);
}

TEST_CASE("the GPU changes an input that is not copied back") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([&] { D[9] = 77; });
    P.sync();
  }
  CHECK(P.in() == Trap::HostAccess);
}

TEST_CASE("a buffer in place, both ways") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([&] { memset(D, 50 + I, Bytes); });
    P.copy(H, D, CopyD2H);
    CHECK(H[1] == 50 + I);
  }
  CHECK(P.passes(0));
  SECTION("copied in part") {
    P.copy(D, H, CopyH2D, Bytes / 2);
    CHECK(P.in() == Trap::OtherCopy);
  }
  SECTION("copied to another buffer") {
    char *Other = P.device(OtherDevice);
    P.copy(Other, H, CopyH2D);
    CHECK(P.in() == Trap::OtherCopy);
  }
  SECTION("its size changes later") {
    P.freeHost(H);
    char *Small = static_cast<char *>(malloc(Bytes / 2));
    P.copy(D, Small, CopyH2D, Bytes / 2); // an unseen buffer writes d
    P.launch([] {});
    P.sync();
    CHECK(P.in() == Trap::None);
    free(Small);
  }
  SECTION("another buffer's contents go to d while the host owns h") {
    char Other[Bytes] = {1};
    P.copy(D, Other, CopyH2D);
    CHECK(P.in() == Trap::OtherCopy);
  }
  SECTION("a memset of d while the host owns h") {
    Event E = P.make(Record::Set, reinterpret_cast<uint64_t>(D), 0, Bytes);
    P.run(E, [&] { memset(D, 0, Bytes); });
    P.sync();
    H[0] = 1;
    CHECK(P.in() == Trap::HostAccess);
  }
}

TEST_CASE("a second upload of what the host still has") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  const bool Changes = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([&] { D[3] = static_cast<char>(Changes ? 99 : I); });
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    P.sync();
  }
  if (Changes)
    CHECK(P.in() == Trap::Undone);
  else
    CHECK(P.passes(0));
}

TEST_CASE("a second download undoes what the host wrote") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  const bool Changes = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    P.launch([&] { memset(E, I, Bytes); });
    P.copy(O, E, CopyD2H);
    if (Changes)
      O[0] = 100;
    P.copy(O, E, CopyD2H);
    CHECK(O[0] == I);
  }
  if (Changes)
    CHECK(P.out() == Trap::Undone);
  else
    CHECK(P.passes(1));
}

TEST_CASE("work that changes d behind a download's back keeps h closed") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  // Work of a stream that the copy does not wait for ends, or begins and ends,
  // while the copy is made.
  const bool Begins = GENERATE(false, true);
  const bool Changes = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    P.launch([&] { memset(E, I, Bytes); });
    const auto Work = [&] {
      if (Changes && I == 2)
        E[3] = 99;
    };
    if (!Begins)
      P.launch([] {}, 0x50);
    P.copy(O, E, CopyD2H, Bytes, 0, [&] {
      std::thread([&] {
        if (Begins)
          P.launch(Work, 0x50);
        else
          Work();
        P.sync(Record::SyncStream, 0, 0x50);
      }).join();
    });
    CHECK(O[3] == I); // the host looks
  }
  if (Changes)
    CHECK(P.out() == Trap::HostAccess);
  else
    CHECK(P.passes(1));
}

TEST_CASE("the host uses h while it is downloaded") {
  Program P;
  char *O = P.host(OutHost), *E = P.device(OutDevice);
  const int What = GENERATE(0, 1, 2); // nothing, reads, writes
  for (int I = 0; I != 3; ++I) {
    P.launch([&] { memset(E, I, Bytes); });
    P.copy(O, E, CopyD2H, Bytes, 0, [&] {
      volatile char C = 7;
      if (What == 1 && I == 2)
        C = O[5];
      if (What == 2 && I == 2)
        O[5] = C;
    });
    CHECK(O[5] == I);
  }
  CHECK(P.out() == (What ? Trap::HostAccess : Trap::None));
  CHECK(P.passes(1) == !What);
}

TEST_CASE("the host fills h while the GPU still prepares d") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  const bool Waits = GENERATE(false, true);
  P.launch([&] { memset(D, 0, Bytes); });
  if (Waits)
    P.sync();
  memset(H, 1, Bytes);
  P.copy(D, H, CopyH2D);
  CHECK(P.in() == (Waits ? Trap::None : Trap::Overwritten));
}

TEST_CASE("a system call on a closed buffer is an access that succeeds") {
  Program P;
  Loop L;
  int Pipe[2];
  REQUIRE(pipe(Pipe) == 0);
  L.AfterLaunch = [&](Program &, char *H, char *, int) {
    REQUIRE(write(Pipe[1], "ab", 2) == 2);
    REQUIRE(read(Pipe[0], H + 3, 2) == 2);
    CHECK(H[4] == 'b');
  };
  L.run(P);
  CHECK(P.in() == Trap::SystemCall);
  CHECK(P.passes(1));
  close(Pipe[0]);
  close(Pipe[1]);
}

TEST_CASE(
    "a library works beside the loop, in a stream that nobody waits for") {
  constexpr uint64_t Stream = 0x5000, Done = 0x6000;
  static char Own[Bytes];
  const auto Run = [](std::function<void(Program &)> Beside) {
    Program P;
    Event Create = P.make(Record::StreamCreate, 0, 0, 0, Stream);
    Create.R.Flags = 1;
    P.run(Create);
    Loop L;
    L.AfterLaunch = [&](Program &Q, char *, char *, int) { Beside(Q); };
    L.run(P);
    return P.passes(0) && P.passes(1);
  };
  const auto Set = [](Program &P, void *At) {
    Event E =
        P.make(Record::Set, reinterpret_cast<uint64_t>(At), 0, 16, Stream);
    P.run(E);
  };
  const auto Join = [](Program &P) {
    P.sync(Record::EventRecord, Done, Stream);
    P.sync(Record::StreamWait, Done, 0);
  };
  CHECK(Run([&](Program &P) { Set(P, Own); }));
  CHECK_FALSE(Run([](Program &P) { P.launch([] {}, Stream); }));
  CHECK(Run([&](Program &P) {
    P.launch([] {}, Stream);
    Join(P);
  }));
  CHECK_FALSE(Run([&](Program &P) {
    Join(P);
    P.launch([] {}, Stream);
  }));
  // Memory that counts, though it is no buffer of the pairs'.
  CHECK_FALSE(Run([&](Program &P) { Set(P, P.device(OtherDevice)); }));
}

TEST_CASE("what drops out is not watched") {
  Program P;
  char *H = P.host(InHost), *D = P.device(InDevice);
  SECTION("by the host buffer") {
    P.R->dropOut(H + 100, Reason::Inspected);
    CHECK(P.in() == Trap::DroppedOut);
    CHECK(P.out() == Trap::None);
  }
  SECTION("by the device buffer, not linked yet") {
    P.R->dropOut(D + 100, Reason::Ipc);
    CHECK(P.in() == Trap::DroppedOut);
    CHECK(P.out() == Trap::None);
  }
  SECTION("everything") {
    P.R->dropOut(nullptr, Reason::Unknown);
    CHECK(P.in() == Trap::DroppedOut);
    CHECK(P.out() == Trap::DroppedOut);
  }
  SECTION("by a capture") {
    P.sync(Record::Capture);
    CHECK(P.in() == Trap::DroppedOut);
  }
  memset(H, 1, Bytes);
}

TEST_CASE("a child process that uses a buffer rejects it there") {
  Program P;
  char *H = P.host(InHost), *O = P.host(OutHost);
  memset(H, 1, Bytes);
  memset(O, 1, Bytes);
  P.R->forked(); // as in the child
  H[0] = 2;
  CHECK(P.in() == Trap::Child);
  CHECK(P.out() == Trap::None);
}
