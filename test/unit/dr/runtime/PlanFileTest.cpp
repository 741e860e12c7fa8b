//===- PlanFileTest.cpp - The runtime reads what echo-run writes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts come from lib/Profile's writer. Each damaged one is refused, and a text
// with a right checksum is read or refused, but never read past its end.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/PlanFile.h"
#include "Profile/Plan.h"
#include "runtime/dr/optimize/PlanMark.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace echo;

static std::string example() {
  drtool::Plan P;
  P.Echo = "0.1.0";
  P.Context.Command = {"/bin/app \"x\"\t", 0xdeadbeef};
  P.Context.Arguments = {"--size", "", "\xc3\xa9"};
  P.Context.Executable = {"/bin/python3", 7};
  P.Context.Interposer = ~uint64_t(0);
  P.Context.Folder = "/home \"x\"";
  P.Context.Input = "0123456789abcdef";
  P.Context.Host = "box";
  P.Context.Machine = 0x99;
  P.Context.Uuid = "00000000-1111-2222-3333-444444444444";
  P.Context.Files = {{"/home/\xc3\xa9", "argument", 7, 8}};
  P.Context.Variables = {{"A", 1}};
  P.Context.Device = "GPU \\ 1";
  P.Context.Runtime = 13000;
  P.Context.Driver = 12080;
  P.Context.VisibleDevices = "0,1";
  P.Context.Processes = {{1, 2, 0, 4, 5, {{"RANK", 6}, {"B", 0}}, true},
                         {6, 7, ~uint64_t(0), 9, 10, {{"C", 1}}, false}};
  P.Context.Modules = {3, ~uint64_t(0)};
  P.Enabled = true;
  drtool::PlanPair A;
  A.Id = 1;
  A.HostSite = 0x1122334455667788;
  A.DeviceSite = 3;
  A.Bytes = A.DeviceBytes = 1 << 20;
  A.Open = {drplan::Choice::PinnedSplit, drplan::Choice::Mapped};
  A.Chosen = drplan::Choice::Mapped;
  A.Validated = true;
  A.Copies = {{5, true, drplan::Wait::None}, {6, false, drplan::Wait::Stream}};
  A.Evidence = {{"copies", 100}, {"copy_ns", 1.5e9}};
  drtool::PlanPair B = A;
  B.Id = 2;
  B.DeviceSite = B.DeviceBytes = 0;
  B.Open = {drplan::Choice::PinnedSplit};
  B.HostMayChange = true;
  B.Validated = false;
  B.Chosen = drplan::Choice::PinnedSplit;
  B.Disabled = "the host read it at app+0x10";
  P.Pairs = {A, B};
  return drtool::planText(P);
}

/// The text with the checksum that belongs to it.
static std::string rechecked(std::string Text) {
  const size_t Key = Text.rfind("\"checksum\": \"");
  if (Key == std::string::npos)
    return Text;
  Text.resize(Key);
  char Digits[16];
  drplan::hexDigits(dr::fnv1a(Text.data(), Text.size()), Digits);
  return Text + "\"checksum\": \"" + std::string(Digits, 16) + "\"\n}\n";
}

/// Reads from a block that ends where the text does, so that a sanitizer sees
/// a read past it.
static const char *read(const std::string &Text, dr::PlanFile &Out) {
  std::unique_ptr<char[]> Exact(new char[Text.size()]);
  memcpy(Exact.get(), Text.data(), Text.size());
  Out = dr::PlanFile();
  return dr::parsePlan(Exact.get(), Text.size(), Out);
}

TEST_CASE("the runtime reads the plan that was written") {
  auto P = std::make_unique<dr::PlanFile>();
  REQUIRE(read(example(), *P) == nullptr);
  CHECK(P->Enabled);
  CHECK_FALSE(P->Portable);
  CHECK(P->ExecutableHash == 7);
  CHECK(P->Interposer == ~uint64_t(0));
  CHECK(std::string(P->Host) == "box");
  CHECK(P->Machine == 0x99);
  CHECK(std::string(P->Uuid) == "00000000-1111-2222-3333-444444444444");
  CHECK(std::string(P->Device) == "GPU \\ 1");
  CHECK(std::string(P->VisibleDevices) == "0,1");
  REQUIRE(P->NumProcesses == 2);
  CHECK(P->ForProcesses);
  CHECK(P->Processes[0].AllVariables);
  CHECK(P->Processes[0].NumVariables == 2);
  CHECK(P->Variables[0].Name == dr::fnv1a("RANK", 4));
  CHECK(P->Variables[0].Value == 6);
  CHECK(P->Processes[1].Input == ~uint64_t(0));
  CHECK(P->Processes[1].Limits == 10);
  CHECK(P->Processes[1].FirstVariable == 2);
  CHECK(P->Processes[1].NumVariables == 1);
  CHECK_FALSE(P->NoInput);
  REQUIRE(P->NumModules == 2);
  CHECK(P->Modules[1] == ~uint64_t(0));
  CHECK(P->Runtime == 13000);
  CHECK(P->Driver == 12080);
  REQUIRE(P->NumPairs == 2);
  const dr::PlanPair &A = P->Pairs[0], &B = P->Pairs[1];
  CHECK(A.Id == 1);
  CHECK(A.HostSite == 0x1122334455667788);
  CHECK(A.DeviceSite == 3);
  CHECK(A.Bytes == 1 << 20);
  CHECK(A.DeviceBytes == 1 << 20);
  CHECK_FALSE(A.HostMayChange);
  CHECK_FALSE(A.Disabled);
  CHECK(A.Validated);
  CHECK(A.Chosen == drplan::Choice::Mapped);
  REQUIRE(A.NumCopies == 2);
  CHECK(A.Copies[0].Site == 5);
  CHECK(A.Copies[0].ToDevice);
  CHECK(A.Copies[0].Needed == drplan::Wait::None);
  CHECK_FALSE(A.Copies[1].ToDevice);
  CHECK(A.Copies[1].Needed == drplan::Wait::Stream);
  CHECK(B.Disabled);
  CHECK(B.HostMayChange);
  CHECK_FALSE(B.Validated);
}

TEST_CASE("a damaged plan is refused") {
  const std::string Good = example();
  auto P = std::make_unique<dr::PlanFile>();
  for (size_t N = 0; N != Good.size(); ++N)
    CHECK(read(Good.substr(0, N), *P) != nullptr);
  std::mt19937 Random(1);
  for (int I = 0; I != 1000; ++I) {
    std::string Text = Good;
    Text[Random() % Text.size()] ^= static_cast<char>(1 + Random() % 255);
    CHECK(read(Text, *P) != nullptr);
  }
}

TEST_CASE("a wrong text with a right checksum is never read past its end") {
  const std::string Good = example();
  auto P = std::make_unique<dr::PlanFile>();
  unsigned Refused = 0;
  std::mt19937 Random(2);
  for (int I = 0; I != 1000; ++I) {
    std::string Text = Good;
    for (unsigned J = 1 + Random() % 4; J != 0; --J)
      switch (Random() % 3) {
      case 0:
        Text[Random() % Text.size()] = static_cast<char>(Random());
        break;
      case 1:
        Text.erase(Random() % Text.size(), 1 + Random() % 8);
        break;
      case 2:
        Text.insert(Random() % Text.size(), 1, "{}[]\",:\\"[Random() % 8]);
        break;
      }
    Refused += read(rechecked(Text), *P) != nullptr;
    CHECK(P->NumPairs <= dr::MaxPlanPairs);
  }
  CHECK(Refused > 100);
}

namespace {
/// A plan's file, gone with the object.
struct File {
  std::string Path;
  explicit File(const std::string &Text) {
    char Name[] = "/tmp/echo-plan.XXXXXX";
    close(mkstemp(Name));
    Path = Name;
    std::ofstream(Path) << Text;
  }
  ~File() { unlink(Path.c_str()); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  std::string text() const {
    std::ostringstream Out;
    Out << std::ifstream(Path).rdbuf();
    return Out.str();
  }
};
} // namespace

TEST_CASE("what a run finds out is one reason more in the plan") {
  const File F(example());
  auto P = std::make_unique<dr::PlanFile>();
  REQUIRE(read(example(), *P) == nullptr);
  std::string Why;
  std::optional<drtool::Plan> Wanted = drtool::parsePlan(example(), Why);
  REQUIRE(Wanted);
  Wanted->Pairs[0].Disabled = "the host used it, at \"app\"+0x12";
  CHECK(dr::disableInPlan(F.Path.c_str(), P->Pairs[0],
                          Wanted->Pairs[0].Disabled->c_str()) == nullptr);
  // What would have to be escaped is replaced; all else is as it was.
  Wanted->Pairs[0].Disabled = "the host used it, at ?app?+0x12";
  CHECK(F.text() == drtool::planText(*Wanted));
  // The first reason stays.
  for (int I : {0, 1})
    CHECK(dr::disableInPlan(F.Path.c_str(), P->Pairs[I], "again") == nullptr);
  CHECK(F.text() == drtool::planText(*Wanted));
}

TEST_CASE("of a key that comes twice both readers take the last") {
  std::string Text = example();
  Text.resize(Text.rfind(drplan::ChecksumKey));
  for (const char *Key : {"\"copies\": [", "\"modules\": ["}) {
    const size_t At = Text.find(Key);
    REQUIRE(At != std::string::npos);
    const size_t End = Text.find(']', At) + 1;
    Text.insert(At, Text.substr(At, End - At) + ",\n");
  }
  Text += drplan::ChecksumKey +
          drtool::hexText(dr::fnv1a(Text.data(), Text.size())) +
          drplan::ChecksumEnd;
  REQUIRE(drplan::checksumHolds(Text.data(), Text.size()));
  std::string Why;
  const std::optional<drtool::Plan> Tool = drtool::parsePlan(Text, Why);
  REQUIRE(Tool);
  auto P = std::make_unique<dr::PlanFile>();
  REQUIRE(read(Text, *P) == nullptr);
  CHECK(P->Pairs[0].NumCopies == Tool->Pairs[0].Copies.size());
  CHECK(P->NumModules == Tool->Context.Modules.size());
}

TEST_CASE("a file that is not this plan any more is not changed") {
  auto P = std::make_unique<dr::PlanFile>();
  REQUIRE(read(example(), *P) == nullptr);
  std::string Changed = example();
  Changed[Changed.size() / 2] ^= 1;
  for (const std::string &Text : {Changed, std::string("{}"), std::string()}) {
    const File F(Text);
    CHECK(dr::disableInPlan(F.Path.c_str(), P->Pairs[0], "why"));
    CHECK(F.text() == Text);
  }
  P->Pairs[0].Bytes += 1;
  const File F(example());
  CHECK(dr::disableInPlan(F.Path.c_str(), P->Pairs[0], "why"));
  CHECK(F.text() == example());
  CHECK(dr::disableInPlan("/nowhere/plan.json", P->Pairs[0], "why"));
}

TEST_CASE("processes that find something out at a time lose nothing") {
  std::string Why;
  drtool::Plan Many = *drtool::parsePlan(example(), Why);
  while (Many.Pairs.size() < 12) {
    Many.Pairs.push_back(Many.Pairs[0]);
    Many.Pairs.back().Id = Many.Pairs.back().HostSite = Many.Pairs.size();
  }
  const File F(drtool::planText(Many));
  auto P = std::make_unique<dr::PlanFile>();
  REQUIRE(read(F.text(), *P) == nullptr);
  for (unsigned I = 0; I != P->NumPairs; ++I)
    if (fork() == 0)
      _exit(dr::disableInPlan(F.Path.c_str(), P->Pairs[I], "why") != nullptr);
  for (int Status; wait(&Status) > 0;)
    CHECK(Status == 0);
  const std::optional<drtool::Plan> Marked = drtool::parsePlan(F.text(), Why);
  REQUIRE(Marked);
  for (const drtool::PlanPair &Pair : Marked->Pairs)
    CHECK(Pair.Disabled.has_value());
}
