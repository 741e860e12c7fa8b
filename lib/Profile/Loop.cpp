//===- Loop.cpp - The iterations of a program -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Loop.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Loop.h"

#include <algorithm>

namespace echo::drtool {

/// Fewer iterations have no quickest twentieth.
static constexpr size_t LeastIterations = 20;

/// The twentieth of \p Gaps from below, unless it is no iteration of the loop:
/// some copies of an iteration follow each other at once.
static double undisturbed(std::vector<uint64_t> Gaps, double Period) {
  if (Gaps.size() < LeastIterations)
    return 0;
  auto Quick = Gaps.begin() + ptrdiff_t(Gaps.size() / 20);
  std::nth_element(Gaps.begin(), Quick, Gaps.end());
  return double(*Quick) * 3 < Period ? 0 : double(*Quick);
}

static Loop loopOf(uint64_t Site, const std::vector<uint64_t> &Times) {
  Loop L;
  L.Site = Site;
  L.Count = Times.size();
  if (Times.size() < 2)
    return L;
  size_t First = Times.size() == 2 ? 0 : std::max<size_t>(1, Times.size() / 10);
  L.From = Times[First];
  L.Until = Times.back();
  L.SteadyCount = Times.size() - 1 - First;
  std::vector<uint64_t> Gaps;
  for (size_t I = First; I + 1 < Times.size(); ++I)
    Gaps.push_back(Times[I + 1] - Times[I]);
  L.Undisturbed = undisturbed(std::move(Gaps), L.period());
  return L;
}

static std::vector<uint64_t> iterationsAt(const Trace &T, uint64_t Site) {
  std::vector<uint64_t> Times;
  for (const TraceRecord &R : T.Events)
    if (R.Kind == uint8_t(dr::Record::Copy) && R.Site == Site && R.Status == 0)
      Times.push_back(R.Begin);
  return Times;
}

Loop loopAt(const Trace &T, uint64_t Site) {
  return loopOf(Site, iterationsAt(T, Site));
}

Loop findLoop(const Trace &T, const BufferHistory &H) {
  struct Sum {
    uint64_t Count = 0, Ns = 0;
  };
  std::map<uint64_t, Sum> Sites;
  for (const TracedCopy &C : H.Copies) {
    const TraceRecord &R = T.Events[C.Event];
    if (!R.Site)
      continue;
    Sum &S = Sites[R.Site];
    ++S.Count;
    S.Ns += R.End - R.Begin;
  }
  uint64_t Best = 0;
  for (const auto &[Site, S] : Sites)
    if (S.Count >= 2 && (!Best || S.Ns > Sites[Best].Ns))
      Best = Site;
  return Best ? loopAt(T, Best) : Loop();
}

std::vector<double> copyTimes(const Trace &T, const BufferHistory &H,
                              const std::vector<CopyOrder> &Orders) {
  // Nanoseconds a byte of copies that waited for nothing, by direction.
  std::vector<double> Rates[2];
  for (size_t I = 0; I < H.Copies.size(); ++I) {
    const TraceRecord &R = T.Events[H.Copies[I].Event];
    if (!Orders[I].Busy && R.Bytes)
      Rates[H.Copies[I].ToDevice].push_back(double(R.End - R.Begin) /
                                            double(R.Bytes));
  }
  double Rate[2] = {0, 0};
  for (int D = 0; D < 2; ++D)
    if (!Rates[D].empty()) {
      auto Middle = Rates[D].begin() + ptrdiff_t(Rates[D].size() / 2);
      std::nth_element(Rates[D].begin(), Middle, Rates[D].end());
      Rate[D] = *Middle;
    }
  std::vector<double> Out;
  Out.reserve(H.Copies.size());
  for (size_t I = 0; I < H.Copies.size(); ++I) {
    const TraceRecord &R = T.Events[H.Copies[I].Event];
    double Ns = double(R.End - R.Begin);
    double Known = Rate[H.Copies[I].ToDevice] ? Rate[H.Copies[I].ToDevice]
                                              : Rate[!H.Copies[I].ToDevice];
    if (Orders[I].Busy && Known)
      Ns = std::min(Ns, Known * double(R.Bytes));
    Out.push_back(Ns);
  }
  return Out;
}

} // namespace echo::drtool
