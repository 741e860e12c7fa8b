//===- Energy.cpp - What the iterations of a loop cost in joules ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Energy.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/Energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace echo::drtool {

/// Counters of GPUs change some 10 to 50 times a second.
static constexpr size_t LeastReadings = 10;

std::string energyText(const EnergyLog &Log) {
  std::string Out;
  for (const auto &[Whose, Readings] : Log)
    for (const EnergyReading &R : Readings)
      Out += fmt::format("energy {} {} {:.3f}\n", Whose, R.Ns, R.Millijoules);
  return Out;
}

EnergyLog parseEnergy(std::string_view Text) {
  EnergyLog Log;
  std::istringstream Lines{std::string(Text)};
  for (std::string Line; std::getline(Lines, Line);) {
    std::istringstream Words(Line);
    std::string Mark, Whose, More;
    EnergyReading R;
    if (!(Words >> Mark >> Whose >> R.Ns >> R.Millijoules) || Words >> More ||
        Mark != "energy" || !std::isfinite(R.Millijoules))
      continue;
    std::vector<EnergyReading> &All = Log[Whose];
    if (All.empty() ||
        (All.back().Ns < R.Ns && All.back().Millijoules <= R.Millijoules))
      All.push_back(R);
  }
  return Log;
}

static double at(const EnergyReading &Before, const EnergyReading &After,
                 uint64_t Ns) {
  const double Part = double(Ns - Before.Ns) / double(After.Ns - Before.Ns);
  return Before.Millijoules + Part * (After.Millijoules - Before.Millijoules);
}

std::optional<double> joulesBetween(const std::vector<EnergyReading> &Readings,
                                    uint64_t FromNs, uint64_t UntilNs) {
  const auto IsBefore = [](const EnergyReading &R, uint64_t Ns) {
    return R.Ns < Ns;
  };
  const auto First =
      std::lower_bound(Readings.begin(), Readings.end(), FromNs, IsBefore);
  const auto Last = std::lower_bound(First, Readings.end(), UntilNs, IsBefore);
  if (First == Readings.begin() || Last == Readings.end() ||
      size_t(Last - First) < LeastReadings)
    return std::nullopt;
  return (at(*(Last - 1), *Last, UntilNs) - at(*(First - 1), *First, FromNs)) /
         1000;
}

void addEnergy(Analysis &A, const std::vector<Trace> &Traces,
               const EnergyLog &Log) {
  const Loop &L = A.Iterations;
  if (A.Traces.empty() || !L.SteadyCount)
    return;
  auto Of = Log.find(Traces[A.Main].Uuid);
  if (Of == Log.end())
    Of = Log.find(Board);
  if (Of == Log.end())
    return;
  if (const auto Joules = joulesBetween(Of->second, L.From, L.Until)) {
    A.Joules = *Joules / double(L.SteadyCount);
    A.JoulesOfBoard = Of->first == Board;
  }
}

} // namespace echo::drtool
