//===- Report.cpp - What an analysis shows, as text and JSON --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Report.h"

#include "Profile/Streams.h"
#include "Profile/Symbols.h"
#include "Profile/Worth.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace echo::drtool {

using nlohmann::ordered_json;

std::string bytesText(uint64_t Bytes) {
  const char *Units[] = {"B", "KiB", "MiB", "GiB"};
  double Value = double(Bytes);
  int Unit = 0;
  for (; Value >= 1024 && Unit < 3; ++Unit)
    Value /= 1024;
  return Value == double(uint64_t(Value))
             ? fmt::format("{} {}", uint64_t(Value), Units[Unit])
             : fmt::format("{:.1f} {}", Value, Units[Unit]);
}

const char *howText(dr::How H) {
  switch (H) {
#define DR_HOW(name, number, text)                                             \
  case dr::How::name:                                                          \
    return text;
#include "runtime/abi/DrTrace.def"
  default:
    return "unseen memory";
  }
}

std::string openText(const std::vector<Choice> &Open) {
  std::string Out;
  for (Choice C : Open)
    Out += (Out.empty() ? "" : ", ") +
           std::string(drplan::ChoiceWords[unsigned(C)]);
  return Out.empty() ? "nothing" : Out;
}

std::vector<std::string> closedTexts(const Pair &P) {
  auto What = [](Closes C) {
    return C == Closes::Both ? "stays as it is: " : "stays two buffers: ";
  };
  std::vector<std::string> Out;
  for (Obstacle O : P.Obstacles)
    Out.push_back(What(whatCloses(O)) + std::string(obstacleText(O)));
  for (dr::Reason R : P.HostReasons)
    Out.push_back(What(whatCloses(R)) + std::string("the host buffer: ") +
                  reasonText(R));
  for (dr::Reason R : P.DeviceReasons)
    Out.push_back(What(Closes::Merging) + std::string("the device buffer: ") +
                  reasonText(R));
  return Out;
}

std::string eventName(const TraceRecord &R) {
  const auto Kind = static_cast<dr::Record>(R.Kind);
  switch (Kind) {
  case dr::Record::Set: // or a small copy
  case dr::Record::Copy:
    switch (R.Flags & dr::CopyDirection) {
    case dr::CopyH2D:
      return "H2D";
    case dr::CopyD2H:
      return "D2H";
    case dr::CopyD2D:
      return "D2D";
    case dr::CopyH2H:
      return "H2H";
    default:
      return Kind == dr::Record::Set ? "set" : "copy";
    }
  case dr::Record::Launch:
    return "launch";
  case dr::Record::SyncDevice:
  case dr::Record::SyncStream:
  case dr::Record::SyncEvent:
    return "wait";
  case dr::Record::HostAlloc:
    return "host alloc";
  case dr::Record::DeviceAlloc:
    return "device alloc";
  default:
    return "";
  }
}

std::string kernelName(const Trace &T, const TraceRecord &R, Symbols &Names) {
  const bool IsKernel =
      R.Kind == uint8_t(dr::Record::Launch) && !(R.Flags & dr::LaunchGraph);
  return IsKernel ? shortName(Names.kernel(T, R.A)) : "";
}

static std::string pairText(const Analysis &A, size_t Index, const Trace &T,
                            Symbols &Names) {
  const Pair &P = A.Pairs[Index];
  std::string Out =
      fmt::format("{:>3}  {}  h: {} at {}\n", Index + 1, bytesText(P.Bytes),
                  howText(P.HostKind), Names.frames(T, P.HostSite, 1)[0]);
  Out += P.DeviceSite ? fmt::format("     d: {} at {}\n", howText(P.DeviceKind),
                                    Names.frames(T, P.DeviceSite, 1)[0])
                      : fmt::format("     d: {}\n",
                                    P.DeviceKind == dr::How::Unknown
                                        ? "unseen memory"
                                        : std::string("a part of a ") +
                                              howText(P.DeviceKind) + " block");
  if (P.HostMayChange)
    Out += fmt::format("     h is allocated anew: {} buffers\n", P.HostBuffers);
  for (const CopySite &S : P.Copies) {
    Out += fmt::format(
        "     {} {} x {}{} at {}", S.ToDevice ? "H2D" : "D2H",
        S.Least == S.Most ? bytesText(S.Most)
                          : bytesText(S.Least) + " to " + bytesText(S.Most),
        S.Count, S.Async ? ", asynchronous," : "", Names.frame(T, S.Site, 0));
    if (S.Steady)
      Out += fmt::format(", {} each", timeText(S.Ns / double(S.Steady)));
    Out += S.Needed == drplan::Wait::None
               ? "\n"
               : fmt::format(", waits for the {}\n",
                             drplan::WaitWords[unsigned(S.Needed)]);
  }
  Out += fmt::format("     {}\n     open: {}\n", worthText(worthOf(A, P)),
                     openText(P.open()));
  for (const std::string &Why : closedTexts(P))
    Out += fmt::format("     {}\n", Why);
  return Out;
}

std::string newMemoryText(const Analysis &A) {
  bool Anew = std::any_of(A.Pairs.begin(), A.Pairs.end(), [](const Pair &P) {
    return P.HostMayChange && !P.open().empty();
  });
  return Anew ? "; memory that is used again saves besides what new memory "
                "costs in each round"
              : "";
}

std::string energyText(const Analysis &A) {
  if (!A.Joules)
    return "";
  return fmt::format("{:.3g} J an iteration, of {}", *A.Joules,
                     A.JoulesOfBoard ? "all rails of the board"
                                     : "the whole GPU");
}

std::string reportText(const Analysis &A, const std::vector<Trace> &Traces) {
  if (A.Traces.empty())
    return "no traces: nothing was recorded\n";
  const Trace &T = Traces[A.Main];
  std::string Out =
      fmt::format("{} on {}, {} process{}\n", T.Executable,
                  T.Device.empty() ? "no device that is known" : T.Device,
                  A.Traces.size(), A.Traces.size() == 1 ? "" : "es");
  if (!A.Iterations.Site)
    Out += fmt::format("no copy of {} or more recurs: there is nothing to do\n",
                       bytesText(T.MinBytes));
  else
    Out += fmt::format(
        "loop: {} iterations, {} each; copies between host and device take "
        "{:.1f} "
        "% of it\nwithout the copies that something is open to: at most {:.2f} "
        "times as fast{}\n",
        A.Iterations.Count, timeText(A.Iterations.period()),
        100 * A.CopyFraction, Analysis::speedup(A.OpenFraction),
        newMemoryText(A));
  if (A.Joules)
    Out += "energy: " + energyText(A) + "\n";
  for (const std::string &Note : A.Notes)
    Out += "note: " + Note + "\n";
  Symbols Names;
  for (size_t I = 0; I < A.Pairs.size(); ++I)
    Out += pairText(A, I, T, Names);
  if (!A.Pairs.empty())
    Out += "all pairs: " + worthText(worthOfAll(A)) + "\n";
  return Out + mendSummary(A);
}

static ordered_json siteJson(uint64_t Site, const Trace &T, Symbols &Names) {
  return {{"site", hexText(Site)}, {"frames", Names.frames(T, Site, 16)}};
}

/// The streams of a process that have work, and what was launched in them.
static ordered_json streamsJson(const Trace &T, Symbols &Names) {
  const StreamHistory H = followStreams(T);
  std::vector<uint64_t> Works(H.Streams.size());
  for (size_t I = 0; I < T.Events.size(); ++I)
    if (isWork(T.Events[I]))
      Works[H.Of[I]] += callsOf(T.Events[I]);
  std::map<size_t, ordered_json> Kernels;
  for (const KernelUse &K : kernelUses(T, H))
    Kernels[K.Stream].push_back(
        {{"name", Names.kernel(T, K.Function)},
         {"module", K.Module ? T.moduleText(K.Module) : ""},
         {"launches", K.Launches}});
  ordered_json Out = ordered_json::array();
  for (size_t I = 0; I < Works.size(); ++I) {
    if (!Works[I])
      continue;
    const uint64_t Library = libraryOf(T, H.Streams[I]);
    ordered_json &Launched = Kernels[I];
    Out.push_back(
        {{"name", streamText(T, H, I)},
         {"library", Library ? T.moduleText(Library) : ""},
         {"non_blocking", H.Streams[I].NonBlocking},
         {"work", Works[I]},
         {"kernels", Launched.is_null() ? ordered_json::array() : Launched}});
  }
  return Out;
}

/// The lines of a copy's call and of the calls that led to it, and when the
/// file that they are of was written: what a compiler finds its copies by.
static void addPlaces(ordered_json &Copy, uint64_t Site, const Trace &T,
                      Symbols &Names) {
  Copy["places"] = ordered_json::array();
  for (const SourcePlace &P : Names.places(T, Site))
    Copy["places"].push_back(
        {{"file", P.File}, {"line", P.Line}, {"function", P.Function}});
  Copy["built_ns"] = Names.writtenAt(T, Site);
}

static ordered_json worthJson(const Worth &W) {
  const std::optional<double> Bound = W.bound();
  return {{"copies_per_iteration", W.Copies},
          {"bytes_per_iteration", W.Bytes},
          {"ns_per_iteration", W.Ns},
          {"loop_fraction", W.Fraction},
          {"speedup_bound", Bound ? ordered_json(*Bound) : ordered_json()}};
}

static ordered_json pairJson(const Analysis &A, const Pair &P, const Trace &T,
                             Symbols &Names) {
  ordered_json Out;
  Out["host"] = siteJson(P.HostSite, T, Names);
  Out["host"]["kind"] = howText(P.HostKind);
  Out["host"]["buffers"] = P.HostBuffers;
  Out["host"]["may_change"] = P.HostMayChange;
  Out["device"] = siteJson(P.DeviceSite, T, Names);
  Out["device"]["kind"] = howText(P.DeviceKind);
  Out["device"]["buffers"] = P.DeviceBuffers;
  Out["bytes"] = P.Bytes;
  Out["copies"] = ordered_json::array();
  for (const CopySite &S : P.Copies) {
    ordered_json C = siteJson(S.Site, T, Names);
    addPlaces(C, S.Site, T, Names);
    C["direction"] = S.ToDevice ? "H2D" : "D2H";
    C["asynchronous"] = S.Async;
    C["count"] = S.Count;
    C["steady_count"] = S.Steady;
    C["least_bytes"] = S.Least;
    C["most_bytes"] = S.Most;
    C["steady_bytes"] = S.SteadyBytes;
    C["steady_ns"] = S.Ns;
    C["wait"] = drplan::WaitWords[unsigned(S.Needed)];
    C["worth"] = worthJson(worthOf(A, S));
    Out["copies"].push_back(std::move(C));
  }
  Out["open"] = ordered_json::array();
  for (Choice C : P.open())
    Out["open"].push_back(drplan::ChoiceWords[unsigned(C)]);
  Out["obstacles"] = ordered_json::array();
  for (Obstacle O : P.Obstacles)
    Out["obstacles"].push_back(obstacleId(O));
  Out["why"] = closedTexts(P);
  Out["worth"] = worthJson(worthOf(A, P));
  return Out;
}

std::string reportJson(const Analysis &A, const std::vector<Trace> &Traces) {
  ordered_json Out;
  Out["echo"] = ECHO_VERSION;
  Out["processes"] = ordered_json::array();
  for (size_t I : A.Traces) {
    const Trace &T = Traces[I];
    Out["processes"].push_back({{"pid", T.Pid},
                                {"executable", T.Executable},
                                {"device", T.Device},
                                {"events", T.Events.size()},
                                {"dropped", T.Dropped},
                                {"finished", T.Finished}});
  }
  Out["loop"] = {{"site", hexText(A.Iterations.Site)},
                 {"iterations", A.Iterations.Count},
                 {"period_ns", A.Iterations.period()},
                 {"copy_fraction", A.CopyFraction},
                 {"open_fraction", A.OpenFraction},
                 {"speedup_bound", Analysis::speedup(A.OpenFraction)}};
  if (A.Joules)
    Out["loop"]["energy"] = {{"joules", *A.Joules},
                             {"of", A.JoulesOfBoard ? "board" : "gpu"}};
  Out["notes"] = A.Notes;
  Out["pairs"] = ordered_json::array();
  Symbols Names;
  Out["streams"] = A.Traces.empty() ? ordered_json::array()
                                    : streamsJson(Traces[A.Main], Names);
  for (const Pair &P : A.Pairs)
    Out["pairs"].push_back(pairJson(A, P, Traces[A.Main], Names));
  Out["all_pairs"] = worthJson(worthOfAll(A));
  Out["mend_first"] = mendFirst(A);
  return Out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace echo::drtool
