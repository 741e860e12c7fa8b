//===- Seeds.cpp - Valid files to damage ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Seeds.h.
//
//===----------------------------------------------------------------------===//
#include "Seeds.h"

#include "test/unit/dr/TraceText.h"

#include "Profile/Plan.h"

using namespace echo;
using namespace echo::drtool;

static PlanPair pairOf(uint64_t Id, bool Whole) {
  PlanPair P;
  P.Id = Id;
  P.HostSite = 0x1122334455667788 + Id;
  P.Bytes = 1 << 20;
  P.Copies = {{5, true, Wait::None}, {6, false, Wait::Order}};
  P.Open = {Choice::PinnedSplit};
  P.Chosen = Choice::PinnedSplit;
  P.Evidence = {{"copies", 100}, {"copy_ns", 1.5}};
  if (Whole) {
    P.DeviceSite = 3;
    P.DeviceBytes = P.Bytes;
    P.Open = {Choice::PinnedSplit, Choice::Mapped, Choice::Managed,
              Choice::System};
    P.Chosen = Choice::Mapped;
    P.Validated = true;
  } else {
    P.HostMayChange = true;
    P.Disabled = "it is small";
    P.Rejected = "the host reads it";
  }
  return P;
}

std::vector<std::string> planSeeds() {
  Plan Empty;
  Plan P;
  P.Echo = "0.1.0";
  P.LoopSite = 6;
  P.CalibratedOn = "box";
  P.Enabled = true;
  P.Why = "the loop takes 0.5 of its time";
  PlanContext &C = P.Context;
  C.Command = {"/bin/app \"x\"\n\t\\", 0xdeadbeef};
  C.Script = {"/home/app.py", 11};
  C.Arguments = {"--size", "", "\xc3\xa9"};
  C.Executable = {"/bin/python3", 7};
  C.Interposer = ~uint64_t(0);
  C.Folder = "/home";
  C.Host = "box";
  C.Machine = 5;
  C.Uuid = "00000000-1111-2222-3333-444444444444";
  C.Release = "550.54.15";
  C.Files = {{"/home/in put", "argument", 7, 8},
             {"/lib/a.so", "library", 0, 0}};
  C.Variables = {{"A", 1}, {"B", 0}};
  C.AllVariables = true;
  C.Written = {"/home/out"};
  C.Changed = {"/home/latest", "/home/out"};
  C.Unseen = "more than is kept";
  C.Device = "GPU";
  C.Runtime = C.Driver = 13000;
  C.VisibleDevices = "0,1";
  C.Modules = {1, 0x8000000000000000};
  Plan Many = P;
  P.Pairs = {pairOf(1, true), pairOf(2, false)};
  for (uint64_t I = 1; I != 20; ++I)
    Many.Pairs.push_back(pairOf(I, I % 2));
  Many.Context.Host.clear();
  Many.Portable = true;
  return {planText(P), planText(Empty), planText(Many)};
}

/// A loop of two pairs with everything that a trace can hold.
static void fill(TraceText &T) {
  using dr::Record;
  constexpr uint64_t Mega = 1 << 20;
  T.add(Record::Module, {.A = 7}).text("/nowhere/app");
  for (uint64_t I = 0; I != 3; ++I)
    T.add(Record::Frame, {.Site = 5, .A = 7, .B = 0x100 + I, .Bytes = I});
  T.add(Record::Variable).text("CUDA_VISIBLE_DEVICES");
  T.add(Record::File, {.Flags = dr::FileRead}).text("/nowhere/input");
  T.add(Record::File, {.Flags = dr::FileWritten}).text("/nowhere/output");
  T.add(Record::File, {.Flags = dr::FileLooked, .A = dr::FilePolled})
      .text("/nowhere/control");
  T.add(Record::Change).text("/nowhere/link");
  T.hostAlloc(0x10000000, Mega, 1).deviceAlloc(0x90000000, Mega, 2);
  T.hostAlloc(0x20000000, Mega, 3, dr::How::Mmap);
  T.deviceAlloc(0xa0000000, 4 * Mega, 4);
  T.add(Record::StreamCreate, {.Stream = 0x50});
  for (unsigned I = 0; I != 8; ++I) {
    T.add(Record::Mark, {.Flags = 0}).text("iteration");
    T.copy(dr::CopyH2D, 0x90000000, 0x10000000, Mega, 5);
    T.copy(dr::CopyH2D | dr::CopyAsync, 0xa0000000 + Mega, 0x20000000, Mega, 6,
           0x50);
    T.launch(0x50).launch();
    T.add(Record::EventRecord, {.A = 0x60, .Stream = 0x50});
    T.add(Record::StreamWait, {.A = 0x60, .Stream = 0});
    T.add(Record::Set, {.A = 0x90000000, .Bytes = 64});
    T.add(Record::SyncStream, {.Stream = 0x50});
    T.add(Record::SyncDevice);
    T.add(Record::QueryDone, {.A = 0x60});
    T.copy(dr::CopyD2H, 0x10000000, 0x90000000, Mega, 7);
  }
  T.add(Record::Ineligible, {.Flags = 1, .A = 0x20000000});
  T.add(Record::HostFunc).add(Record::Capture);
  T.add(Record::Trap, {.Flags = 1, .A = 0x10000010, .B = 1});
  T.add(Record::Rounds, {.A = 4, .B = 1});
  T.hostFree(0x10000000).deviceFree(0x90000000);
  T.add(Record::Reset).add(Record::Exit);
}

std::vector<TraceSeed> traceSeeds() {
  TraceText One, Two;
  fill(One);
  fill(Two);
  Two.Thread = 2;
  fill(Two);
  std::vector<TraceSeed> Out;
  for (TraceText *T : {&One, &Two}) {
    std::string Bytes = T->bytes();
    const size_t Used = Bytes.find_last_not_of('\0') + 1;
    Out.push_back({Bytes, Used});
    Bytes.resize(Used / 64 * 64); // it ends within a chunk
    Out.push_back({Bytes, Used});
  }
  return Out;
}
