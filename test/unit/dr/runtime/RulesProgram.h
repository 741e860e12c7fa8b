//===- RulesProgram.h - Programs as events for validation's rules -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with two pairs, on a device whose work is done at once. Nothing
// here judges: the tests do.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_UNIT_DR_RUNTIME_RULESPROGRAM_H
#define ECHO_TEST_UNIT_DR_RUNTIME_RULESPROGRAM_H

#include "runtime/dr/Ranges.h"
#include "runtime/dr/validate/Faults.h"
#include "runtime/dr/validate/Rules.h"

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <stdlib.h>
#include <string.h>

namespace echo::dr {

inline constexpr size_t Bytes = 10000; // not whole pages
enum : uint64_t { InHost = 1, InDevice, OutHost, OutDevice, OtherDevice };

inline uint64_t Context; ///< of the program's thread

inline int StillWorks; ///< how often the device says that it has work
inline int Waits;      ///< how often it was waited for

inline const DeviceOps FakeOps = [] {
  DeviceOps O = {};
  O.copy = [](void *D, const void *S, size_t N) {
    memcpy(D, S, N);
    return 0;
  };
  O.waitStream = [](void *) {
    ++Waits;
    return 0;
  };
  O.queryStream = [](void *) { return StillWorks-- > 0 ? NotReady : 0; };
  O.currentContext = [](uint64_t *Current) {
    *Current = Context;
    return 0;
  };
  return O;
}();

/// A program with two pairs: one buffer goes to the GPU, one comes back.
struct Program {
  std::unique_ptr<PlanFile> Plan = std::make_unique<PlanFile>();
  std::unique_ptr<Rules> R = std::make_unique<Rules>();

  Program() {
    static const bool Installed = installFaultHandler();
    REQUIRE(Installed);
    DeviceRanges.clear();
    Plan->NumPairs = 2;
    for (unsigned I = 0; I != 2; ++I) {
      PlanPair &P = Plan->Pairs[I];
      P.Id = I + 1;
      P.Disabled = false;
      P.HostSite = I ? OutHost : InHost;
      P.DeviceSite = I ? OutDevice : InDevice;
      P.Bytes = P.DeviceBytes = Bytes;
    }
    R->start(*Plan,
             [](const PlanPair &, const Verdict &, const Access &, Reason) {});
  }
  ~Program() {
    for (unsigned I = 0; I != Watched.used(); ++I)
      if (Watched.live(I))
        Watched.release(I);
  }

  Event make(Record K, uint64_t A = 0, uint64_t B = 0, size_t N = 0,
             uint64_t Stream = 0) {
    Event E;
    E.R.Kind = static_cast<uint8_t>(K);
    E.R.A = A;
    E.R.B = B;
    E.R.Bytes = N;
    E.R.Stream = Stream;
    E.Ops = &FakeOps;
    return E;
  }
  void run(Event &E, std::function<void()> Do = nullptr) {
    REQUIRE(R->before(E) == Action::Run);
    if (Do)
      Do();
    R->after(E, 0);
  }
  char *host(uint64_t Site, bool Zeroed = false) {
    Event E = make(Record::HostAlloc, 0, 0, Bytes);
    E.R.Site = Site;
    E.Zeroed = Zeroed;
    E.Ops = nullptr;
    if (R->before(E) == Action::Run)
      return static_cast<char *>(malloc(Bytes)); // no pair is left
    R->after(E, 0);
    return reinterpret_cast<char *>(E.R.A);
  }
  void freeHost(void *P) {
    Event E = make(Record::HostFree, reinterpret_cast<uint64_t>(P));
    E.Ops = nullptr;
    R->before(E);
  }
  char *device(uint64_t Site) {
    char *P = static_cast<char *>(malloc(Bytes));
    Event E = make(Record::DeviceAlloc, 0, 0, Bytes);
    E.R.Site = Site;
    REQUIRE(R->before(E) == Action::Run);
    DeviceRanges.add({reinterpret_cast<uintptr_t>(P), Bytes, Site, How::Device,
                      false, nullptr});
    E.R.A = reinterpret_cast<uint64_t>(P);
    R->after(E, 0);
    return P;
  }
  void freeDevice(void *P) {
    Event E = make(Record::DeviceFree, reinterpret_cast<uint64_t>(P));
    DeviceRanges.remove(P, E.Freed);
    run(E);
    free(P);
  }
  /// \p Meanwhile: what happens after the bytes were read, before it returns.
  void copy(char *D, const char *S, uint8_t Flags, size_t N = Bytes,
            uint64_t Stream = 0, std::function<void()> Meanwhile = nullptr) {
    Event E = make(Record::Copy, reinterpret_cast<uint64_t>(D),
                   reinterpret_cast<uint64_t>(S), N, Stream);
    E.R.Flags = Flags;
    run(E, [&] {
      char *To = E.Instead[0] ? reinterpret_cast<char *>(E.Instead[0]) : D;
      memcpy(To, S, N);
      if (Meanwhile)
        Meanwhile();
    });
  }
  void launch(std::function<void()> Kernel, uint64_t Stream = 0) {
    Event E = make(Record::Launch, 0, 0, 0, Stream);
    run(E, Kernel);
  }
  void sync(Record K = Record::SyncDevice, uint64_t A = 0, uint64_t S = 0) {
    Event E = make(K, A, 0, 0, S);
    run(E);
  }
  Trap in() { return verdict(0); }
  Trap out() { return verdict(1); }
  Trap verdict(unsigned I) {
    R->collect();
    return R->verdict(I).What;
  }
  bool passes(unsigned I) {
    return verdict(I) == Trap::None && R->verdict(I).Rounds >= 2;
  }
};

/// d = f(in), as kernels do.
inline void kernel(char *Out, const char *In) {
  for (size_t I = 0; I != Bytes; ++I)
    Out[I] = static_cast<char>(In[I] + 1);
}

/// The loop that all published examples are: what differs is put in between.
struct Loop {
  std::function<void(Program &, char *H, char *O, int)> BeforeCopy,
      BeforeLaunch, AfterLaunch, AfterSync, AfterDown;
  bool Sync = false;
  uint8_t Async = 0;
  char **Taken = nullptr; ///< gets the input's d

  void run(Program &P) {
    char *H = P.host(InHost), *O = P.host(OutHost);
    char *D = P.device(InDevice), *E = P.device(OutDevice);
    if (Taken)
      *Taken = D;
    const auto Call = [&](auto &F, int I) {
      if (F)
        F(P, H, O, I);
    };
    for (int I = 0; I != 4; ++I) {
      memset(H, I, Bytes);
      Call(BeforeCopy, I);
      P.copy(D, H, CopyH2D | Async);
      Call(BeforeLaunch, I);
      P.launch([&] { kernel(E, D); });
      Call(AfterLaunch, I);
      if (Sync)
        P.sync();
      Call(AfterSync, I);
      P.copy(O, E, CopyD2H | Async);
      if (Async)
        P.sync(Record::SyncStream);
      Call(AfterDown, I);
      CHECK(O[Bytes - 1] == I + 1);
    }
    P.freeDevice(D);
    P.freeDevice(E);
    P.freeHost(H);
    P.freeHost(O);
  }
};

} // namespace echo::dr

#endif
