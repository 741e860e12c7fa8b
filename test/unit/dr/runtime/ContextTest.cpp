//===- ContextTest.cpp - Programs with several devices --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wait for one device says nothing of another one's work.
//
//===----------------------------------------------------------------------===//
#include "RulesProgram.h"

using namespace echo::dr;

TEST_CASE("work in two contexts is not followed") {
  Program P;
  Context = 1;
  char *H = P.host(InHost), *D = P.device(InDevice);
  const bool Two = GENERATE(false, true);
  for (int I = 0; I != 3; ++I) {
    memset(H, I, Bytes);
    P.copy(D, H, CopyH2D);
    P.launch([] {});
    Context = Two ? 2 : 1;
    P.sync(); // with the other one current it waits for nothing of the first
    Context = 1;
  }
  CHECK(P.in() == (Two ? Trap::Unwatched : Trap::None));
  CHECK(P.passes(0) == !Two);
  Context = 0;
}

TEST_CASE("a context that is not there yet, or fresh after a reset, is no "
          "second one") {
  Program P;
  Context = 0;
  char *O = P.host(OutHost), *D = P.device(OutDevice);
  P.freeHost(O);
  Context = 5;
  P.freeDevice(D);
  P.sync(Record::Reset);
  Context = 6;
  P.sync();
  CHECK(P.out() == Trap::None);
  Context = 0;
}

TEST_CASE("the driver may come with the first call of a shared CUDA runtime") {
  const bool Another = GENERATE(false, true);
  Program P;
  Context = 1; // the device's number
  char *O = P.host(OutHost), *D = P.device(OutDevice);
  P.freeHost(O);
  Context = 0x7f0000001000;
  P.freeDevice(D);
  if (Another)
    Context = 0x7f0000002000;
  P.sync();
  CHECK(P.out() == (Another ? Trap::Unwatched : Trap::None));
  Context = 0;
}
