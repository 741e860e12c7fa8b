//===- KernelFactsTest.cpp - Text form, union and stub names --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is printed is read back; what was not printed by Echo is refused.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/KernelFacts.h"
#include "Analysis/Api/StubArguments.h"
#include "catch2/catch.hpp"
#include "llvm/Support/raw_ostream.h"

using namespace echo;

static std::string print(const KernelFactsTable &Table) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Table.print(OS);
  return Text;
}

static std::string parseError(llvm::StringRef Text) {
  auto Table = KernelFactsTable::parse(Text);
  if (Table)
    return "";
  return llvm::toString(Table.takeError());
}

TEST_CASE("what is printed is read back", "[facts]") {
  const char *Text = "_Z1kPfi pointer:rwc value\n"
                     "a pointer:- pointer:r pointer:w pointer:c holder\n"
                     "b system-atomics\n"
                     "c\n"
                     "d system-atomics calls-unknown pointer:w\n"
                     "e system-atomics may-trap value\n"
                     "f may-trap\n"
                     "g may-trap may-wait looks-at-addresses pointer:r\n"
                     "h may-wait may-print\n"
                     "@i may-print value calls:j\n";
  auto Table = KernelFactsTable::parse(Text);
  REQUIRE(bool(Table));
  CHECK(print(*Table) == Text);
  const KernelFacts *A = Table->lookup("a");
  REQUIRE(A);
  REQUIRE(A->Params.size() == 5);
  CHECK_FALSE(A->Params[0].Read);
  CHECK(A->Params[1].Read);
  CHECK_FALSE(A->Params[1].Written);
  CHECK(A->Params[2].Written);
  CHECK(A->Params[3].Captured);
  CHECK(A->Params[4].MayHoldPointers);
  CHECK_FALSE(A->SystemAtomics);
  CHECK(Table->lookup("b")->SystemAtomics);
  CHECK_FALSE(Table->lookup("b")->MayTrap);
  CHECK(Table->lookup("e")->MayTrap);
  CHECK(Table->lookup("f")->MayTrap);
  CHECK(Table->someMayTrap());
  CHECK_FALSE(Table->lookup("f")->MayWait);
  CHECK(Table->lookup("g")->MayWait);
  CHECK(Table->someMayWait());
  CHECK_FALSE(Table->lookup("g")->MayPrint);
  CHECK(Table->lookup("h")->MayPrint);
  CHECK(Table->someMayPrint());
  CHECK(Table->lookup("i") == nullptr);
  CHECK(Table->lookup("d")->CallsUnknown);
  CHECK_FALSE(Table->lookup("b")->CallsUnknown);
}

TEST_CASE("an empty table is an empty text", "[facts]") {
  auto Table = KernelFactsTable::parse("");
  REQUIRE(bool(Table));
  CHECK(Table->empty());
  CHECK(print(*Table).empty());
}

TEST_CASE("other text is refused with its line", "[facts]") {
  CHECK(parseError("k pointer:r\nk2 pointer:x\n") ==
        "line 2: 'pointer:x' is no parameter");
  CHECK(parseError("k pointer:\n") == "line 1: 'pointer:' is no parameter");
  CHECK(parseError("k pointer:wr\n") == "line 1: 'pointer:wr' is no parameter");
  CHECK(parseError("k value") == "line 1: the line is cut off");
  CHECK(parseError("k value system-atomics\n") ==
        "line 1: 'system-atomics' is no parameter");
  CHECK(parseError("k may-trap system-atomics\n") ==
        "line 1: 'system-atomics' is no parameter");
  CHECK(parseError("\n") == "line 1: no kernel name");
}

TEST_CASE("two architectures: what either does, it does", "[facts]") {
  auto A = KernelFactsTable::parse("k pointer:r pointer:- value\n");
  auto B = KernelFactsTable::parse("k system-atomics pointer:w pointer:- "
                                   "holder\nl value\n");
  REQUIRE((A && B));
  A->merge(*B);
  CHECK(print(*A) == "k system-atomics pointer:rw pointer:- holder\nl value\n");
}

TEST_CASE("linked functions may print and wait, so do their callers",
          "[facts]") {
  auto Table = KernelFactsTable::parse("k calls-unknown may-print may-wait\n"
                                       "@f may-print\n@k calls:f\n");
  CHECK_FALSE(bool(Table)); // the order of flags is one
  llvm::consumeError(Table.takeError());
  Table = KernelFactsTable::parse("k calls-unknown may-wait may-print\n"
                                  "@f may-print\n@k calls:f\n");
  REQUIRE(bool(Table));
  Table->resolveLinked();
  CHECK(Table->lookup("k")->MayPrint);
  CHECK(Table->someMayPrint());
  CHECK_FALSE(Table->someMayWait());
}

TEST_CASE("what a linked function does, its kernel's own facts do not exclude",
          "[facts]") {
  auto Table = KernelFactsTable::parse("k calls-unknown may-trap\nl\n"
                                       "@f may-trap\n@k calls:f\n");
  REQUIRE(bool(Table));
  Table->resolveLinked();
  CHECK_FALSE(Table->lookup("k")->CallsUnknown);
  CHECK(Table->lookup("k")->MayTrap);
  CHECK_FALSE(Table->lookup("k")->MayPrint);
  CHECK_FALSE(Table->lookup("l")->MayTrap);
}

TEST_CASE("contradicting facts are unknown", "[facts]") {
  auto A = KernelFactsTable::parse("k pointer:r\nl value\n");
  auto B = KernelFactsTable::parse("k value\nl value value\n");
  REQUIRE((A && B));
  A->merge(*B);
  CHECK(A->lookup("k")->Params[0].MayHoldPointers);
  CHECK(A->lookup("k")->Params[0].Written);
  CHECK(A->lookup("l")->Params.empty());
}

TEST_CASE("stub names give kernel names", "[facts]") {
  using Name = std::optional<std::string>;
  CHECK(kernelNameOfStub("_Z16__device_stub__kPfi") == Name("_Z1kPfi"));
  CHECK(kernelNameOfStub("__device_stub__saxpy") == Name("saxpy"));
  CHECK(kernelNameOfStub("_ZN2ns16__device_stub__kEPf") == Name("_ZN2ns1kEPf"));
  CHECK(kernelNameOfStub("_ZN12_GLOBAL__N_116__device_stub__kEPf") ==
        Name("_ZN12_GLOBAL__N_11kEPf"));
  CHECK(kernelNameOfStub("_ZL16__device_stub__kPf") == Name("_ZL1kPf"));
  CHECK(kernelNameOfStub("_Z20__device_stub__scaleIfEvPT_S0_i") ==
        Name("_Z5scaleIfEvPT_S0_i"));
  CHECK(kernelNameOfStub("_Z26__device_stub__abcdefghijkPf") ==
        Name("_Z11abcdefghijkPf"));
}

TEST_CASE("other names are no stubs", "[facts]") {
  CHECK_FALSE(kernelNameOfStub("_Z1kPfi"));
  CHECK_FALSE(kernelNameOfStub("main"));
  CHECK_FALSE(kernelNameOfStub("my__device_stub__k"));
  CHECK_FALSE(kernelNameOfStub("_Z99__device_stub__k"));
  CHECK_FALSE(kernelNameOfStub(""));
}
