//===- CopyRatesTest.cpp - Rates of copies, and what they make of bytes ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that the probe writes, the times that follow from them, and each
// way in which a file of rates is refused.
//
//===----------------------------------------------------------------------===//
#include "Report/CopyRates.h"
#include <catch2/catch.hpp>

using namespace echo;

/// Up: 5 us and 1 ns a byte, that is 1 GB/s; down: twice as long.
static const std::string Good = "echo-profile 1\nloop split 65536 7\n"
                                "copy H2D 1000 6000\ncopy H2D 101000 106000\n"
                                "  copy D2H 1000 12000   # 1000 B\n"
                                "copy D2H 101000 212000\nend\n";

static std::string failure(const std::string &Text) {
  auto Rates = parseCopyRates(Text, "rates");
  return Rates ? "" : llvm::toString(Rates.takeError());
}

TEST_CASE("a line of a measured copy is written and read in one form") {
  const CopyTime Copy{false, 4194304, 403876};
  CHECK(toText(Copy) == "copy D2H 4194304 403876");
  const auto Read = readCopyTime(toText(Copy) + "  # 4 MiB");
  REQUIRE(Read);
  CHECK(!Read->ToDevice);
  CHECK(Read->Bytes == 4194304);
  CHECK(Read->Ns == 403876);
  for (const char *Bad :
       {"copy", "copy H2D 1", "copy H2D 1 2 3", "copy H2H 1 2", "copy H2D 0 2",
        "copy H2D 1 0", "copy H2D -1 2", "copy H2D 1.5 2", "copy H2D 1k 2",
        "copy H2D 99999999999999999999 2", "loop H2D 1 2"})
    CHECK_FALSE(readCopyTime(Bad));
  CHECK(isCopyTime("  copy is the word"));
  CHECK_FALSE(isCopyTime("copies of pageable memory"));
}

TEST_CASE("a rate counts a gigabyte as 1e9 bytes") {
  CHECK(CopyTime{true, 1000000000, 1000000000}.rate() == 1.0);
  CHECK(CopyTime{true, 1 << 30, 1 << 30}.rate() == 1.0);
  CHECK(CopyTime{true, 12000, 1000}.rate() == 12.0);
}

TEST_CASE("times lie on the line through the small and the large copy") {
  auto Rates = llvm::cantFail(parseCopyRates(Good, "rates"));
  CHECK(Rates.ns(true, 1000) == 6000);
  CHECK(Rates.ns(true, 101000) == 106000);
  CHECK(Rates.ns(true, 51000) == 56000);
  CHECK(Rates.ns(true, 1000000000) == 1000005000);
  CHECK(Rates.ns(false, 51000) == 112000);
  // A call costs something, however little it copies.
  CHECK(Rates.ns(true, 1) == 6000);
  CHECK(Rates.ns(true, 0) == 6000);
}

TEST_CASE("of more sizes the outer ones count, of one size the last time") {
  auto Rates = llvm::cantFail(parseCopyRates(
      Good + "copy H2D 5000 9999\ncopy H2D 101000 206000\n", "rates"));
  CHECK(Rates.ns(true, 51000) == 106000);
}

TEST_CASE("rates that cannot be used say what, where and what to do") {
  const std::string Advice =
      "; 'echo-run doctor --probe' measures them and names the file";
  CHECK(failure(Good) == "");
  CHECK(failure("") == "'rates' has no rates of copies" + Advice);
  CHECK(failure(Good + "copy H2D many 3\n") ==
        "'rates' line 8: 'copy H2D many 3' is no rate of copies: write 'copy "
        "H2D BYTES NANOSECONDS', or D2H" +
            Advice);
  CHECK(failure("copy H2D 1 2\ncopy H2D 3 4\n") ==
        "'rates' needs copies D2H of two sizes, and has 0" + Advice);
  CHECK(failure("copy H2D 1 2\ncopy D2H 3 4\n") ==
        "'rates' needs copies H2D of two sizes, and has 1" + Advice);
  CHECK(failure(Good + "copy D2H 101000 12000\n") ==
        "'rates': 'copy D2H 101000 12000' takes no longer than 'copy D2H 1000 "
        "12000': measure again" +
            Advice);
  auto Missing = readCopyRates("no/such/file");
  REQUIRE(!Missing);
  CHECK(llvm::toString(Missing.takeError()) ==
        "cannot read rates of copies from 'no/such/file': No such file or "
        "directory" +
            Advice);
}
