//===- RunMatchTest.cpp - Which copies of a report a run measured ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy that is found, and twins that differ in one thing and are not; what
// text and JSON say of them; the ranking.
//
//===----------------------------------------------------------------------===//
#include "Report/RunMatch.h"
#include "Report/Estimates.h"
#include "Report/MeasuredCopies.h"
#include "Report/MendFirst.h"
#include "Report/Report.h"
#include "ReportExample.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace echo;

static constexpr uint64_t Size = 1000;

/// An upload at \p Line; of a helper at line 5 that is called there.
static LinkCopy copyAt(unsigned Line, bool Helped = false) {
  LinkCopy Copy{true, at(Line, 3), true, false, Size};
  if (Helped)
    Copy.Loc = {{"up.h", 5, 3}, {{{"app.cu", Line, 3}, "main"}}};
  return Copy;
}

static PairReport pairOf(const char *Name, std::vector<LinkCopy> Copies) {
  PairReport Pair = declinedPair();
  Pair.Host.Name = Name;
  Pair.Links = std::move(Copies);
  return Pair;
}

static constexpr int64_t Later = int64_t(1) << 62;

/// What ran at \p Line, in a helper if \p Helped.
static RunCopy ranAt(unsigned Line, bool Helped = false) {
  RunCopy Ran{{}, 0, Later, true, Size, Size, 2, 2000, 5e6, 0.2};
  if (Helped)
    Ran.Places.push_back({"up.h", 5, "up"});
  Ran.Places.push_back({"app.cu", Line, "main"});
  Ran.Places.push_back({"/lib/start.c", 1, "start"});
  return Ran;
}

static UnitReport matched(std::vector<PairReport> Pairs,
                          std::vector<RunCopy> Ran, RunSources More = {}) {
  UnitReport Unit;
  Unit.Source = "app.cu";
  Unit.Pairs = std::move(Pairs);
  More.Files = {"app.cu"};
  addEstimates(Unit, std::nullopt);
  addMeasured(Unit, MeasuredRun{std::move(Ran)}, More);
  return Unit;
}

/// Why the first copy of the first pair is not measured; "" if it is.
static std::string why(const UnitReport &Unit) {
  const llvm::json::Object O = measuredToJson(*Unit.Pairs[0].Measured);
  const llvm::json::Array &Missing = *O.getArray("not_measured");
  return Missing.empty() ? ""
                         : Missing[0].getAsObject()->getString("why")->str();
}

TEST_CASE("a copy is found by its line") {
  const UnitReport Unit = matched({pairOf("h", {copyAt(12)})}, {ranAt(12)});
  const MeasuredCopies &M = *Unit.Pairs[0].Measured;
  CHECK(M.isMeasured());
  CHECK(M.PerIteration == 2);
  CHECK(M.Bytes == 2000);
  CHECK(M.Ns == 5e6);
  CHECK(M.bound() == 1.25);
  CHECK(measuredText(M, "app.cu") ==
        "2 copies an iteration: 1.95 KiB in 5.000 ms; without them the loop is "
        "at most 1.25 times as fast");
}

TEST_CASE("a twin that differs in one thing is not measured") {
  const auto One = [](LinkCopy Copy, RunCopy Ran) {
    return why(matched({pairOf("h", {Copy})}, {Ran}));
  };
  REQUIRE(One(copyAt(12), ranAt(12)).empty());
  CHECK(One(copyAt(12), ranAt(13)) == "not-in-run");
  RunCopy Ran = ranAt(12);
  Ran.Places[0].File = "other.cu";
  CHECK(One(copyAt(12), Ran) == "not-in-run");
  Ran = ranAt(12);
  Ran.Places.clear();
  CHECK(One(copyAt(12), Ran) == "not-in-run");
  Ran = ranAt(12);
  Ran.HostToDevice = false;
  CHECK(One(copyAt(12), Ran) == "differs");
  Ran = ranAt(12);
  Ran.Least = 1;
  CHECK(One(copyAt(12), Ran) == "differs");
  Ran = ranAt(12);
  Ran.Places[0].Function = "run<float>";
  CHECK(One(copyAt(12), Ran) == "template");
  LinkCopy Copy = copyAt(12);
  Copy.Chosen = true;
  CHECK(One(Copy, ranAt(12)) == "other-pair");
  Copy = copyAt(12);
  Copy.Bytes = std::nullopt; // only run time knows it: any size fits
  CHECK(One(Copy, ranAt(12)).empty());
  Copy = copyAt(0);
  CHECK(One(Copy, ranAt(0)) == "not-in-run");
  Copy.Loc = {{"pair.h", 12, 3}, {}};
  Ran = ranAt(12);
  Ran.Places[0].File = "pair.h";
  CHECK(One(Copy, Ran) == "header");
}

TEST_CASE("a line of several copies is of none") {
  CHECK(why(matched({pairOf("h", {copyAt(12)}), pairOf("g", {copyAt(13)})},
                    {ranAt(12), ranAt(13)}))
            .empty());
  CHECK(why(matched({pairOf("h", {copyAt(12)}), pairOf("g", {copyAt(12)})},
                    {ranAt(12)})) == "shared-line");
  CHECK(why(matched({pairOf("h", {copyAt(12), copyAt(12)})}, {ranAt(12)})) ==
        "shared-line");
  CHECK(why(matched({pairOf("h", {copyAt(12)})}, {ranAt(12)},
                    {{}, {{"app.cu", 12, 0}}})) == "shared-line");
  CHECK(why(matched({pairOf("h", {copyAt(12)})}, {ranAt(12)},
                    {{}, {{"app.cu", 13, 0}}}))
            .empty());
  RunCopy Other = ranAt(12);
  CHECK(why(matched({pairOf("h", {copyAt(12)})}, {ranAt(12), Other})).empty());
  Other.Pair = 1;
  CHECK(why(matched({pairOf("h", {copyAt(12)})}, {ranAt(12), Other})) ==
        "several-buffers");
}

TEST_CASE("a copy in a helper is found by the calls that lead to it") {
  CHECK(why(matched({pairOf("h", {copyAt(12, true)})}, {ranAt(12, true)}))
            .empty());
  CHECK(why(matched({pairOf("h", {copyAt(12, true)})}, {ranAt(13, true)})) ==
        "not-in-run");
  CHECK(why(matched({pairOf("h", {copyAt(12, true)})}, {ranAt(12)})) ==
        "not-in-run");
  CHECK(why(matched(
            {pairOf("h", {copyAt(12, true)}), pairOf("g", {copyAt(13, true)})},
            {ranAt(12, true), ranAt(13, true)})) == "shared-line");
  // One pair may use it twice, but not on one line.
  CHECK(why(matched({pairOf("h", {copyAt(12, true), copyAt(13, true)})},
                    {ranAt(12, true), ranAt(13, true)}))
            .empty());
  CHECK(why(matched({pairOf("h", {copyAt(12, true), copyAt(12, true)})},
                    {ranAt(12, true)})) == "shared-line");
}

TEST_CASE("a source that is newer than the program is not believed") {
  const std::string File = __FILE__;
  PairReport Pair = pairOf("h", {copyAt(12)});
  Pair.Links[0].Loc.File = File;
  RunCopy Ran = ranAt(12);
  Ran.Places[0].File = File;
  UnitReport Unit;
  Unit.Pairs = {Pair};
  addMeasured(Unit, MeasuredRun{{Ran}}, {{File}, {}});
  CHECK(why(Unit).empty());
  Ran.BuiltNs = 1;
  addMeasured(Unit, MeasuredRun{{Ran}}, {{File}, {}});
  CHECK(why(Unit) == "changed");
}

TEST_CASE("a bound is that of the copies that are measured") {
  const UnitReport Unit =
      matched({pairOf("h", {copyAt(12), copyAt(20)})}, {ranAt(12)});
  const MeasuredCopies &M = *Unit.Pairs[0].Measured;
  CHECK(M.bound() == 1.25);
  CHECK(measuredText(M, "app.cu") ==
        "2 copies an iteration: 1.95 KiB in 5.000 ms; without them the loop is "
        "at most 1.25 times as fast; 1 of 2 copies not measured (no copy there "
        "in the loop of the run: 20:3)");
  MeasuredCopies All = M;
  All.Missing.clear();
  All.Fraction = 1;
  All.PerIteration = 0.5;
  CHECK_FALSE(All.bound());
  CHECK(measuredText(All, "") == "0.5 copies an iteration: 1.95 KiB in 5.000 "
                                 "ms; they take all of the loop");
  All.PerIteration = 1234;
  CHECK_THAT(measuredText(All, ""), Catch::StartsWith("1234 copies an "));
}

TEST_CASE("text and JSON of what was measured are read back") {
  const UnitReport Unit = matched(
      {pairOf("h", {copyAt(12), copyAt(20), copyAt(21)}), pairOf("g", {})},
      {ranAt(12)});
  const MeasuredCopies &M = *Unit.Pairs[0].Measured;
  const llvm::json::Object Json = reportToJson(Unit);
  const auto Back = measuredOf(*(*Json.getArray("pairs"))[0].getAsObject());
  REQUIRE(Back);
  CHECK(measuredText(*Back, "app.cu") == measuredText(M, "app.cu"));
  const auto Text = measuredFromText(measuredText(M, "app.cu"));
  REQUIRE(Text);
  CHECK(Text->isMeasured());
  CHECK(Text->Ns == 5e6);
  const auto None = measuredFromText("not measured (of another pair: 1:2)");
  REQUIRE(None);
  CHECK_FALSE(None->isMeasured());
  for (const char *Bad : {"", "2 copies", "2 copies an iteration: 3 B in 4 h; ",
                          "2 copies an iteration: 3 XB in 4 s; "})
    CHECK_FALSE(measuredFromText(Bad));
}

TEST_CASE("measured pairs come first, the dearest before the others") {
  RunCopy Dear = ranAt(12);
  Dear.Ns = 9e6;
  LinkCopy Large = copyAt(40);
  Large.Bytes = 1 << 30;
  const UnitReport Unit =
      matched({pairOf("large", {Large}), pairOf("cheap", {copyAt(13)}),
               pairOf("none", {copyAt(30)}), pairOf("dear", {copyAt(12)})},
              {ranAt(13), Dear});
  llvm::json::Array Units;
  Units.push_back(reportToJson(Unit));
  const MendFirst ByJson = mendFirst(Units);
  std::string Printed;
  llvm::raw_string_ostream OS(Printed);
  printReport(Unit, OS);
  const MendFirst ByText = mendFirst({{"app.cu", Printed}});
  for (const MendFirst *First : {&ByJson, &ByText}) {
    CHECK(First->Measured == 2);
    CHECK(First->By == MendOrder::Bytes);
    CHECK(headingOf(*First) ==
          "what to mend first, of pairs that stay two buffers, by the measured "
          "time of an iteration, then those not measured, by bytes, as rates "
          "of copies are not known (--estimate=FILE)");
  }
  std::string Order;
  for (const MendEntry &E : ByText.Pairs)
    Order += E.Buffers + "; ";
  CHECK(Order == "app.cu:40:14 dear + app.cu:41:3 d; app.cu:40:14 cheap + "
                 "app.cu:41:3 d; app.cu:40:14 large + app.cu:41:3 d; "
                 "app.cu:40:14 none + app.cu:41:3 d; ");
  CHECK(ByText.Pairs[0].Text ==
        "2 copies an iteration: 1.95 KiB in 9.000 ms; without them the loop is "
        "at most 1.25 times as fast");
  CHECK(ByText.Pairs[2].Text == "1.00 GiB per run of each copy");
  const llvm::json::Object Json = mendToJson(ByJson);
  CHECK(Json.getString("by") == llvm::StringRef("measured"));
  CHECK(Json.getString("others_by") == llvm::StringRef("bytes"));
  const llvm::json::Object &First =
      *Json.getArray("pairs")->front().getAsObject();
  CHECK(First.getInteger("pair") == 3);
  CHECK(First.getNumber("ns_per_iteration") == 9e6);
}
