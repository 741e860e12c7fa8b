//===- ReportTest.cpp - Text and JSON forms of reports --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares both forms with the documented format, character by character.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "Report/ReportText.h"
#include "ReportExample.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <set>

using namespace echo;

static std::string printed(const UnitReport &Unit) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printReport(Unit, OS);
  return Text;
}

static std::set<std::string> keys(const llvm::json::Object &O) {
  std::set<std::string> Keys;
  for (const auto &Entry : O)
    Keys.insert(llvm::StringRef(Entry.first).str());
  return Keys;
}

TEST_CASE("the text form is the documented one") {
  CHECK(printed(exampleUnit()) ==
        "app.cu:12:20 hx + app.cu:14:3 dx   4.00 MiB   unified    2 copies "
        "removed (20:3 H2D, 24:3 D2H), 1 wait kept at 24:3\n"
        "app.cu:13:20 hy + app.cu:15:3 dy   n*4 B      guarded    1 copy "
        "removed (21:3 H2D)\n"
        "app.cu:40:14 h  + app.cu:41:3 d    8.00 MiB   declined   S2 "
        "host-read-in-flight\n"
        "    51:9   host reads h\n"
        "    48:3   kernel 'blur' may still be writing d: nothing between 48:3 "
        "and 51:9 waits for it\n"
        "    try    cudaStreamSynchronize(s) before 51:9\n"
        "app.cu:60:5     + app.cu:61:5 t    1.00 KiB   skipped    under 200 "
        "KiB\n"
        "4 pairs: 1 unified, 1 guarded, 1 declined, 1 skipped (under 200 "
        "KiB)\n");
}

TEST_CASE("a unit without candidates says so") {
  UnitReport Unit;
  Unit.Source = "a.cu";
  CHECK(printed(Unit).rfind("0 pairs: ", 0) == 0);
  CHECK(reportToJson(Unit).getArray("pairs")->empty());
}

TEST_CASE("a reason without events prints its summary and its way out") {
  UnitReport Unit;
  PairReport Pair = declinedPair();
  Pair.Because.clear();
  Pair.Suggestion.reset();
  Unit.Pairs = {Pair};
  std::string Text = printed(Unit);
  CHECK(Text.find("    -      the host reads the host buffer while") !=
        std::string::npos);
  CHECK(Text.find("    try    wait for the GPU") != std::string::npos);
}

TEST_CASE("events in another file name it") {
  UnitReport Unit;
  PairReport Pair = declinedPair();
  Pair.Because = {{"host reads h", {{"util.h", 7, 1}, {}}}};
  Unit.Pairs = {Pair};
  CHECK(printed(Unit).find("    util.h:7:1   host reads h\n") !=
        std::string::npos);
}

TEST_CASE("sizes") {
  CHECK(sizeText(512) == "512 B");
  CHECK(sizeText(200 * 1024, true) == "200 KiB");
  CHECK(sizeText(200 * 1024) == "200.00 KiB");
  CHECK(sizeText(1536, true) == "1.50 KiB");
  CHECK(sizeText(uint64_t(3) << 30) == "3.00 GiB");
}

TEST_CASE("JSON has exactly the documented keys") {
  UnitReport Unit = exampleUnit();
  Unit.CopiesKept = {{at(30, 3), "covers a part"}};
  llvm::json::Object O = reportToJson(Unit);
  CHECK(keys(O) == std::set<std::string>{"source", "pairs", "copies_kept"});
  const llvm::json::Object &First = *(*O.getArray("pairs"))[0].getAsObject();
  CHECK(keys(First) == std::set<std::string>{"host", "device", "bytes", "links",
                                             "verdict", "condition", "id",
                                             "because", "suggestion",
                                             "quiescent", "waits"});
  CHECK(keys(*First.getObject("host")) ==
        std::set<std::string>{"name", "file", "line", "column", "function"});
  CHECK(keys(*(*First.getArray("links"))[0].getAsObject()) ==
        std::set<std::string>{"direction", "file", "line", "column", "full"});
  CHECK(keys(*(*First.getArray("waits"))[0].getAsObject()) ==
        std::set<std::string>{"line", "kind"});
  CHECK(keys(*(*O.getArray("copies_kept"))[0].getAsObject()) ==
        std::set<std::string>{"file", "line", "column", "why"});
  CHECK(First.getInteger("bytes") == 4 << 20);
  CHECK(First.getNull("condition"));
  CHECK(First.getBoolean("quiescent") == true);

  const llvm::json::Object &Guarded = *(*O.getArray("pairs"))[1].getAsObject();
  CHECK(Guarded.getNull("bytes"));
  const llvm::json::Object &Declined = *(*O.getArray("pairs"))[2].getAsObject();
  CHECK(*Declined.getString("condition") == "S2");
  CHECK(*Declined.getString("id") == "host-read-in-flight");
  CHECK(keys(*(*Declined.getArray("because"))[0].getAsObject()) ==
        std::set<std::string>{"what", "file", "line", "column"});
  const llvm::json::Object &Skipped = *(*O.getArray("pairs"))[3].getAsObject();
  CHECK(*Skipped.getString("verdict") == "skipped");
  CHECK(Skipped.getNull("condition"));
  CHECK(Skipped.getObject("host")->getNull("name"));
}

TEST_CASE("names that are no UTF-8 are repaired") {
  UnitReport Unit;
  Unit.Source = "a\xff.cu";
  std::string Text =
      llvm::formatv("{0}", llvm::json::Value(reportToJson(Unit)));
  CHECK(llvm::json::isUTF8(Text));
}
