//===- ReportTest.cpp - The forms of a report -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms hold the pairs; JSON is JSON, the page needs nothing from
// elsewhere, and no text of a trace can break either.
//
//===----------------------------------------------------------------------===//
#include "TraceText.h"

#include "Profile/Report.h"
#include "Profile/Streams.h"
#include "Profile/Symbols.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace echo::drtool;
using namespace echo::dr;

static constexpr uint64_t Bytes = 1 << 20, HostAt = 0x10000000,
                          DeviceAt = 0x70000000;

static std::vector<Trace> traces() {
  TraceText T;
  strcpy(T.header().Executable, "/bin/<b>\"app\"&\xff");
  T.add(Record::Module, {.A = 5}).text("/lib/<i>.so");
  T.add(Record::Frame, {.Site = 1, .A = 5, .B = 0x10, .Bytes = 0});
  T.hostAlloc(HostAt, Bytes, 1).deviceAlloc(DeviceAt, 4 * Bytes, 2);
  for (int I = 0; I < 5; ++I) {
    T.add(Record::Mark, {.Flags = 1}).text("frame </script>");
    T.copy(CopyH2D, DeviceAt + Bytes, HostAt, Bytes, 3, 0, 1000);
    T.launch();
    T.add(Record::SyncDevice);
    T.add(Record::Mark, {.Flags = 2}).text("frame");
  }
  return {T.trace()};
}

/// A library that launches a kernel in a stream of its own, once with a name
/// and once without, and a graph of the program's.
static std::vector<Trace> streams() {
  constexpr uint64_t S = 0x5000;
  TraceText T;
  T.add(Record::Module, {.A = 5}).text("/lib/libown.so.9");
  T.add(Record::Module, {.A = 6}).text("/lib/libcudart.so.13");
  T.add(Record::Frame, {.Site = 1, .A = 6, .B = 0x10, .Bytes = 0});
  T.add(Record::Frame, {.Site = 1, .A = 5, .B = 0x20, .Bytes = 1});
  T.add(Record::Frame, {.Site = 2, .A = 0xe, .B = 0x30, .Bytes = 0});
  T.add(Record::Kernel, {.A = 0x77})
      .text("_ZN2ns6kernelILi3EEEvPKfPf"); // void ns::kernel<3>(float const*...
  T.hostAlloc(HostAt, Bytes, 1).deviceAlloc(DeviceAt, Bytes, 2);
  T.add(Record::StreamCreate, {.Flags = 1, .Site = 1, .Stream = S});
  for (int I = 0; I < 5; ++I) {
    T.copy(CopyH2D, DeviceAt, HostAt, Bytes, 3, 0, 1000);
    T.add(Record::Launch, {.A = 0x77, .B = 5, .Stream = S});
    T.add(Record::Launch, {.A = 0x78, .B = 5, .Stream = S});
    T.add(Record::Launch, {.Flags = LaunchGraph, .A = 0x77, .Stream = 2});
    T.add(Record::SyncStream, {.Stream = S});
  }
  // The handle is given out again, now to the program.
  T.add(Record::StreamDestroy, {.Stream = S});
  T.add(Record::StreamCreate, {.Flags = 0, .Site = 2, .Stream = S});
  T.launch(S);
  T.add(Record::StreamDestroy, {.Stream = S});
  T.launch(S);
  return {T.trace()};
}

static bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST_CASE("a report as text") {
  const std::vector<Trace> T = traces();
  const std::string Text = reportText(analyze(T), T);
  CHECK(has(Text, "loop: 5 iterations"));
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
  CHECK(J["loop"]["iterations"] == 5);
  REQUIRE(J["pairs"].size() == 1);
  CHECK(J["pairs"][0]["bytes"] == Bytes);
  const auto &Copy = J["pairs"][0]["copies"][0];
  CHECK(Copy["count"] == 5);
  CHECK(Copy["places"].empty()); // the file is gone
  CHECK(Copy["built_ns"] == 0);
  CHECK(Copy["worth"]["copies_per_iteration"] == 1);
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
  CHECK(Copies == 10); // in the track of the thread, and of the stream
  CHECK(Begins == 5);
  CHECK(Ends == 5);
}

TEST_CASE("streams are told by who made them, not by their handles") {
  const std::vector<Trace> T = streams();
  const StreamHistory H = followStreams(T[0]);
  std::vector<std::string> Names;
  for (size_t I = 0; I < H.Streams.size(); ++I)
    Names.push_back(streamText(T[0], H, I));
  CHECK(Names ==
        std::vector<std::string>{"default stream", "stream 1 of libown.so.9",
                                 "default stream of thread 1", "stream 3",
                                 "stream 4, made where Echo did not see it"});
  CHECK(H.Streams[2].isBlocking());
  CHECK(H.Streams[3].isBlocking());
  CHECK_FALSE(H.Streams[1].isBlocking());
  CHECK_FALSE(H.Streams[4].isBlocking());
}

TEST_CASE("streams and kernels as JSON") {
  const std::vector<Trace> T = streams();
  const auto J = nlohmann::json::parse(reportJson(analyze(T), T));
  REQUIRE(J["streams"].size() == 5);
  const auto &Own = J["streams"][1];
  CHECK(Own["name"] == "stream 1 of libown.so.9");
  CHECK(Own["library"] == "libown.so.9");
  CHECK(Own["work"] == 10);
  REQUIRE(Own["kernels"].size() == 2);
  CHECK(Own["kernels"][0]["name"] ==
        "void ns::kernel<3>(float const*, float*)");
  CHECK(Own["kernels"][0]["module"] == "libown.so.9");
  CHECK(Own["kernels"][0]["launches"] == 5);
  CHECK(Own["kernels"][1]["name"] == "");
}

TEST_CASE("streams and kernels in a page") {
  const std::vector<Trace> T = streams();
  const std::string Page = reportHtml(analyze(T), T);
  CHECK(has(Page, ">stream 1 of libown.so.9</text>"));
  CHECK(has(Page, ">thread 1</text>"));
  CHECK(has(Page, "<title>launch ns::kernel&lt;3&gt;, "));
  CHECK(has(Page, "<td>void ns::kernel&lt;3&gt;(float const*, float*)</td>"
                  "<td>5</td><td>stream 1 of libown.so.9</td>"
                  "<td>libown.so.9</td>"));
  CHECK(has(Page, "<td>0x78</td>"));
  CHECK(has(Page, "<td>a graph</td>"));
}

TEST_CASE("streams and kernels for viewers") {
  const auto J = nlohmann::json::parse(perfettoJson(streams()));
  std::map<uint64_t, std::string> Tracks;
  std::map<std::string, int> Launches;
  for (const auto &E : J["traceEvents"])
    if (E["name"] == "thread_name")
      Tracks[E["tid"]] = E["args"]["name"];
  for (const auto &E : J["traceEvents"])
    if (E["name"] == "ns::kernel<3>") {
      ++Launches[Tracks[E["tid"]]];
      CHECK(E["args"]["module"] == "libown.so.9");
      CHECK(E["args"]["kernel"] == "void ns::kernel<3>(float const*, float*)");
    }
  CHECK(Launches == std::map<std::string, int>{{"thread 1", 5},
                                               {"stream 1 of libown.so.9", 5}});
}

TEST_CASE("calls of several threads do not overlap in a stream's track") {
  TraceText T;
  T.launch(); // a file of records has a beginning
  for (uint16_t Thread : {1, 2})
    T.put({.Kind = uint8_t(Record::Launch),
           .Thread = Thread,
           .Begin = 10000u + 1000u * Thread,
           .End = 20000,
           .Stream = 0});
  const auto J = nlohmann::json::parse(perfettoJson({T.trace()}));
  std::vector<double> Took;
  for (const auto &E : J["traceEvents"])
    if (E.contains("cat") && E["ts"] >= 10)
      Took.push_back(E["dur"]);
  CHECK(Took == std::vector<double>{1, 8});
}

TEST_CASE("short names of kernels") {
  CHECK(shortName("void a::b<(E)2, float>(int, float*)") ==
        "a::b<(E)2, float>");
  CHECK(shortName("kernel(int)") == "kernel");
  CHECK(shortName("sgemm_128") == "sgemm_128");
  CHECK(shortName("(anonymous namespace)::k(int)") ==
        "(anonymous namespace)::k");
  CHECK(shortName("void s::operator()(int) const") ==
        "s::operator()(int) const");
}
