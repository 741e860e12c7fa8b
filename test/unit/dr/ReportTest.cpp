//===- ReportTest.cpp - The forms of a report -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms hold the pairs; JSON is JSON, the page needs nothing from
// elsewhere, and no text of a trace can break either.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "lib/Dr/Report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace echo::drtool;
using namespace echo::dr;

static constexpr uint64_t N = 1 << 20, H = 0x10000000, D = 0x70000000;

static std::vector<Trace> traces() {
  TraceText T;
  strcpy(T.header().Executable, "/bin/<b>\"app\"&\xff");
  T.add(Record::Module, {.A = 5}).text("/lib/<i>.so");
  T.add(Record::Frame, {.Site = 1, .A = 5, .B = 0x10, .Bytes = 0});
  T.hostAlloc(H, N, 1).deviceAlloc(D, 4 * N, 2);
  for (int I = 0; I < 5; ++I) {
    T.add(Record::Mark, {.Flags = 1}).text("frame </script>");
    T.copy(CopyH2D, D + N, H, N, 3, 0, 1000);
    T.launch();
    T.add(Record::SyncDevice);
    T.add(Record::Mark, {.Flags = 2}).text("frame");
  }
  return {T.trace()};
}

static bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST_CASE("a report as text") {
  const std::vector<Trace> T = traces();
  const std::string Text = reportText(analyze(T), T);
  CHECK(has(Text, "loop: 5 beats"));
  CHECK(has(Text, "1 MiB  h: malloc at <i>.so+0x10"));
  CHECK(has(Text, "d: a part of a cudaMalloc block"));
  CHECK(has(Text, "H2D 1 MiB x 5"));
  CHECK(has(Text, "open: pinned-split"));
  CHECK(has(Text, "stays two buffers: the device buffer is a part of"));
  CHECK(reportText(analyze({}), {}) == "no traces: nothing was recorded\n");
}

TEST_CASE("a report as JSON") {
  const std::vector<Trace> T = traces();
  const auto J = nlohmann::json::parse(reportJson(analyze(T), T));
  CHECK(J["loop"]["beats"] == 5);
  REQUIRE(J["pairs"].size() == 1);
  CHECK(J["pairs"][0]["bytes"] == N);
  CHECK(J["pairs"][0]["copies"][0]["count"] == 5);
  CHECK(J["pairs"][0]["obstacles"][0] == "device-part");
  CHECK(nlohmann::json::parse(reportJson(analyze({}), {}))["pairs"].empty());
}

TEST_CASE("a report as a page") {
  const std::vector<Trace> T = traces();
  const std::string Page = reportHtml(analyze(T), T);
  CHECK(has(Page, "&lt;i&gt;.so+0x10"));
  CHECK(has(Page, "/bin/&lt;b&gt;&quot;app&quot;&amp;"));
  CHECK(has(Page, "<title>H2D "));
  CHECK_FALSE(has(Page, "<i>"));
  CHECK_FALSE(has(Page, "<b>\""));
  for (const char *Elsewhere :
       {"http:", "https:", "src=", "<script", "@import"})
    CHECK_FALSE(has(Page, Elsewhere));
  CHECK(has(reportHtml(analyze({}), {}), "nothing was recorded"));
}

TEST_CASE("a trace for viewers") {
  const auto J = nlohmann::json::parse(perfettoJson(traces()));
  size_t Copies = 0, Begins = 0, Ends = 0;
  for (const auto &E : J["traceEvents"]) {
    Copies += E["name"] == "H2D";
    Begins += E["ph"] == "B";
    Ends += E["ph"] == "E";
  }
  CHECK(Copies == 5);
  CHECK(Begins == 5);
  CHECK(Ends == 5);
}
