//===- Streams.cpp - Which stream each event of a trace is about ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Streams.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace echo::drtool {

using dr::Record;

namespace {

constexpr uint64_t PerThread = 2;

class Replay {
  StreamHistory Out;
  std::map<std::pair<uint64_t, uint16_t>, size_t> ByHandle;

  size_t find(uint64_t Handle, uint16_t Thread) {
    if (Handle < PerThread)
      return 0;
    const bool IsThreads = Handle == PerThread;
    auto [It, IsNew] = ByHandle.insert(
        {{Handle, IsThreads ? Thread : uint16_t(0)}, Out.Streams.size()});
    if (IsNew)
      Out.Streams.push_back(
          {.From = IsThreads ? TracedStream::OfThread : TracedStream::Unseen,
           .Handle = Handle,
           .Thread = IsThreads ? Thread : uint16_t(0)});
    return It->second;
  }

public:
  Replay() { Out.Streams.push_back({.From = TracedStream::Legacy}); }

  void add(const TraceRecord &R) {
    size_t &Stream = Out.Of.emplace_back(StreamHistory::Nothing);
    switch (static_cast<Record>(R.Kind)) {
    case Record::StreamCreate:
      if (R.Status != 0 || R.Stream <= PerThread)
        return;
      Stream = ByHandle[{R.Stream, 0}] = Out.Streams.size();
      Out.Streams.push_back({.From = TracedStream::Made,
                             .Handle = R.Stream,
                             .NonBlocking = R.Flags != 0,
                             .Site = R.Site});
      return;
    case Record::StreamDestroy:
      if (R.Stream <= PerThread)
        return;
      Stream = find(R.Stream, R.Thread);
      if (R.Status == 0) // its handle may be another one's
        ByHandle.erase({R.Stream, 0});
      return;
    case Record::QueryDone:
      if (R.A) // of an event
        return;
      [[fallthrough]];
    case Record::Copy:
    case Record::Set:
    case Record::Launch:
    case Record::HostFunc:
    case Record::SyncStream:
    case Record::EventRecord:
    case Record::StreamWait:
      Stream = find(R.Stream, R.Thread);
      return;
    default:
      return;
    }
  }

  StreamHistory take() { return std::move(Out); }
};

/// Whether a file is CUDA's runtime or driver, which makes streams for others.
bool isCuda(const std::string &Name) {
  return Name.starts_with("libcudart.so") || Name.starts_with("libcuda.so");
}

} // namespace

StreamHistory followStreams(const Trace &T) {
  Replay R;
  for (const TraceRecord &Each : T.Events)
    R.add(Each);
  return R.take();
}

bool isWork(const TraceRecord &R) {
  switch (static_cast<Record>(R.Kind)) {
  case Record::Copy:
  case Record::Set:
  case Record::Launch:
  case Record::HostFunc:
    return true;
  default:
    return false;
  }
}

uint64_t callsOf(const TraceRecord &R) {
  return R.Kind == uint8_t(Record::Launch) ? 1 + R.Bytes : 1;
}

std::vector<KernelUse> kernelUses(const Trace &T, const StreamHistory &H) {
  std::map<std::tuple<size_t, uint64_t, uint64_t>, uint64_t> Counts;
  for (size_t I = 0; I < T.Events.size(); ++I)
    if (const TraceRecord &R = T.Events[I];
        R.Kind == uint8_t(Record::Launch) && R.Status == 0)
      Counts[{H.Of[I], R.Flags & dr::LaunchGraph ? 0 : R.A, R.B}] += callsOf(R);
  std::vector<KernelUse> Out;
  for (const auto &[Key, Count] : Counts)
    Out.push_back(
        {std::get<0>(Key), std::get<1>(Key), std::get<2>(Key), Count});
  std::stable_sort(Out.begin(), Out.end(),
                   [](const KernelUse &L, const KernelUse &R) {
                     return L.Launches > R.Launches;
                   });
  return Out;
}

uint64_t libraryOf(const Trace &T, const TracedStream &S) {
  auto It = T.Sites.find(S.Site);
  if (S.From != TracedStream::Made || It == T.Sites.end())
    return 0;
  for (const CodeAddress &Frame : It->second) {
    if (isCuda(T.moduleText(Frame.Module)))
      continue;
    auto Module = T.Modules.find(Frame.Module);
    const bool IsProgram = Frame.Module == T.ExecutableHash ||
                           Module == T.Modules.end() ||
                           Module->second == T.Executable;
    return IsProgram ? 0 : Frame.Module;
  }
  return 0;
}

std::string streamText(const Trace &T, const StreamHistory &H, size_t Stream) {
  const TracedStream &S = H.Streams[Stream];
  switch (S.From) {
  case TracedStream::Legacy:
    return "default stream";
  case TracedStream::OfThread:
    return fmt::format("default stream of thread {}", S.Thread);
  case TracedStream::Unseen:
    return fmt::format("stream {}, made where Echo did not see it", Stream);
  case TracedStream::Made:
    break;
  }
  const uint64_t Library = libraryOf(T, S);
  return Library ? fmt::format("stream {} of {}", Stream, T.moduleText(Library))
                 : fmt::format("stream {}", Stream);
}

} // namespace echo::drtool
