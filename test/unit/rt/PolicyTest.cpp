//===- PolicyTest.cpp - Which device gets which memory --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row for each kind of device, the forced backings, and everything that
// must end in split mode without a trace.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Policy.h"
#include "FakeCuda.h"
#include "Fresh.h"

#include <catch2/catch.hpp>

using namespace echo::rt;

static constexpr DeviceTraits Orin = {true, false, false, false, true};
static constexpr DeviceTraits OrinNano = Orin;
static constexpr DeviceTraits None = {};
static constexpr DeviceTraits Thor = {true, true, true, true, true};
static constexpr DeviceTraits Gb10 = Thor;
static constexpr DeviceTraits Gh200 = {false, true, true, true, true};
static constexpr DeviceTraits H200 = {false, true, false, false, true};
static constexpr DeviceTraits H200Hmm = {false, true, true, false, true};
static constexpr DeviceTraits Managed = {true, true, false, false, true};
static constexpr DeviceTraits OldDiscrete = {false, true, false, false, false};

static Backing choose(const DeviceTraits &T, uint32_t Flags, Options O = {}) {
  return chooseBacking(T, O, {ECHO_HOST, Flags}).Kind;
}
static Options forced(Backing Kind) {
  Options O;
  O.Auto = false;
  O.Forced = Kind;
  return O;
}

TEST_CASE("policy by device") {
  const uint32_t Quiet = ECHO_GROUP_QUIESCENT;
  for (uint32_t Flags : {0u, Quiet}) {
    CHECK(choose(Thor, Flags) == Backing::System);
    CHECK(choose(Gb10, Flags) == Backing::System);
    CHECK(choose(Gh200, Flags) == Backing::System);
    CHECK(choose(H200, Flags) == Backing::PinnedSplit);
    CHECK(choose(H200Hmm, Flags) == Backing::PinnedSplit);
    CHECK(choose(OldDiscrete, Flags) == Backing::Split);
    CHECK(choose(Managed, Flags) == Backing::Managed);
    CHECK(choose(None, Flags) == Backing::Split);
    // No textures of system memory.
    const uint32_t Textured = Flags | ECHO_GROUP_TEXTURED;
    CHECK(choose(Thor, Textured) == Backing::Managed);
    CHECK(choose(Gh200, Textured) == Backing::PinnedSplit);
    CHECK(choose(Thor, Flags | ECHO_GROUP_OWN_COPY) == Backing::Managed);
  }
  for (const DeviceTraits &T : {Orin, OrinNano}) {
    CHECK(choose(T, Quiet) == Backing::Managed);
    CHECK(choose(T, 0) == Backing::Mapped);
    CHECK(choose(T, Quiet | ECHO_GROUP_OBSERVED) == Backing::Mapped);
    CHECK(chooseBacking(T, forced(Backing::Managed),
                        {ECHO_HOST, Quiet | ECHO_GROUP_OBSERVED})
              .Kind == Backing::Split);
  }
}

TEST_CASE("what the policy pins") {
  auto Pins = [](uint32_t Flags, size_t Bytes, const Options &O) {
    return chooseBacking(H200, O, {ECHO_HOST, Flags, Bytes}).Kind ==
           Backing::PinnedSplit;
  };
  const Options Force = forced(Backing::PinnedSplit);
  CHECK(Pins(0, 1 << 20, {}));
  CHECK(!Pins(0, 4096, {})); // too small to pay
  CHECK(Pins(0, 4096, Force));
  CHECK(!Pins(ECHO_GROUP_PINNED_HOST, 1 << 20, {}));
  CHECK(!Pins(ECHO_GROUP_PINNED_HOST, 1 << 20, Force));
  for (const DeviceTraits &T : {Orin, Thor, Gh200, H200Hmm, Managed})
    CHECK(choose(T, 0, Force) == Backing::PinnedSplit);
  CHECK(choose(OldDiscrete, 0, Force) == Backing::Split);
}

TEST_CASE("policy, forced") {
  const uint32_t Quiet = ECHO_GROUP_QUIESCENT;
  for (const DeviceTraits &T : {Orin, Thor, Gh200, H200, Managed}) {
    CHECK(choose(T, Quiet, forced(Backing::Split)) == Backing::Split);
    CHECK(choose(T, Quiet, forced(Backing::Managed)) == Backing::Managed);
    CHECK(choose(T, 0, forced(Backing::Mapped)) == Backing::Mapped);
  }
  CHECK(choose(H200Hmm, 0, forced(Backing::System)) == Backing::System);
  CHECK(choose(H200, 0, forced(Backing::System)) == Backing::Split);
  CHECK(choose(Orin, 0, forced(Backing::System)) == Backing::Split);
  CHECK(choose(Thor, ECHO_GROUP_TEXTURED, forced(Backing::System)) ==
        Backing::Split);
  // Forcing never makes the program fault.
  CHECK(choose(Orin, 0, forced(Backing::Managed)) == Backing::Split);
  Options Off;
  Off.NoUnify = true;
  CHECK(choose(Thor, Quiet, Off) == Backing::Split);
  Options Bad;
  Bad.Invalid = true;
  CHECK(choose(Thor, Quiet, Bad) == Backing::Split);
}

static void *first(uint32_t Role) {
  static EchoGroup G = makeGroup();
  return echort_acquire(&G, Role, 1 << 20, nullptr, 0);
}

TEST_CASE("split asks CUDA nothing if it is forced") {
  for (const Environment &Env :
       {Environment{{"ECHO_BACKING", "split"}}, {{"ECHO_NO_UNIFY", "1"}}})
    FRESH(Env, [] {
      EXPECT(!first(ECHO_HOST) && !first(ECHO_DEVICE));
      EXPECT(fake::calls() == 0);
    });
}

TEST_CASE("an error splits and leaves no error behind") {
  auto Splits = [](const char *Kind, const char *Name) {
    FRESH({{"ECHO_BACKING", Kind}}, [Name] {
      fake::script().Fail[Name] = 100;
      EXPECT(!first(ECHO_HOST));
      EXPECT(fake::calls(Name) != 0);
      EXPECT(fake::lastError() == 0);
    });
  };
  for (const char *Kind : {"managed", "mapped"})
    for (const char *Name :
         {"cudaGetDevice", "cudaDeviceGetAttribute", "cudaStreamIsCapturing"})
      Splits(Kind, Name);
  Splits("managed", "cudaMallocManaged");
  Splits("mapped", "cudaHostAlloc");
  Splits("mapped", "cudaHostGetDevicePointer");
}

TEST_CASE("an error that the program has pending stays") {
  FRESH({}, [] {
    fake::setLastError(9);
    void *H = first(ECHO_HOST);
    EXPECT(H);
    EXPECT(echort_release(ECHO_HOST, H) == 1);
    EXPECT(fake::lastError() == 9);
  });
}

TEST_CASE("mapped memory at two addresses is not used") {
  FRESH({{"ECHO_BACKING", "mapped"}}, [] {
    fake::script().MappedElsewhere = true;
    EXPECT(!first(ECHO_HOST));
    EXPECT(fake::liveAllocations() == 0);
  });
}

TEST_CASE("a capture in progress splits") {
  FRESH({}, [] {
    fake::script().CaptureInProgress = true;
    EXPECT(!first(ECHO_DEVICE));
    EXPECT(fake::lastError() == 0);
    fake::script().CaptureInProgress = false;
    EXPECT(first(ECHO_DEVICE));
  });
}

TEST_CASE("a host block in system memory makes no CUDA context") {
  FRESH({}, [] {
    EXPECT(first(ECHO_HOST));
    EXPECT(fake::calls("cudaStreamIsCapturing") == 0);
    EXPECT(fake::takeLog().empty());
  });
}

TEST_CASE("a value that is not known is one line, then split") {
  for (const char *Name : {"ECHO_BACKING", "ECHO_VERBOSE", "ECHO_STATS"}) {
    Outcome R = runFresh({{Name, "maanged"}}, [] {
      EXPECT(!first(ECHO_HOST));
      EXPECT(!first(ECHO_DEVICE));
      EXPECT(fake::calls() == 0);
    });
    CHECK(R.Status == 0);
    INFO(R.Errors);
    CHECK(R.Errors.find(std::string("echo: error: ") + Name + "=maanged") == 0);
    CHECK(R.Errors.find('\n') == R.Errors.size() - 1);
  }
}
