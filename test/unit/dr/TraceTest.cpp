//===- TraceTest.cpp - Traces are read whatever they are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trace reads back as written; one that ends anywhere, or is damaged
// anywhere, is read as far as it goes.
//
//===----------------------------------------------------------------------===//
#include "Profile/Streams.h"
#include "TraceText.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <unistd.h>

using namespace echo::drtool;
using echo::dr::Record;

static TraceText example() {
  TraceText T;
  T.add(Record::Module, {.A = 5})
      .text("/usr/lib/a-rather-long-name-that-takes"
            "-more-than-one-record/libapp.so");
  T.add(Record::Frame, {.Site = 7, .A = 5, .B = 0x1234, .Bytes = 0});
  T.add(Record::Frame, {.Site = 7, .A = 6, .B = 0x10, .Bytes = 1});
  T.hostAlloc(0x1000, 1 << 20, 7);
  T.Thread = 2;
  T.add(Record::Mark, {.Flags = 1}).text("frame");
  T.Thread = 1;
  T.copy(echo::dr::CopyH2D, 0x9000, 0x1000, 1 << 20, 8);
  T.add(Record::Variable).text("OMP_NUM_THREADS");
  T.add(Record::File, {.Flags = echo::dr::FileRead})
      .text("/home/somebody/data/with-a-long-name/that-takes-two/input.txt");
  T.add(Record::File, {.Flags = echo::dr::FileWritten}).text("/out");
  T.add(Record::File, {.Flags = echo::dr::FileRead}).text("/out");
  T.add(Record::ProcessVariable, {.A = 0x77}).text("RANK");
  T.add(Record::Process, {.Flags = echo::dr::ProcessHasPipe,
                          .Site = 4,
                          .A = 1,
                          .B = 2,
                          .Bytes = ~uint64_t(0),
                          .Stream = 5});
  T.add(Record::File, {.Flags = echo::dr::FileStated}).text("/asked");
  T.add(Record::File,
        {.Flags = echo::dr::FileListed, .A = echo::dr::FilePolled})
      .text("/polled");
  T.add(Record::Change).text("/made").add(Record::Change).text("/\xff\x01");
  T.add(Record::Child, {.Flags = echo::dr::ChildForked}).text("fork");
  T.add(Record::Child).text("a shell");
  T.add(Record::Exit);
  return T;
}

/// Parses a copy of exactly these bytes, so that sanitizers see the end.
static std::optional<Trace> parse(std::string_view Bytes, std::string &Why) {
  std::unique_ptr<char[]> Copy(new char[Bytes.size() + !Bytes.size()]);
  std::copy(Bytes.begin(), Bytes.end(), Copy.get());
  return parseTrace({Copy.get(), Bytes.size()}, Why);
}

TEST_CASE("a trace reads back as it was written") {
  const Trace T = example().trace();
  CHECK(T.Pid == 42);
  CHECK(T.Executable == "/bin/app");
  CHECK(T.Device == "GPU");
  CHECK(T.Driver == 13000);
  CHECK(T.Finished);
  CHECK_FALSE(T.Short);
  CHECK(T.Unreadable == 0);
  REQUIRE(T.Events.size() == 4);
  CHECK(T.Events[0].Kind == uint8_t(Record::HostAlloc));
  CHECK(T.Events[1].Kind == uint8_t(Record::Mark));
  CHECK(T.Marks.at(T.Events[1].B) == "frame");
  CHECK(T.Events[2].Bytes == 1 << 20);
  CHECK(T.Variables == std::set<std::string>{"OMP_NUM_THREADS"});
  CHECK(T.Environment == std::map<std::string, uint64_t>{{"RANK", 0x77}});
  REQUIRE(T.Began);
  CHECK(T.Began->Arguments == 1);
  CHECK(T.Began->Folder == 2);
  CHECK(T.Began->Input == ~uint64_t(0));
  CHECK(T.Began->Inherited == 4);
  CHECK(T.Began->Limits == 5);
  CHECK(T.Began->Flags == echo::dr::ProcessHasPipe);
  REQUIRE(T.Files.size() == 3);
  CHECK(T.Files.at("/asked") == echo::dr::FileStated);
  REQUIRE(T.Polled.size() == 1);
  CHECK(T.Polled.at("/polled") == echo::dr::FileListed);
  CHECK(T.Forks == 1);
  CHECK(T.Starts == std::set<std::string>{"a shell"});
  CHECK(T.Files.at("/home/somebody/data/with-a-long-name/that-takes-two/"
                   "input.txt") == echo::dr::FileRead);
  CHECK(T.Files.at("/out") == (echo::dr::FileRead | echo::dr::FileWritten));
  CHECK(T.Changed == std::set<std::string>{"/made", "/\xff\x01"});
  CHECK_FALSE(T.MoreFiles);
  CHECK(example().add(Record::File).trace().MoreFiles);
  CHECK(T.frameText(7, 0) == "libapp.so+0x1234");
  CHECK(T.frameText(7, 1) == "0000000000000006+0x10");
  CHECK(T.frameText(7, 2) == "");
  CHECK(T.frameText(8, 0) == "");
}

/// The times of launches, in order, with how many each stands for.
static std::vector<std::pair<uint64_t, uint64_t>> launches(const TraceText &T) {
  std::vector<std::pair<uint64_t, uint64_t>> Out;
  for (const auto &R : TraceText(T).trace().Events)
    if (R.Kind == uint8_t(Record::Launch))
      Out.push_back({R.Begin, callsOf(R)});
  return Out;
}

TEST_CASE("one record of several launches is the first ones and a late last") {
  TraceText T;
  T.add(Record::Launch, {.A = 7, .Bytes = 4});
  const uint64_t First = T.Now - 10;
  CHECK(launches(T) == std::vector<std::pair<uint64_t, uint64_t>>{
                           {First, 4}, {First + 10, 1}});
  // Another thread's wait may have begun before the last one.
  T.Thread = 2;
  T.add(Record::SyncDevice);
  T.Thread = 1;
  T.add(Record::SyncDevice);
  const uint64_t Wait = T.Now - 10;
  CHECK(launches(T) ==
        std::vector<std::pair<uint64_t, uint64_t>>{{First, 4}, {Wait, 1}});
  // A call around the launches does not end them.
  T.put({.Kind = uint8_t(Record::Launch),
         .Thread = 3,
         .Begin = First,
         .End = First,
         .Bytes = 1});
  T.put({.Kind = uint8_t(Record::Copy),
         .Thread = 3,
         .Begin = First - 5,
         .End = Wait + 50});
  T.put({.Kind = uint8_t(Record::SyncDevice),
         .Thread = 3,
         .Begin = Wait + 60,
         .End = Wait + 70});
  CHECK(launches(T) == std::vector<std::pair<uint64_t, uint64_t>>{
                           {First, 4}, {First, 1}, {Wait, 1}, {Wait + 60, 1}});
}

TEST_CASE("a trace that ends at any byte is read so far") {
  const std::string Bytes = example().bytes();
  const size_t Last = echo::dr::TraceHeaderBytes + 33 * 64;
  std::string Why;
  size_t Before = 0;
  for (size_t Size = 0; Size < Last; ++Size) {
    std::optional<Trace> T =
        parse(std::string_view(Bytes).substr(0, Size), Why);
    REQUIRE(T.has_value() == (Size >= sizeof(echo::dr::TraceHeader)));
    if (!T)
      continue;
    REQUIRE(T->Events.size() >= Before);
    Before = T->Events.size();
    if (Size < echo::dr::TraceHeaderBytes + 64)
      REQUIRE((T->Short && T->Events.empty()));
  }
  CHECK(Before == 3); // the mark is another thread's, in the second chunk
}

TEST_CASE("damaged traces never crash the reader") {
  const std::string Bytes = example().bytes();
  std::mt19937 Random(3);
  for (int I = 0; I < 2000; ++I) {
    std::string Bad = Bytes.substr(0, echo::dr::TraceHeaderBytes + 30 * 64);
    for (int Edits = 1 + int(Random() % 8); Edits; --Edits) {
      size_t At = Random() % (I % 2 ? 512 : Bad.size());
      if (At >= 8) // the magic is tested below
        Bad[At] = static_cast<char>(Random());
    }
    std::string Why;
    std::optional<Trace> T = parse(Bad, Why);
    CHECK(T.has_value() == Why.empty());
    if (T)
      for (const auto &E : T->Events)
        CHECK(E.Begin <= E.End);
  }
}

TEST_CASE("what is no trace is refused with a reason") {
  std::string Why;
  CHECK_FALSE(parse("", Why));
  CHECK(Why == "it ends within its header");
  CHECK_FALSE(parse(std::string(5000, 'x'), Why));
  CHECK(Why == "it is no trace of Echo");
  TraceText T;
  T.header().Version = 2;
  CHECK_FALSE(parse(T.bytes(), Why));
  CHECK(Why == "its format is version 2, not 1");
  T.header().Version = 1;
  T.header().RecordBytes = 32;
  CHECK_FALSE(parse(T.bytes(), Why));
  CHECK(Why == "its header is damaged");
}

TEST_CASE("records of unknown kinds or sizes are counted and left out") {
  TraceText T;
  T.hostAlloc(1, 2, 3);
  T.add(static_cast<Record>(200));
  T.text("nobody's");
  T.hostFree(1);
  T.hostAlloc(1, uint64_t(1) << 53, 3);
  T.hostAlloc(1, (uint64_t(1) << 53) + 1, 3); // more than a plan can say
  const Trace Read = T.trace();
  CHECK(Read.Events.size() == 3);
  CHECK(Read.Unreadable == 3);
}

TEST_CASE("a folder of traces") {
  namespace fs = std::filesystem;
  const fs::path Folder =
      fs::temp_directory_path() / ("echo-trace-" + std::to_string(getpid()));
  fs::create_directories(Folder);
  std::ofstream(Folder / "trace.42.echo", std::ios::binary)
      << example().bytes();
  std::ofstream(Folder / "trace.43.echo") << "torn";
  std::ofstream(Folder / "other.txt") << "not looked at";
  std::vector<std::string> Problems;
  const std::vector<Trace> Traces = readTraces(Folder.string(), Problems);
  REQUIRE(Traces.size() == 1);
  CHECK(Traces[0].Events.size() == 4);
  REQUIRE(Problems.size() == 1);
  CHECK(Problems[0].find("it ends within its header") != std::string::npos);
  fs::remove_all(Folder);
  CHECK(readTraces(Folder.string(), Problems).empty());
  CHECK(Problems.size() == 2);
}
