//===- ReportPerfetto.cpp - A trace for ui.perfetto.dev -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each process has a track for each of its threads, with all calls, and one for
// each stream, with the calls that put work into it. Times are those of the
// calls: when the GPU did the work a trace does not say. Where calls of several
// threads overlap in one stream, its track shows each until the next begins.
//
//===----------------------------------------------------------------------===//
#include "Profile/Report.h"
#include "Profile/Streams.h"
#include "Profile/Symbols.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace echo::drtool {

using nlohmann::ordered_json;

namespace {

/// Beyond all numbers of threads: the tracks of streams come after theirs.
constexpr uint64_t FirstStreamTrack = 1 << 20;

class Writer {
  const Trace &T;
  const StreamHistory Streams = followStreams(T);
  Symbols &Names;
  ordered_json &Events;
  std::map<uint64_t, std::string> Places; ///< of sites
  std::map<uint64_t, std::string> Kernels;
  std::set<uint64_t> Threads;
  struct Last {
    size_t Event;
    uint64_t Begin, End;
  };
  std::map<size_t, Last> Lasts; ///< of the streams that are used

  void describe(const char *What, uint64_t Track, ordered_json Arguments) {
    Events.push_back({{"ph", "M"},
                      {"name", What},
                      {"pid", T.Pid},
                      {"tid", Track},
                      {"args", std::move(Arguments)}});
  }

  void mark(const TraceRecord &R) {
    if (R.B >= T.Marks.size())
      return;
    Threads.insert(R.Thread);
    Events.push_back({{"ph", R.Flags == 1   ? "B"
                             : R.Flags == 2 ? "E"
                                            : "i"},
                      {"name", T.Marks[R.B]},
                      {"pid", T.Pid},
                      {"tid", R.Thread},
                      {"ts", double(R.Begin) / 1e3}});
  }

  const std::string &placeOf(uint64_t Site) {
    auto [It, IsNew] = Places.insert({Site, ""});
    if (IsNew)
      It->second = Names.frame(T, Site, 0);
    return It->second;
  }

  /// The whole name of a launch's kernel; "" if it is not known.
  const std::string &kernelOf(const TraceRecord &R) {
    auto [It, IsNew] = Kernels.insert({R.A, ""});
    if (IsNew)
      It->second = Names.kernel(T, R.A);
    return It->second;
  }

  ordered_json argumentsOf(const TraceRecord &R, size_t Stream) {
    ordered_json Out = {{"stream", fmt::format("{:#x}", R.Stream)}};
    if (Stream != StreamHistory::Nothing)
      Out["stream_name"] = streamText(T, Streams, Stream);
    if (callsOf(R) > 1)
      Out["calls"] = callsOf(R);
    else if (R.Bytes)
      Out["bytes"] = R.Bytes;
    if (R.Site) {
      Out["site"] = hexText(R.Site);
      if (const std::string &Place = placeOf(R.Site); !Place.empty())
        Out["at"] = Place;
    }
    if (R.Kind != uint8_t(dr::Record::Launch))
      return Out;
    if (!(R.Flags & dr::LaunchGraph) && !kernelOf(R).empty())
      Out["kernel"] = kernelOf(R);
    if (R.B)
      Out["module"] = T.moduleText(R.B);
    return Out;
  }

  void call(const TraceRecord &R, size_t Stream) {
    std::string Name = eventName(R);
    if (Name.empty())
      return;
    const ordered_json Arguments = argumentsOf(R, Stream);
    if (auto Kernel = Arguments.find("kernel"); Kernel != Arguments.end())
      Name = shortName(*Kernel);
    const double Us = double(R.Begin) / 1e3, Took = double(R.End - R.Begin);
    Threads.insert(R.Thread);
    Events.push_back({{"ph", "X"},
                      {"name", Name},
                      {"pid", T.Pid},
                      {"tid", R.Thread},
                      {"ts", Us},
                      {"dur", Took / 1e3},
                      {"args", Arguments}});
    if (Stream == StreamHistory::Nothing || !isWork(R))
      return;
    auto [Before, IsFirst] =
        Lasts.insert({Stream, {Events.size(), R.Begin, R.End}});
    if (Last &L = Before->second; !IsFirst) {
      if (L.End > R.Begin)
        Events[L.Event]["dur"] = double(R.Begin - L.Begin) / 1e3;
      L = {Events.size(), R.Begin, R.End};
    }
    Events.push_back({{"ph", "X"},
                      {"name", Name},
                      {"cat", "stream"},
                      {"pid", T.Pid},
                      {"tid", FirstStreamTrack + Stream},
                      {"ts", Us},
                      {"dur", Took / 1e3},
                      {"args", Arguments}});
  }

public:
  Writer(const Trace &T, Symbols &Names, ordered_json &Events)
      : T(T), Names(Names), Events(Events) {}

  void write() {
    describe("process_name", 0, {{"name", T.Executable}});
    for (size_t I = 0; I < T.Events.size(); ++I)
      if (T.Events[I].Kind == uint8_t(dr::Record::Mark))
        mark(T.Events[I]);
      else
        call(T.Events[I], Streams.Of[I]);
    for (uint64_t Thread : Threads)
      describe("thread_name", Thread,
               {{"name", fmt::format("thread {}", Thread)}});
    for (const auto &[Stream, L] : Lasts) {
      describe("thread_name", FirstStreamTrack + Stream,
               {{"name", streamText(T, Streams, Stream)}});
      describe("thread_sort_index", FirstStreamTrack + Stream,
               {{"sort_index", FirstStreamTrack + Stream}});
    }
  }
};

} // namespace

std::string perfettoJson(const std::vector<Trace> &Traces) {
  ordered_json Events = ordered_json::array();
  Symbols Names;
  for (const Trace &T : Traces)
    Writer(T, Names, Events).write();
  const ordered_json Out = {{"displayTimeUnit", "ns"},
                            {"traceEvents", std::move(Events)}};
  return Out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

} // namespace echo::drtool
