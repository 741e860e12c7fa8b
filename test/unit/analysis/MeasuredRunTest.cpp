//===- MeasuredRunTest.cpp - Reports of a profiled run, and others --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read of `echo-run report --json`, and each way in which a file is
// refused.
//
//===----------------------------------------------------------------------===//
#include "Report/MeasuredRun.h"
#include <catch2/catch.hpp>

using namespace echo;

static const std::string Place =
    R"({"file": "/src/app.cu", "line": 12, "function": "main"})";
static const std::string Worth =
    R"({"copies_per_iteration": 2.0, "bytes_per_iteration": 8e6,)"
    R"( "ns_per_iteration": 1500.5, "loop_fraction": 0.25,)"
    R"( "speedup_bound": 1.33})";

static std::string copyOf(const std::string &Places, const std::string &Worth) {
  return R"({"site": "1", "places": [)" + Places +
         R"(], "built_ns": 1700000000000000000, "direction": "D2H",)"
         R"( "least_bytes": 7, "most_bytes": 4000000, "worth": )" +
         Worth + "}";
}

static std::string runOf(const std::string &Pairs,
                         const std::string &Version = ECHO_VERSION) {
  return R"({"echo": ")" + Version + R"(", "processes": [], "pairs": [)" +
         Pairs + "]}";
}

static std::string pairOf(const std::string &Copies) {
  return R"({"copies": [)" + Copies + "]}";
}

static const std::string Good =
    runOf(pairOf("") + ", " + pairOf(copyOf(Place + ", " + Place, Worth)));

static std::string failure(const std::string &Text) {
  auto Run = parseMeasuredRun(Text, "run.json");
  return Run ? "" : llvm::toString(Run.takeError());
}

TEST_CASE("a report of a run is read") {
  const MeasuredRun Run = llvm::cantFail(parseMeasuredRun(Good, "run.json"));
  REQUIRE(Run.Copies.size() == 1);
  const RunCopy &Copy = Run.Copies[0];
  CHECK(Copy.Pair == 1);
  REQUIRE(Copy.Places.size() == 2);
  CHECK(Copy.Places[0].File == "/src/app.cu");
  CHECK(Copy.Places[0].Line == 12);
  CHECK(Copy.Places[0].Function == "main");
  CHECK(Copy.BuiltNs == 1700000000000000000);
  CHECK_FALSE(Copy.HostToDevice);
  CHECK(Copy.Least == 7);
  CHECK(Copy.Most == 4000000);
  CHECK(Copy.Copies == 2);
  CHECK(Copy.Bytes == 8e6);
  CHECK(Copy.Ns == 1500.5);
  CHECK(Copy.Fraction == 0.25);
  CHECK(looksLikeRun(Good));
}

TEST_CASE("a file that is no report of a run is refused") {
  const std::string Kept = R"({"echo": "0", "units": []})";
  auto [Text, Expected] = GENERATE_COPY(table<std::string, std::string>({
      {"", "'run.json' is no report of a run: "},
      {"copy H2D 1 1\n", "'run.json' is no report of a run: "},
      {Good.substr(0, Good.size() - 1), "'run.json' is no report of a run: "},
      {"[]", "'run.json' is no report of a run; 'echo-run profile"},
      {"{}", "'run.json' is no report of a run; 'echo-run profile"},
      {Kept, "'run.json' is a report of echo-cc, not of a run; 'echo-run"},
      {runOf(pairOf(""), "0.0.1"),
       "'run.json' was written by echo-run 0.0.1, and this is echo-cc"},
      {runOf(""), "'run.json' has no pairs: no copies recurred in that run; "},
      {runOf(pairOf(copyOf("", Worth))),
       "'run.json' has no source line of any copy: compile the program with "
       "-g and -cudart shared, and measure it again; 'echo-run profile"},
      {runOf(pairOf("")), "'run.json' has no source line of any copy"},
  }));
  INFO(Text);
  CHECK_THAT(failure(Text), Catch::StartsWith(Expected));
  CHECK_THAT(failure(Text),
             Catch::EndsWith("; 'echo-run profile -- PROGRAM', then 'echo-run "
                             "report --json > FILE' measures a run"));
}

TEST_CASE("each key of a copy must be there, and of its type") {
  const std::string Copy = copyOf(Place, Worth);
  REQUIRE(failure(runOf(pairOf(Copy))).empty());
  for (const char *Key :
       {"copies", "places", "file", "line", "function", "built_ns", "direction",
        "least_bytes", "most_bytes", "worth", "copies_per_iteration",
        "bytes_per_iteration", "ns_per_iteration", "loop_fraction"}) {
    INFO(Key);
    std::string Text = runOf(pairOf(Copy));
    Text.replace(Text.find('"' + std::string(Key) + '"') + 1, 1, "X");
    CHECK_THAT(failure(Text), Catch::StartsWith("'run.json' cannot be read: "));
  }
  const std::pair<const char *, const char *> Changes[] = {
      {"D2H", "D2D"},  {"12", "-1"},        {": 7", ": -7"}, {": 7", ": []"},
      {"2.0", "-2.0"}, {"1500.5", "\"x\""}, {"0.25", "1.5"}, {"8e6", "1e999"}};
  for (const auto &[From, To] : Changes) {
    INFO(To);
    std::string Text = runOf(pairOf(Copy));
    Text.replace(Text.find(From), std::string(From).size(), To);
    CHECK_FALSE(failure(Text).empty());
  }
  CHECK_THAT(failure(runOf(pairOf("1"))),
             Catch::Contains("expected object at report.pairs[0].copies[0]"));
}

TEST_CASE("a missing file says how to measure") {
  auto Run = readMeasuredRun("/nowhere/run.json");
  CHECK_THAT(llvm::toString(Run.takeError()),
             Catch::StartsWith("cannot read a measured run from "
                               "'/nowhere/run.json': "));
}
