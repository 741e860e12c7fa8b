//===- Energy.h - What the iterations of a loop cost in joules --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what an iteration costs from readings of energy counters that
// echo-run profile took beside the program, in a file among the traces. It must
// never say a number where too few readings lie in the loop, or where the
// counter is none of the device that the program used.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_ENERGY_H
#define ECHO_PROFILE_ENERGY_H

#include "Profile/Analysis.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace echo::drtool {

struct EnergyReading {
  uint64_t Ns = 0;        ///< CLOCK_MONOTONIC, as in traces
  double Millijoules = 0; ///< since some instant
};

/// Readings in order of their times, by the GPU's UUID as traces write it;
/// those of a board with one sensor for all its rails by "board".
using EnergyLog = std::map<std::string, std::vector<EnergyReading>>;
inline constexpr char Board[] = "board";

/// The file's text: a line "energy WHOSE NS MILLIJOULES" for each reading.
std::string energyText(const EnergyLog &Log);
/// The readings in \p Text; lines of another form are left out.
EnergyLog parseEnergy(std::string_view Text);

/// Joules between two times, by straight lines between the readings. Nothing
/// where fewer than 10 readings lie there, or none lies outside on a side.
std::optional<double> joulesBetween(const std::vector<EnergyReading> &Readings,
                                    uint64_t FromNs, uint64_t UntilNs);

/// Gives \p A, of \p Traces, the joules of an iteration, if \p Log knows them.
void addEnergy(Analysis &A, const std::vector<Trace> &Traces,
               const EnergyLog &Log);

} // namespace echo::drtool

#endif
