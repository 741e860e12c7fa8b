//===- Times.h - How long something takes -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times a few runs of what a probe does, by the host's clock. What is measured
// must have ended when it returns: nothing here waits for a device.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHO_RUN_PROBE_TIMES_H
#define ECHO_TOOLS_ECHO_RUN_PROBE_TIMES_H

#include <algorithm>
#include <chrono>
#include <vector>

namespace echo {

inline constexpr int Runs = 5;

/// Nanoseconds of some runs of \p Body, the fastest first; the first run is not
/// counted.
template <typename Fn> std::vector<unsigned long long> timesOf(Fn Body) {
  std::vector<unsigned long long> Times;
  for (int Run = 0; Run <= Runs; ++Run) {
    auto Start = std::chrono::steady_clock::now();
    Body();
    std::chrono::nanoseconds Took = std::chrono::steady_clock::now() - Start;
    if (Run)
      Times.push_back(std::max<unsigned long long>(Took.count(), 1));
  }
  std::sort(Times.begin(), Times.end());
  return Times;
}
/// Nanoseconds of the fastest run of \p Body.
template <typename Fn> unsigned long long fastest(Fn Body) {
  return timesOf(Body).front();
}
/// Nanoseconds of the run of \p Body that half of the others are faster than.
template <typename Fn> unsigned long long median(Fn Body) {
  return timesOf(Body)[Runs / 2];
}

} // namespace echo

#endif
