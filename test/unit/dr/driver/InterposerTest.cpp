//===- InterposerTest.cpp - Look-ups and calls through the driver interposer
//----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs with the driver interposer preloaded and the fake driver in the library
// path, and looks functions up as the CUDA runtime and as other programs do.
//
//===----------------------------------------------------------------------===//
#include "FakeCore.h"
#include "test/dr/fake-libcuda/FakeDriver.h"

#include <catch2/catch.hpp>
#include <dlfcn.h>
#include <string.h>
#include <string>
#include <vector>

using echo::dr::Reason;
using echo::dr::Record;
using echo::dr::TraceRecord;

namespace {

using ProcAddress = int (*)(const char *, void **, int, uint64_t, int *);
using Alloc = int (*)(uint64_t *, size_t);

unsigned ask(Told *Out, unsigned Most) {
  auto F = reinterpret_cast<unsigned (*)(Told *, unsigned)>(
      dlsym(RTLD_DEFAULT, "fakeCoreTold"));
  REQUIRE(F);
  return F(Out, Most);
}

std::vector<Told> told() {
  std::vector<Told> Out(256);
  Out.resize(ask(Out.data(), 256));
  return Out;
}

void *driver() {
  static void *Handle = dlopen("libcuda.so.1", RTLD_NOW);
  REQUIRE(Handle);
  return Handle;
}

int calls(const char *Name) {
  auto F =
      reinterpret_cast<int (*)(const char *)>(dlsym(driver(), "fakeCalls"));
  REQUIRE(F);
  return F(Name);
}

void *proc(const char *Name, int Version, uint64_t Flags = 0) {
  auto F =
      reinterpret_cast<ProcAddress>(dlsym(driver(), "cuGetProcAddress_v2"));
  REQUIRE(F);
  void *Out = nullptr;
  int Found = -1;
  return F(Name, &Out, Version, Flags, &Found) ? nullptr : Out;
}

std::string objectOf(void *Function) {
  Dl_info Info;
  REQUIRE(dladdr(Function, &Info));
  const char *Slash = strrchr(Info.dli_fname, '/');
  return Slash ? Slash + 1 : Info.dli_fname;
}

template <class F> F as(void *Function) {
  REQUIRE(Function);
  return reinterpret_cast<F>(Function);
}

} // namespace

// First of all: nothing has loaded the driver yet.
TEST_CASE("without a driver the program finds none") {
  REQUIRE(dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD) == nullptr);
  CHECK(dlsym(RTLD_DEFAULT, "cuMemAlloc_v2") == nullptr);
  CHECK(dlerror() != nullptr);
  CHECK(dlsym(dlopen(nullptr, RTLD_NOW), "cuGetProcAddress_v2") == nullptr);
  CHECK(dlerror() != nullptr);
}

TEST_CASE("an allocation is told once, with its pointer") {
  told();
  const int Before = calls("cuMemAlloc_v2");
  uint64_t P = 0;
  SECTION("by name, version and flags") {
    REQUIRE(as<Alloc>(proc("cuMemAlloc", 3020))(&P, 4096) == 0);
  }
  SECTION("by a newer version that means the same") {
    REQUIRE(as<Alloc>(proc("cuMemAlloc", 13000))(&P, 4096) == 0);
  }
  SECTION("by dlsym") {
    REQUIRE(as<Alloc>(dlsym(driver(), "cuMemAlloc_v2"))(&P, 4096) == 0);
  }
  SECTION("by the handle of the whole program") {
    void *All = dlopen(nullptr, RTLD_NOW);
    REQUIRE(as<Alloc>(dlsym(All, "cuMemAlloc_v2"))(&P, 4096) == 0);
  }
  CHECK(calls("cuMemAlloc_v2") == Before + 1);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].Ended);
  CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::DeviceAlloc));
  CHECK(T[0].R.A == P);
  CHECK(T[0].R.Bytes == 4096);
}

TEST_CASE("a failing allocation is told as one") {
  told();
  uint64_t P = 7;
  CHECK(as<Alloc>(proc("cuMemAlloc", 3020))(&P, 0) == 1);
  CHECK(P == 7);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.Status == 1);
}

TEST_CASE("an allocation with nowhere to put it is the driver's to refuse") {
  told();
  const int Before = calls("cuMemAlloc_v2");
  CHECK(as<Alloc>(proc("cuMemAlloc", 3020))(nullptr, 64) == 1);
  CHECK(calls("cuMemAlloc_v2") == Before + 1);
  CHECK(told().empty());
}

TEST_CASE("a skipped allocation gives the core's pointer") {
  static char Mine[64];
  as<void (*)(void *)>(dlsym(RTLD_DEFAULT, "fakeCoreSkip"))(Mine);
  const int Before = calls("cuMemAlloc_v2");
  uint64_t P = 0;
  CHECK(as<Alloc>(proc("cuMemAlloc", 3020))(&P, 64) == 0);
  CHECK(P == reinterpret_cast<uint64_t>(Mine));
  CHECK(calls("cuMemAlloc_v2") == Before);
  told();
}

TEST_CASE("the version chooses the signature") {
  void *New = proc("cuMemAlloc", 3020);
  void *Old = proc("cuMemAlloc", 2000);
  REQUIRE(New);
  REQUIRE(Old);
  CHECK(New != Old);
  told();
  uint32_t P = 0;
  reinterpret_cast<int (*)(uint32_t *, uint32_t)>(Old)(&P, 64);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].DroppedOut);
  CHECK(T[0].R.A == 0);
}

TEST_CASE("a version of the future drops every buffer out") {
  told();
  void *F = proc("cuMemcpyAsync", 99000);
  CHECK(objectOf(F) == "libcuda.so.1");
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].DroppedOut);
  CHECK(T[0].R.A == 0);
  CHECK(T[0].R.Flags == static_cast<uint8_t>(Reason::Unknown));
  // Its twin: newer than the table, with the signature that the table knows.
  CHECK(objectOf(proc("cuMemAlloc", 99000)) != "libcuda.so.1");
  CHECK(told().empty());
}

TEST_CASE("flags choose the default stream") {
  using Copy = int (*)(uint64_t, uint64_t, size_t, void *);
  using Wait = int (*)(void *);
  char A[16] = "a", B[16] = "b";
  for (uint64_t Flags : {0u, 1u, 2u}) {
    const char *Symbol = Flags == 2 ? "cuMemcpyAsync_ptsz" : "cuMemcpyAsync";
    const int Before = calls(Symbol);
    told();
    REQUIRE(as<Copy>(proc("cuMemcpyAsync", 7000, Flags))(
                reinterpret_cast<uint64_t>(A), reinterpret_cast<uint64_t>(B),
                16, nullptr) == 0);
    REQUIRE(as<Wait>(proc("cuStreamSynchronize", 7000, Flags))(nullptr) == 0);
    CHECK(calls(Symbol) == Before + 1);
    auto T = told();
    REQUIRE(T.size() == 2);
    CHECK(T[0].R.Stream == (Flags == 2 ? 2 : 0));
    CHECK(T[1].R.Stream == (Flags == 2 ? 2 : 0));
    CHECK((T[0].R.Flags & echo::dr::CopyAsync) != 0);
  }
  void *Sync = proc("cuMemcpyHtoD", 7000, 2);
  CHECK(Sync == dlsym(driver(), "cuMemcpyHtoD_v2_ptds"));
  CHECK(Sync != proc("cuMemcpyHtoD", 7000, 0));
}

TEST_CASE("the look-up itself is looked up") {
  CHECK(proc("cuGetProcAddress", 12000) ==
        dlsym(driver(), "cuGetProcAddress_v2"));
  CHECK(proc("cuGetProcAddress", 11030) == dlsym(driver(), "cuGetProcAddress"));
  CHECK(proc("cuGetProcAddress", 12000) != proc("cuGetProcAddress", 11030));
}

TEST_CASE("what the table does not know passes through") {
  CHECK(objectOf(proc("cuInit", 2000)) == "libcuda.so.1");
  CHECK(objectOf(dlsym(driver(), "cuInit")) == "libcuda.so.1");
  CHECK(proc("cuNoSuchFunction", 13000) == nullptr);
  CHECK(dlsym(driver(), "cuNoSuchFunction") == nullptr);
  CHECK(dlerror() != nullptr);
}

TEST_CASE("null arguments and empty names are the driver's to judge") {
  auto F =
      reinterpret_cast<ProcAddress>(dlsym(driver(), "cuGetProcAddress_v2"));
  REQUIRE(F);
  void *Out = nullptr;
  CHECK(F("", &Out, 0, 0, nullptr) == 500);
  CHECK(F(nullptr, &Out, 12000, 0, nullptr) == 1);
  CHECK(F("cuMemAlloc", nullptr, 12000, 0, nullptr) == 1);
}

TEST_CASE("a library's own function of that name stays its own") {
  void *Library = dlopen(INTERPOSER_NEXT_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(Library);
  CHECK(objectOf(dlsym(Library, "cuMemFree_v2")) == "libinterposer_next.so");
}

// Found from libecho-dr.so's place, it would be the library's own function,
// without end.
TEST_CASE("RTLD_NEXT starts behind its caller") {
  auto Count = as<int (*)()>(dlsym(RTLD_DEFAULT, "doorTestNext"));
  CHECK(Count() == 2);
}

TEST_CASE("the driver's look-ups are not answered by Echo") {
  auto Self = as<void *(*)(const char *)>(dlsym(driver(), "fakeSelfLookUp"));
  CHECK(objectOf(Self("cuMemAlloc_v2")) == "libcuda.so.1");
  auto All = as<void *(*)(const char *)>(dlsym(driver(), "fakeGlobalLookUp"));
  CHECK(objectOf(All("cuMemAlloc_v2")) == "libcuda.so.1");
}

TEST_CASE("what is not followed drops out before it runs") {
  told();
  char Buffer[16];
  const auto Address = reinterpret_cast<uint64_t>(Buffer);
  unsigned Type = 0;
  as<int (*)(void *, int, uint64_t)>(dlsym(driver(), "cuPointerGetAttribute"))(
      &Type, 2, Address);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].DroppedOut);
  CHECK(T[0].R.A == Address);
  CHECK(T[0].R.Flags == static_cast<uint8_t>(Reason::Inspected));
  char Other[16];
  as<int (*)(uint64_t, void *, uint64_t, void *, size_t)>(
      dlsym(driver(), "cuMemcpyPeer"))(
      Address, nullptr, reinterpret_cast<uint64_t>(Other), nullptr, 16);
  T = told();
  REQUIRE(T.size() == 2);
  CHECK(T[1].R.A == reinterpret_cast<uint64_t>(Other));
  CHECK(T[1].R.Flags == static_cast<uint8_t>(Reason::Peer));
  as<int (*)(void *, size_t, unsigned)>(
      dlsym(driver(), "cuMemHostRegister_v2"))(Buffer, 16, 0);
  T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.Flags == static_cast<uint8_t>(Reason::PinnedByProgram));
}

TEST_CASE(
    "a texture of linear memory makes it drop out, one of an array nothing") {
  struct {
    uint32_t Type;
    uint64_t Device, Rest[16];
  } Resource = {};
  Resource.Device = 0x1234000;
  auto Create =
      as<int (*)(uint64_t *, const void *, const void *, const void *)>(
          dlsym(driver(), "cuTexObjectCreate"));
  uint64_t Object = 0;
  told();
  for (uint32_t Type = 0; Type != 4; ++Type) {
    Resource.Type = Type;
    CHECK(Create(&Object, &Resource, nullptr, nullptr) == 801);
    auto T = told();
    REQUIRE(T.size() == (Type >= 2));
    if (Type >= 2)
      CHECK(T[0].R.A == Resource.Device);
  }
  Create(&Object, nullptr, nullptr, nullptr);
  CHECK(told().empty());
}

namespace {

/// What a call must have told: memory at a place, and why it is left alone.
void checkBorn(const std::vector<Told> &T, size_t At, uint64_t Address,
               uint64_t Bytes, Reason Why) {
  REQUIRE(T.size() >= At + 2);
  CHECK(T[At].Ended);
  CHECK(T[At].R.Kind == static_cast<uint8_t>(Record::DeviceAlloc));
  CHECK(T[At].R.Flags == static_cast<uint8_t>(echo::dr::How::Foreign));
  CHECK(T[At].R.A == Address);
  CHECK(T[At].R.Bytes == Bytes);
  CHECK(T[At + 1].DroppedOut);
  CHECK(T[At + 1].R.A == Address);
  CHECK(T[At + 1].R.Flags == static_cast<uint8_t>(Why));
}

struct Handle {
  char Bytes[64];
};

constexpr size_t Room = size_t(8) << 20; // of the fake driver's other memory

} // namespace

TEST_CASE("memory that is reserved, a variable or another's is told of") {
  told();
  uint64_t P = 0, Q = 0;
  size_t N = 0;
  SECTION("a reservation, as a whole") {
    REQUIRE(as<int (*)(uint64_t *, size_t, size_t, uint64_t, uint64_t)>(dlsym(
                driver(), "cuMemAddressReserve"))(&P, Room, 0, 0, 0) == 0);
    auto T = told();
    CHECK(T.size() == 2);
    checkBorn(T, 0, P, Room, Reason::VirtualMemory);
    // Its parts are no events.
    as<int (*)(uint64_t, size_t, size_t, uint64_t, uint64_t)>(
        dlsym(driver(), "cuMemMap"))(P, 4096, 0, 1, 0);
    CHECK(told().empty());
    as<int (*)(uint64_t, size_t)>(dlsym(driver(), "cuMemAddressFree"))(P, Room);
    T = told();
    REQUIRE(T.size() == 1);
    CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::DeviceFree));
    CHECK(T[0].R.A == P);
  }
  SECTION("a variable") {
    auto Global = as<int (*)(uint64_t *, size_t *, void *, const char *)>(
        dlsym(driver(), "cuModuleGetGlobal_v2"));
    REQUIRE(Global(&P, &N, nullptr, "x") == 0);
    checkBorn(told(), 0, P, Room, Reason::Symbol);
    // Nothing but a size, or a failing call, is no memory.
    CHECK(Global(nullptr, &N, nullptr, "x") == 0);
    CHECK(Global(&Q, &N, nullptr, nullptr) == 1);
    CHECK(told().empty());
  }
  SECTION("another process's, whose handle is passed by value") {
    Handle H;
    for (int I = 0; I != 64; ++I)
      H.Bytes[I] = static_cast<char>(3 * I + 1);
    auto Open = as<int (*)(uint64_t *, Handle, unsigned)>(
        dlsym(driver(), "cuIpcOpenMemHandle_v2"));
    REQUIRE(Open(&P, H, 1) == 0);
    auto T = told();
    CHECK(T.size() == 2);
    checkBorn(T, 0, P, Room - 4096, Reason::Ipc);
    auto Given = as<const char *(*)()>(dlsym(driver(), "fakeHandle"));
    CHECK(!memcmp(Given(), H.Bytes, 64));
    CHECK(Open(&Q, H, 0) == 1); // the flags came, too
    CHECK(told().empty());
    as<int (*)(uint64_t)>(dlsym(driver(), "cuIpcCloseMemHandle"))(P);
    T = told();
    REQUIRE(T.size() == 1);
    CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::DeviceFree));
    // An event that another process may record is none to wait for.
    void *E = nullptr;
    H.Bytes[7] = 99;
    as<int (*)(void **, Handle)>(dlsym(driver(), "cuIpcOpenEventHandle"))(&E,
                                                                          H);
    CHECK(!memcmp(Given(), H.Bytes, 64));
    T = told();
    REQUIRE(T.size() == 1);
    CHECK(T[0].DroppedOut);
    CHECK(T[0].R.A == 0);
  }
  SECTION("another interface's") {
    const uint64_t Region[11] = {4096, 300000};
    as<int (*)(uint64_t *, void *, const uint64_t *)>(dlsym(
        driver(), "cuExternalMemoryGetMappedBuffer"))(&P, nullptr, Region);
    checkBorn(told(), 0, P, 300000, Reason::External);
    uint64_t Frame[8] = {};
    as<int (*)(uint64_t *, void *, unsigned, unsigned)>(dlsym(
        driver(), "cuGraphicsResourceGetMappedEglFrame"))(Frame, nullptr, 0, 0);
    auto T = told();
    CHECK(T.size() == 4);
    checkBorn(T, 0, Frame[0], 640 * 480, Reason::External);
    checkBorn(T, 2, Frame[1], 1024 * 480, Reason::External);
  }
  SECTION("a graph's") {
    uint64_t Node[32] = {};
    Node[13] = 123456;
    as<int (*)(void **, void *, const void *, size_t, uint64_t *)>(
        dlsym(driver(), "cuGraphAddMemAllocNode"))(nullptr, nullptr, nullptr, 0,
                                                   Node);
    checkBorn(told(), 0, Node[14], 123456, Reason::Graph);
    uint64_t Any[32] = {10};
    Any[15] = 654321;
    auto Add = as<int (*)(void **, void *, const void *, const void *, size_t,
                          uint64_t *)>(dlsym(driver(), "cuGraphAddNode_v2"));
    Add(nullptr, nullptr, nullptr, nullptr, 0, Any);
    auto T = told();
    CHECK(T.size() == 2);
    checkBorn(T, 0, Any[16], 654321, Reason::Graph);
    uint64_t Free[32] = {11, 0, Any[16]};
    Add(nullptr, nullptr, nullptr, nullptr, 0, Free);
    T = told();
    REQUIRE(T.size() == 1);
    CHECK(T[0].DroppedOut);
    CHECK(T[0].R.A == Any[16]);
  }
}

TEST_CASE("order that is not followed is no wait") {
  void *Mine = nullptr;
  char Event;
  as<int (*)(void **)>(dlsym(driver(), "cuCtxGetCurrent"))(&Mine);
  auto Wait = as<int (*)(void *)>(dlsym(driver(), "cuCtxSynchronize_v2"));
  told();
  Wait(Mine);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::SyncDevice));
  Wait(&Event); // of another context
  CHECK(told().empty());
  Wait(nullptr); // which the driver takes: the current one
  CHECK(told().size() == 1);
  // An event of a context covers nothing that is known, and what is put in
  // order by one, or by a semaphore, is order that nobody sees.
  as<int (*)(void *, void *)>(dlsym(driver(), "cuCtxRecordEvent"))(Mine,
                                                                   &Event);
  T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::EventDestroy));
  CHECK(T[0].R.A == reinterpret_cast<uint64_t>(&Event));
  as<int (*)(void *, void *)>(dlsym(driver(), "cuCtxWaitEvent"))(Mine, &Event);
  as<int (*)(const void *, const void *, unsigned, void *)>(dlsym(
      driver(), "cuWaitExternalSemaphoresAsync"))(nullptr, nullptr, 0, nullptr);
  T = told();
  REQUIRE(T.size() == 2);
  for (const Told &Each : T) {
    CHECK(Each.DroppedOut);
    CHECK(Each.R.A == 0);
  }
  CHECK(T[1].R.Flags == static_cast<uint8_t>(Reason::External));
}

TEST_CASE("a window of the cache names a buffer, other attributes none") {
  uint64_t Value[8] = {0x5678000, 4096};
  auto Set = as<int (*)(void *, int, const void *)>(
      dlsym(driver(), "cuStreamSetAttribute"));
  told();
  Set(nullptr, 3, Value);
  CHECK(told().empty());
  Set(nullptr, 1, Value);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].DroppedOut);
  CHECK(T[0].R.A == Value[0]);
}

TEST_CASE("sixteen parameters arrive, and the tensor's address drops out") {
  using W = uint64_t;
  told();
  const int Sum = as<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W)>(
      dlsym(driver(), "cuTensorMapEncodeIm2colWide"))(
      1, 2, 3, 0x1000, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  CHECK(Sum == 1496 - 16 + 4 * 0x1000);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.A == 0x1000);
  CHECK(T[0].R.Flags == static_cast<uint8_t>(Reason::Texture));
}

TEST_CASE("an event that a launch records is known no more") {
  struct {
    uint32_t Id, Pad;
    uint64_t Value[8];
  } Attributes[3] = {};
  static_assert(sizeof Attributes[0] == 72);
  Attributes[0].Id = 8; // a priority
  Attributes[0].Value[0] = 0x1;
  Attributes[1].Id = 7;
  Attributes[1].Value[0] = 0xe1;
  Attributes[2].Id = 12;
  Attributes[2].Value[0] = 0xe2;
  struct {
    uint32_t Grid[3], Block[3], Shared;
    void *Stream, *Attributes;
    unsigned NumAttributes;
  } Config = {};
  Config.Attributes = Attributes;
  Config.NumAttributes = 3;
  static FakeKernel Kernel = {[](uint64_t *) {}, 0};
  told();
  as<int (*)(const void *, const void *, void **, void **)>(
      dlsym(driver(), "cuLaunchKernelEx"))(&Config, &Kernel, nullptr, nullptr);
  auto T = told();
  REQUIRE(T.size() == 3);
  for (unsigned I = 0; I != 2; ++I) {
    CHECK(T[I].R.Kind == static_cast<uint8_t>(Record::EventDestroy));
    CHECK(T[I].R.A == 0xe1 + I);
  }
  CHECK(T[2].R.Kind == static_cast<uint8_t>(Record::Launch));
}

TEST_CASE("a launch by configuration names its stream") {
  struct {
    uint32_t Grid[3], Block[3], Shared;
    void *Stream, *Attributes;
    unsigned NumAttributes;
  } Config = {};
  Config.Stream = reinterpret_cast<void *>(0x77);
  static FakeKernel Kernel = {[](uint64_t *) {}, 0};
  told();
  as<int (*)(const void *, const void *, void **, void **)>(
      dlsym(driver(), "cuLaunchKernelEx"))(&Config, &Kernel, nullptr, nullptr);
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].R.Kind == static_cast<uint8_t>(Record::Launch));
  CHECK(T[0].R.Stream == 0x77);
}

// Last: from here on nothing is known to be seen.
TEST_CASE("a library that binds past Echo drops every buffer out") {
  told();
  REQUIRE(dlopen("libm.so.6", RTLD_NOW));
  CHECK(told().empty());
  REQUIRE(dlopen("libm.so.6", RTLD_NOW | RTLD_DEEPBIND));
  auto T = told();
  REQUIRE(T.size() == 1);
  CHECK(T[0].DroppedOut);
  CHECK(T[0].R.A == 0);
}
