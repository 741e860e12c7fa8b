//===- EstimatesTest.cpp - What copies move and take, and what comes first ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates of known and of unknown sizes, in text and JSON and back, and the
// ranking of declined pairs from both.
//
//===----------------------------------------------------------------------===//
#include "Report/Estimates.h"
#include "Report/MendFirst.h"
#include "Report/Report.h"
#include "ReportExample.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace echo;

using Sizes = std::vector<std::optional<uint64_t>>;

/// Up: a byte takes 1 ns; down: 2 ns.
static CopyRates rates() {
  return llvm::cantFail(parseCopyRates("copy H2D 1 1\ncopy H2D 100 100\n"
                                       "copy D2H 1 2\ncopy D2H 100 200\n",
                                       "rates"));
}

/// A declined pair called \p Name with a copy of each size, up and down in
/// turn.
static PairReport pairOf(const char *Name, const Sizes &Bytes) {
  PairReport Pair = declinedPair();
  Pair.Host.Name = Name;
  for (const auto &Size : Bytes)
    Pair.Links.push_back(
        {Pair.Links.size() % 2 == 0, at(1, 1), Size.has_value(), false, Size});
  return Pair;
}

static CopyEstimate estimated(PairReport Pair, bool WithRates = true) {
  UnitReport Unit;
  Unit.Pairs = {std::move(Pair)};
  addEstimates(Unit, WithRates ? std::optional(rates()) : std::nullopt);
  return *Unit.Pairs[0].Estimate;
}

TEST_CASE("an estimate adds up the copies whose size is known") {
  const CopyEstimate E = estimated(pairOf("h", {1000, 500}));
  CHECK(E.Copies == 2);
  CHECK(E.Unknown == 0);
  CHECK(E.Bytes == 1500);
  CHECK(E.Ns == 2000.0);
  CHECK(estimateText(E) == "1.46 KiB per run of each copy, in 2.0 us");
  CHECK(!estimated(pairOf("h", {1000, 500}), /*WithRates=*/false).Ns);
}

TEST_CASE("an unknown size is said, never guessed") {
  const CopyEstimate Some = estimated(pairOf("h", {1000, std::nullopt, 24}));
  CHECK(Some.Unknown == 1);
  CHECK(estimateText(Some) == "1.00 KiB per run of each copy, in 1.0 us; 1 of "
                              "3 copies of unknown size");
  const CopyEstimate None = estimated(pairOf("h", {std::nullopt}));
  CHECK(None.isUnknown());
  CHECK(!None.Ns);
  CHECK(estimateText(None) == "size not known at compile time");
  // A copy that may be of another pair.
  PairReport Chosen = pairOf("h", {1000});
  Chosen.Links[0].Chosen = true;
  CHECK(estimated(Chosen).isUnknown());
}

TEST_CASE("text of an estimate is read back") {
  for (const char *Text :
       {"size not known at compile time", "512 B per run of each copy",
        "4.00 MiB per run of each copy, in 1.250 ms",
        "1.50 GiB per run of each copy, in 2.000 s; 1 of 3 copies of unknown "
        "size"}) {
    const auto E = estimateFromText(Text);
    REQUIRE(E);
    CHECK(estimateText(*E) == Text);
  }
  for (const char *Text : {"", "4.00 MiB", "4.00 XiB per run of each copy",
                           "4.00 MiB per run of each copy, in 3 h",
                           "4.00 MiB per run of each copy, in 3.000 ms, too"})
    CHECK_FALSE(estimateFromText(Text));
}

/// The names of the host buffers in the ranking of \p Unit by its JSON and by
/// its text, with what it is by.
static std::pair<std::string, std::string> ranked(const UnitReport &Unit) {
  llvm::json::Array Units;
  Units.push_back(reportToJson(Unit));
  const MendFirst ByJson = mendFirst(Units);
  std::string Json = llvm::formatv("{0}:", unsigned(ByJson.By));
  for (const MendEntry &E : ByJson.Pairs)
    Json += " " + E.Pair->getObject("host")->getString("name")->str();
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  printReport(Unit, OS);
  const MendFirst ByText = mendFirst({{"app.cu", Printed}});
  std::string Text = llvm::formatv("{0}:", unsigned(ByText.By));
  for (const MendEntry &E : ByText.Pairs)
    Text +=
        " " +
        llvm::StringRef(E.Buffers).split(" + ").first.rsplit(' ').second.str();
  return {Json, Text};
}

TEST_CASE("declined pairs are ranked by time, else by bytes") {
  // "down" moves less than "up", and takes longer.
  PairReport Down = pairOf("down", {std::nullopt, 3000});
  Down.Links.erase(Down.Links.begin());
  UnitReport Unit;
  Unit.Pairs = {pairOf("none", {std::nullopt}),
                pairOf("least", {2000}),
                unifiedPair(),
                pairOf("up", {4000}),
                Down,
                skippedPair()};
  CHECK(ranked(Unit) == std::pair<std::string, std::string>("0:", "0:"));
  addEstimates(Unit, rates());
  const std::string ByTime = "2: down up least none";
  CHECK(ranked(Unit) == std::pair(ByTime, ByTime));
  addEstimates(Unit, std::nullopt);
  const std::string ByBytes = "1: up down least none";
  CHECK(ranked(Unit) == std::pair(ByBytes, ByBytes));
  // One unit had rates, another had none.
  UnitReport Timed = Unit;
  addEstimates(Timed, rates());
  Unit.Pairs[3].Estimate = Timed.Pairs[3].Estimate;
  CHECK(ranked(Unit) == std::pair(ByBytes, ByBytes));
}

TEST_CASE("equal pairs stay in order, and unknown sizes alone have none") {
  UnitReport Unit;
  Unit.Pairs = {pairOf("a", {8}), pairOf("b", {8}), pairOf("c", {8})};
  addEstimates(Unit, rates());
  CHECK(ranked(Unit).first == "2: a b c");
  Unit.Pairs = {pairOf("a", {std::nullopt})};
  addEstimates(Unit, rates());
  CHECK(ranked(Unit).second == "0: a");
}

TEST_CASE("the ranking is lines of the report that name pair and reason") {
  UnitReport Unit;
  Unit.Pairs = {pairOf("h", {1 << 20}), pairOf("n", {std::nullopt})};
  addEstimates(Unit, std::nullopt);
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  printReport(Unit, OS);
  const std::string Lines = mendLines(mendFirst({{"app.cu", Printed}}));
  CHECK(Lines == "# what to mend first, of pairs that stay two buffers, by "
                 "bytes, as rates of copies are not known (--estimate=FILE):\n"
                 "#   1. app.cu:40:14 h + app.cu:41:3 d: 1.00 MiB per run of "
                 "each copy; S2 host-read-in-flight\n"
                 "#   2. app.cu:40:14 n + app.cu:41:3 d: size not known at "
                 "compile time; S2 host-read-in-flight\n");
  llvm::SmallVector<llvm::StringRef> Each;
  llvm::StringRef(Lines).split(Each, '\n', -1, /*KeepEmpty=*/false);
  REQUIRE(Each.size() == 3);
  for (llvm::StringRef Line : Each)
    CHECK(isMendLine(Line));
  CHECK_FALSE(isMendLine("# unit 1. app.cu"));
  CHECK_FALSE(isMendLine("# copies removed: 1"));
}

TEST_CASE("the JSON ranking points to pairs by unit and number") {
  UnitReport Unit;
  Unit.Source = "app.cu";
  Unit.Pairs = {unifiedPair(), pairOf("h", {8})};
  addEstimates(Unit, rates());
  llvm::json::Array Units;
  Units.push_back(reportToJson(Unit));
  const llvm::json::Object Json = mendToJson(mendFirst(Units));
  CHECK(Json.getString("by") == llvm::StringRef("time"));
  const llvm::json::Object &First =
      *Json.getArray("pairs")->front().getAsObject();
  CHECK(First.getString("source") == llvm::StringRef("app.cu"));
  CHECK(First.getInteger("pair") == 1);
  CHECK(First.getInteger("bytes") == 8);
  CHECK(First.getNumber("ns") == 8.0);
}
