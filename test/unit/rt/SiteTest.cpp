//===- SiteTest.cpp - The gate --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which backing a pair that a loop allocates ends with, by a clock of the
// test's own; and that the lesson is kept for the next run.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Site.h"
#include "FakeCuda.h"
#include "Fresh.h"
#include "runtime/rt/Policy.h"
#include "runtime/rt/Profile.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace echo::rt;

static constexpr size_t Mi = 1 << 20;
static EchoGroup G = makeGroup();
static uint64_t Time = 1;
static uint64_t testClock() { return Time; }

/// A device with managed memory and nothing better.
static void integrated() {
  fake::script().Attributes = {{16, 8}, {18, 1}, {37, 128}, {75, 8}, {76, 7},
                               {88, 0}, {89, 1}, {99, 1},   {100, 0}};
  Clock = testClock;
}
static void discrete() {
  integrated();
  fake::script().Attributes[18] = 0;
}

/// One round of a loop; true if its pair merged.
static bool roundOf(uint64_t Merged, uint64_t Split, EchoGroup &Group = G,
                    size_t Bytes = Mi) {
  void *H = echort_acquire(&Group, ECHO_HOST, Bytes, nullptr, 0);
  Time += H ? Merged : Split;
  if (!H)
    return false;
  EXPECT(echort_acquire(&Group, ECHO_DEVICE, Bytes, H, 0) == H);
  EXPECT(echort_release(ECHO_HOST, H) == 1);
  EXPECT(echort_release(ECHO_DEVICE, H) == 1);
  return true;
}
static int mergedRounds(int N, uint64_t Merged, uint64_t Split,
                        EchoGroup &Group = G, size_t Bytes = Mi) {
  int Count = 0;
  for (int I = 0; I != N; ++I)
    Count += roundOf(Merged, Split, Group, Bytes);
  return Count;
}

TEST_CASE("a pair that merging makes slower is split after its trial") {
  FRESH({}, [] {
    integrated();
    EXPECT(mergedRounds(4, 2000, 1000) == 4);
    EXPECT(mergedRounds(4, 2000, 1000) == 0);
    EXPECT(mergedRounds(100, 2000, 1000) == 0);
  });
}

TEST_CASE("a pair that merging makes faster stays merged after its trial") {
  FRESH({}, [] {
    integrated();
    EXPECT(mergedRounds(4, 1000, 2000) == 4);
    EXPECT(mergedRounds(4, 1000, 2000) == 0);
    EXPECT(mergedRounds(100, 1000, 2000) == 100);
  });
  FRESH({}, [] { // as good as equal
    integrated();
    mergedRounds(8, 1019, 1000);
    EXPECT(mergedRounds(100, 1019, 1000) == 100);
  });
}

TEST_CASE("slow rounds among fast ones do not decide") {
  FRESH({}, [] {
    integrated();
    EXPECT(roundOf(90000, 1)); // warms up
    EXPECT(roundOf(1000, 1) && roundOf(90000, 1) && roundOf(90000, 1));
    EXPECT(mergedRounds(4, 1, 2000) == 0);
    EXPECT(mergedRounds(10, 1000, 2000) == 10);
  });
}

TEST_CASE("the profile of a discrete device chooses split alone") {
  Profile P;
  P.NumSizes = 1;
  P.Sizes[0] = {Mi, {}};
  auto Set = [&](Backing Kind, uint64_t Time) {
    P.Sizes[0].Loop[static_cast<unsigned>(Kind)] = Time;
  };
  Set(Backing::Split, 100);
  Set(Backing::Mapped, 10);
  DeviceTraits T;
  T.HostRegister = true;
  Set(Backing::PinnedSplit, 90);
  CHECK(chooseBacking(T, {}, {ECHO_HOST, 0, Mi}, &P).Kind ==
        Backing::PinnedSplit);
  Set(Backing::PinnedSplit, 110);
  CHECK(chooseBacking(T, {}, {ECHO_HOST, 0, Mi}, &P).Kind == Backing::Split);
}

TEST_CASE("what the gate leaves alone") {
  FRESH({}, [] { // system memory that the GPU reads by the host's page tables
    Clock = testClock;
    EXPECT(mergedRounds(50, 2000, 1000) == 50);
  });
  FRESH({{"ECHO_BACKING", "managed"}}, [] { // forced
    integrated();
    EXPECT(mergedRounds(50, 2000, 1000) == 50);
  });
  FRESH({}, [] { // no size twice in a row
    integrated();
    for (size_t I = 0; I != 50; ++I)
      EXPECT(roundOf(2000, 1000, G, (1 + I % 2) * Mi));
  });
}

TEST_CASE("one site is on trial at a time") {
  FRESH({}, [] {
    integrated();
    static EchoGroup Other = makeGroup("b.cu:1:1 h + b.cu:2:1 d");
    int Both = 0, First = 0;
    for (int I = 0; I != 9; ++I) {
      First += roundOf(500, 500);
      Both += roundOf(500, 500, Other);
    }
    EXPECT(First == 5);
    EXPECT(Both == 9); // its trial comes next
    EXPECT(mergedRounds(20, 500, 400, Other) < 8);
  });
  FRESH({}, [] { // a loop that ends early leaves the trial to others
    integrated();
    static EchoGroup Other = makeGroup("b.cu:1:1 h + b.cu:2:1 d");
    mergedRounds(3, 500, 500);
    EXPECT(mergedRounds(50, 500, 400, Other) == 50);
    Time += 2000000000;
    EXPECT(mergedRounds(50, 500, 400, Other) < 8);
  });
}

TEST_CASE("pinning that makes copies slower ends at an allocation") {
  FRESH({}, [] {
    discrete();
    void *H = echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0);
    for (int I = 0; I != 10; ++I) {
      copyBegins(G, H, Mi);
      Time += fake::registered() ? 3000 : 1000;
      copyEnds();
    }
    EXPECT(fake::registered() == 1); // as long as the buffer lives
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(!echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0));
  });
  FRESH({}, [] { // twin: faster
    discrete();
    void *H = echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0);
    for (int I = 0; I != 10; ++I) {
      copyBegins(G, H, Mi);
      Time += fake::registered() ? 300 : 1000;
      copyEnds();
    }
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0) == H);
  });
}

namespace {
/// A folder for profiles.
struct Folder {
  std::string Path;
  Folder() {
    char Name[] = "/tmp/echo-profile-XXXXXX";
    Path = mkdtemp(Name);
  }
  ~Folder() {
    unlink(file().c_str());
    rmdir(Path.c_str());
  }
  std::string file() const {
    return Path + "/cc87-sm8-bus128-integrated.profile";
  }
  void write(const std::string &Text) const { std::ofstream(file()) << Text; }
  std::string read() const {
    std::stringstream Text;
    Text << std::ifstream(file()).rdbuf();
    return Text.str();
  }
};
} // namespace

static const std::string Head = "echo-profile 1\ndriver 13000\n"
                                "device cc87-sm8-bus128-integrated\n";

TEST_CASE("the lesson is kept in the profile, and read in the next run") {
  Folder F;
  F.write(Head + "end\n");
  FRESH({{"ECHO_PROFILE_DIR", F.Path}}, [] {
    integrated();
    mergedRounds(20, 2000, 1000);
  });
  CHECK(F.read() == Head + "end\nslow managed a.cu:1:1 h + a.cu:2:1 d\n");
  FRESH({{"ECHO_PROFILE_DIR", F.Path}}, [] {
    integrated();
    EXPECT(mergedRounds(20, 2000, 1000) == 0);
    static EchoGroup Other = makeGroup("a.cu:1:1 h + a.cu:2:1 e");
    EXPECT(roundOf(1, 1, Other));
  });
}

TEST_CASE("no profile is made by a run") {
  Folder F;
  FRESH({{"ECHO_PROFILE_DIR", F.Path}}, [] {
    integrated();
    mergedRounds(20, 2000, 1000);
  });
  CHECK(access(F.file().c_str(), F_OK) != 0);
}

TEST_CASE("a profile that cannot be used is one line under ECHO_VERBOSE") {
  Folder F;
  const std::pair<std::string, const char *> Cases[] = {
      {Head + "loop split 1048576 10\n", "not complete"},
      {Head + "loop split 10485", "not complete"},
      {"", "not complete"},
      {"echo-profile 2\nend\n", "another version"},
      {"echo-profile 1\ndriver 12080\ndevice cc87-sm8-bus128-integrated\nend\n",
       "another driver"},
      {"echo-profile 1\ndriver 13000\ndevice cc90-sm8-bus128-integrated\nend\n",
       "another device"},
      {Head + "loop quick 1048576 10\nend\n", "not understood"},
  };
  for (const auto &[Text, Why] : Cases) {
    F.write(Text);
    for (bool Verbose : {false, true}) {
      Outcome R = runFresh(
          {{"ECHO_PROFILE_DIR", F.Path}, {"ECHO_VERBOSE", Verbose ? "1" : "0"}},
          [] {
            integrated();
            EXPECT(roundOf(1, 1));
          });
      CHECK(R.Status == 0);
      CHECK((R.Errors.find(Why) != std::string::npos) == Verbose);
    }
  }
}

TEST_CASE("the profile decides where the table's choice is slower") {
  Folder F;
  auto Chosen = [&](const std::string &Loops) {
    F.write(Head + Loops + "end\n");
    return runFresh({{"ECHO_PROFILE_DIR", F.Path}, {"ECHO_VERBOSE", "1"}},
                    [] {
                      integrated();
                      echort_acquire(&G, ECHO_HOST, Mi, nullptr, 0);
                    })
        .Errors;
  };
  auto Has = [](const std::string &Text, const char *Part) {
    return Text.find(Part) != std::string::npos;
  };
  CHECK(Has(Chosen("loop split 1048576 100\nloop managed 1048576 90\n"
                   "loop mapped 1048576 10\n"),
            "merged (managed)"));
  CHECK(Has(Chosen("loop split 1048576 100\nloop managed 1048576 110\n"),
            "split: the device profile"));
  CHECK(Has(Chosen("loop split 1048576 100\nloop managed 1048576 110\n"
                   "loop mapped 1048576 10\n"),
            "merged (mapped)"));
  CHECK(Has(Chosen("loop split 1048576 100\nloop managed 1048576 110\n"
                   "loop mapped 1048576 70\nloop pinned-split 1048576 50\n"),
            "copies stay (pinned-split)"));
  // Memory that this device does not reach is never chosen.
  CHECK(Has(Chosen("loop split 1048576 100\nloop managed 1048576 110\n"
                   "loop system 1048576 1\n"),
            "split: the device profile"));
  // The nearest size counts.
  CHECK(Has(Chosen("loop split 67108864 100\nloop managed 67108864 110\n"
                   "loop split 2097152 100\nloop managed 2097152 90\n"),
            "merged (managed)"));
}
