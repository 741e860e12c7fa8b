//===- WorthTest.cpp - What it would bring to mend a pair -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic, with times that are exact, and the order of what to mend.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/Report.h"
#include "Profile/Worth.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace echo::drtool;
using namespace echo::dr;

static constexpr uint64_t Size = 1 << 20;

/// A loop whose iterations upload 1 MiB of a pair that can merge, then of two
/// pairs whose device buffer is a part of a block; the second of these twice.
static Analysis analysis(std::vector<Trace> &Traces) {
  constexpr uint64_t H = 0x10000000, D = 0x70000000, Far = 0x10000000;
  TraceText T;
  T.hostAlloc(H, Size, 1).deviceAlloc(D, Size, 2);
  T.hostAlloc(H + Far, Size, 11).deviceAlloc(D + Far, 4 * Size, 12);
  T.hostAlloc(H + 2 * Far, 2 * Size, 21).deviceAlloc(D + 2 * Far, 8 * Size, 22);
  for (int I = 0; I < 6; ++I) {
    T.copy(CopyH2D, D, H, Size, 3, 0, 4000);
    T.copy(CopyH2D, D + Far + Size, H + Far, Size, 13, 0, 1000);
    T.copy(CopyH2D, D + 2 * Far + Size, H + 2 * Far, 2 * Size, 23, 0, 500);
    T.copy(CopyH2D, D + 2 * Far + Size, H + 2 * Far, 2 * Size, 24, 0, 1500);
    T.launch();
    T.add(Record::SyncDevice);
  }
  Traces = {T.trace()};
  return analyze(Traces);
}

TEST_CASE("the bound of a pair is Amdahl's") {
  CHECK(*Worth{.Fraction = 0}.bound() == 1);
  CHECK(*Worth{.Fraction = 0.5}.bound() == 2);
  CHECK(*Worth{.Fraction = 0.75}.bound() == 4);
  CHECK_FALSE(Worth{.Fraction = 1}.bound());
  CHECK(worthText({.Bytes = double(4 * Size), .Ns = 2e6, .Fraction = 0.2}) ==
        "4 MiB in 2.000 ms an iteration; without them: at most 1.25 times as "
        "fast");
  CHECK(worthText({.Bytes = 512, .Ns = 1e3, .Fraction = 1}) ==
        "512 B in 1.0 us an iteration; without them: no bound, they take all "
        "of it");
}

TEST_CASE("bytes and times are those of one iteration") {
  std::vector<Trace> Traces;
  const Analysis A = analysis(Traces);
  REQUIRE(A.Pairs.size() == 3);
  const Worth First = worthOf(A, A.Pairs[0]);
  CHECK(First.Bytes == double(Size));
  CHECK(First.Ns == 4000);
  CHECK(First.Fraction == Approx(4000 / A.Iterations.period()));
  const Worth Second = worthOf(A, A.Pairs[1]); // two copies of 2 MiB
  CHECK(Second.Bytes == double(4 * Size));
  CHECK(Second.Ns == 2000);
  CHECK(Second.Copies == 2);
  const Worth One = worthOf(A, A.Pairs[1].Copies[1]); // the second of these
  CHECK(One.Bytes == double(2 * Size));
  CHECK(One.Ns == 1500);
  CHECK(One.Copies == 1);
  CHECK(One.Fraction == Approx(0.75 * Second.Fraction));
  const Worth All = worthOfAll(A);
  CHECK(All.Bytes == double(6 * Size));
  CHECK(All.Ns == 7000);
  CHECK(All.Copies == 4);
  CHECK(All.Fraction == Approx(A.CopyFraction));
  CHECK(*All.bound() > *First.bound());
  CHECK(worthOf(Analysis(), A.Pairs[0]).Ns == 0); // no loop
}

TEST_CASE("of pairs that stay two buffers the dearest comes first") {
  std::vector<Trace> Traces;
  Analysis A = analysis(Traces);
  CHECK(mendFirst(A) == std::vector<size_t>{1, 2}); // 0 can merge
  std::swap(A.Pairs[1], A.Pairs[2]);
  CHECK(mendFirst(A) == std::vector<size_t>{2, 1});
  std::swap(A.Pairs[1], A.Pairs[2]);
  const std::vector<std::string> Lines = mendTexts(A);
  REQUIRE(Lines.size() == 2);
  CHECK(Lines[0].starts_with("pair 2: 4 MiB in 2.0 us an iteration; without "
                             "them: at most "));
  CHECK(Lines[0].find("; stays two buffers: ") != std::string::npos);
  CHECK(Lines[1].starts_with("pair 3: 1 MiB in 1.0 us"));
}

TEST_CASE("each form of a report has what mending brings") {
  std::vector<Trace> Traces;
  const Analysis A = analysis(Traces);
  const std::string Text = reportText(A, Traces);
  const size_t At = Text.find("what to mend first");
  REQUIRE(At != std::string::npos);
  CHECK(Text.find("  1. pair 2: 4 MiB", At) != std::string::npos);
  CHECK(Text.find("  2. pair 3: 1 MiB", At) != std::string::npos);
  CHECK(Text.find("all pairs: 6 MiB in 7.0 us an iteration") < At);
  CHECK(Text.find("     1 MiB in 4.0 us an iteration") < At);
  const auto J = nlohmann::json::parse(reportJson(A, Traces));
  CHECK(J["mend_first"] == nlohmann::json({1, 2}));
  CHECK(J["pairs"][1]["worth"]["bytes_per_iteration"] == 4 * Size);
  CHECK(J["pairs"][1]["worth"]["ns_per_iteration"] == 2000);
  CHECK(J["pairs"][0]["worth"]["speedup_bound"] > 1);
  CHECK(J["all_pairs"]["ns_per_iteration"] == 7000);
  const std::string Page = reportHtml(A, Traces);
  CHECK(Page.find("<li>pair 2: 4 MiB in") < Page.find("<li>pair 3: 1 MiB in"));
  CHECK(Page.find("<td>1 MiB in 4.0 us an iteration") != std::string::npos);
}
