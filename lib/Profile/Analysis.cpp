//===- Analysis.cpp - What the traces of a program show -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Analysis.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Analysis.h"

#include "Profile/Surroundings.h"

#include <fmt/format.h>

#include <algorithm>

namespace echo::drtool {

namespace {

struct OneTrace {
  BufferHistory Buffers;
  StreamHistory Streams;
  WaitHistory Waits;
  std::vector<double> Times;
  Loop Iterations;
  double Ns = 0; ///< of copies in the loop
};

OneTrace follow(const Trace &T) {
  OneTrace O;
  O.Buffers = followBuffers(T);
  O.Streams = followStreams(T);
  O.Waits = followWaits(T, O.Buffers, O.Streams);
  O.Times = copyTimes(T, O.Buffers, O.Waits.Copies);
  O.Iterations = findLoop(T, O.Buffers);
  for (size_t I = 0; I < O.Buffers.Copies.size(); ++I)
    if (O.Iterations.contains(T.Events[O.Buffers.Copies[I].Event].Begin))
      O.Ns += O.Times[I];
  return O;
}

/// The part of the loop in which at least one copy runs.
double fractionOf(const Trace &T, const OneTrace &O) {
  std::vector<std::pair<double, double>> Spans;
  for (size_t I = 0; I < O.Buffers.Copies.size(); ++I) {
    const TraceRecord &R = T.Events[O.Buffers.Copies[I].Event];
    if (O.Iterations.contains(R.Begin))
      Spans.push_back({double(R.End) - O.Times[I],
                       std::min(double(R.End), double(O.Iterations.Until))});
  }
  std::sort(Spans.begin(), Spans.end());
  double Sum = 0, At = 0;
  for (const auto &[From, Until] : Spans) {
    if (Until > std::max(At, From))
      Sum += Until - std::max(At, From);
    At = std::max(At, Until);
  }
  double Whole = double(O.Iterations.Until - O.Iterations.From);
  return Whole > 0 ? std::min(1.0, Sum / Whole) : 0;
}

/// Streams whose work no wait covers all through the steady loop: the GPU may
/// use any buffer at any time, so validation would pass no pair.
std::set<size_t> unjoinedStreams(const OneTrace &O) {
  std::set<size_t> Found;
  if (O.Iterations.SteadyCount)
    for (const WaitHistory::Span &S : O.Waits.Unended)
      if (S.From <= O.Iterations.From && S.Until >= O.Iterations.Until)
        Found.insert(S.Stream);
  return Found;
}

/// True if there is pinned memory that the GPU uses by itself, or nobody. Where
/// it is small, validation sees it.
bool hasWordForBoth(const BufferHistory &H) {
  return std::any_of(H.Buffers.begin(), H.Buffers.end(), [](const Buffer &B) {
    return !B.Copied &&
           (B.Kind == dr::How::Pinned || B.has(dr::Reason::PinnedByProgram));
  });
}

/// The pairs of \p T, which is one process.
std::vector<Pair> pairsOf(const Trace &T, const OneTrace &O, Analysis &A) {
  std::vector<Pair> Pairs =
      findPairs(T, O.Buffers, O.Waits.Copies, O.Iterations);
  const std::set<size_t> Unjoined = unjoinedStreams(O);
  for (size_t Stream : Unjoined)
    A.Notes.push_back(fmt::format(
        "process {}: nothing that the program waits for covers the work of {}",
        T.Pid, streamText(T, O.Streams, Stream)));
  const bool SeenByBoth = hasWordForBoth(O.Buffers);
  for (Pair &P : Pairs) {
    if (!Unjoined.empty())
      P.Obstacles.insert(Obstacle::Unjoined);
    if (SeenByBoth)
      P.Obstacles.insert(Obstacle::SeenByBoth);
  }
  return Pairs;
}

void note(const Trace &T, Analysis &A) {
  const std::string Who = fmt::format("process {}", T.Pid);
  if (T.Dropped)
    A.Notes.push_back(fmt::format(
        "{}: {} records found no room, on the disk or in the trace's bound "
        "(--trace-bytes): not all is seen",
        Who, T.Dropped));
  if (T.Short)
    A.Notes.push_back(Who + ": the trace file was cut short");
  if (T.Unreadable)
    A.Notes.push_back(
        fmt::format("{}: {} records cannot be read", Who, T.Unreadable));
  if (!T.Finished)
    A.Notes.push_back(Who + ": it did not end by itself; what it did until "
                            "then is here");
}

} // namespace

Analysis analyze(const std::vector<Trace> &Traces) {
  Analysis A;
  if (Traces.empty())
    return A;
  std::vector<OneTrace> All;
  std::map<uint64_t, double> Programs;
  for (const Trace &T : Traces) {
    All.push_back(follow(T));
    Programs[T.ExecutableHash] += All.back().Ns;
  }
  uint64_t Program = Traces[0].ExecutableHash;
  for (const auto &[Hash, Ns] : Programs)
    if (Ns > Programs[Program])
      Program = Hash;
  double Longest = -1;
  for (size_t I = 0; I < Traces.size(); ++I) {
    if (Traces[I].ExecutableHash != Program)
      continue;
    A.Traces.push_back(I);
    double Span = double(All[I].Iterations.Until - All[I].Iterations.From);
    if (Span > Longest) {
      Longest = Span;
      A.Main = I;
    }
    note(Traces[I], A);
  }
  for (size_t I : A.Traces) {
    joinPairs(A.Pairs, pairsOf(Traces[I], All[I], A));
    A.SteadyIterations += All[I].Iterations.SteadyCount;
    A.SteadyNs += double(All[I].Iterations.Until - All[I].Iterations.From);
  }
  settleRivals(A.Pairs);
  A.Iterations = All[A.Main].Iterations;
  A.CopyFraction = fractionOf(Traces[A.Main], All[A.Main]);
  double Ns = 0, OpenNs = 0;
  for (const Pair &P : A.Pairs) {
    Ns += P.steadyNs();
    if (!P.open().empty())
      OpenNs += P.steadyNs();
  }
  A.OpenFraction = Ns > 0 ? A.CopyFraction * std::min(1.0, OpenNs / Ns) : 0;
  if (Programs.size() > 1)
    A.Notes.push_back(fmt::format(
        "{} programs were traced; this is about {}, where most copy time goes",
        Programs.size(), Traces[A.Main].Executable));
  return A;
}

static PlanPair planPair(const Pair &P, const Loop &L) {
  PlanPair Out;
  Out.HostSite = P.HostSite;
  Out.DeviceSite = P.DeviceSite;
  Out.Bytes = P.Bytes;
  Out.DeviceBytes = P.DeviceBytes;
  Out.HostMayChange = P.HostMayChange;
  Out.Open = P.open();
  std::vector<CopySite> Sites = P.Copies;
  std::stable_sort(
      Sites.begin(), Sites.end(),
      [](const CopySite &L, const CopySite &R) { return L.Ns > R.Ns; });
  if (Sites.size() > drplan::MostCopies)
    Sites.resize(drplan::MostCopies);
  for (const CopySite &S : Sites) {
    // One call may be both synchronous and not: the stronger wait holds.
    auto Same = std::find_if(
        Out.Copies.begin(), Out.Copies.end(), [&](const PlanCopy &C) {
          return C.Site == S.Site && C.ToDevice == S.ToDevice;
        });
    if (Same == Out.Copies.end())
      Out.Copies.push_back({S.Site, S.ToDevice, S.Needed});
    else
      Same->Needed = std::max(Same->Needed, S.Needed);
  }
  Out.Evidence = {
      {"steady_copies", double(P.steadyCopies())},
      {"steady_copy_ns", P.steadyNs()},
      {"copy_fraction",
       L.Until > L.From ? P.steadyNs() / double(L.Until - L.From) : 1.0},
      {"host_buffers", double(P.HostBuffers)},
      {"device_buffers", double(P.DeviceBuffers)},
      {"loop_iterations", double(L.SteadyCount)}};
  return Out;
}

Plan makePlan(const Analysis &A, const std::vector<Trace> &Traces,
              const Launch &L, bool Portable) {
  Plan P;
  P.Echo = ECHO_VERSION;
  noteLaunch(P.Context, L, Portable);
  P.Portable = Portable;
  P.Why = "no pair of buffers recurs in its loop that Echo could change";
  if (A.Traces.empty())
    return P;
  const Trace &Main = Traces[A.Main];
  P.Context.Executable = {Main.Executable, Main.ExecutableHash};
  P.Context.Device = Main.Device;
  P.Context.Uuid = Main.Uuid;
  P.Context.Runtime = Main.Runtime;
  P.Context.Driver = Main.Driver;
  takeSurroundings(P.Context, Traces);
  P.LoopSite = A.Iterations.Site;
  for (const Pair &Each : A.Pairs) {
    if (Each.open().empty() || P.Pairs.size() == drplan::MostPairs)
      continue;
    P.Pairs.push_back(planPair(Each, A.Iterations));
    P.Pairs.back().Id = P.Pairs.size();
  }
  if (!P.Pairs.empty())
    P.Why = "it was not calibrated yet";
  return P;
}

} // namespace echo::drtool
