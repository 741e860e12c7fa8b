//===- Analysis.h - What the traces of a program show -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the parts together: of all processes that were traced, those of the
// program with the most copy time; their loop, their pairs, the part of the
// loop that copies take, and how much faster it would be without them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PROFILE_ANALYSIS_H
#define ECHO_PROFILE_ANALYSIS_H

#include "Profile/Pairs.h"
#include "Profile/PlanStore.h"

namespace echo::drtool {

struct Analysis {
  size_t Main = 0; ///< the trace with the longest loop, in the traces
  std::vector<size_t> Traces; ///< all of the same program
  Loop Iterations;            ///< of the main trace
  std::vector<Pair> Pairs;
  /// Parts of the steady loop of the main trace, 0 to 1: all copies between
  /// host and device; those of pairs that any choice is open to.
  double CopyFraction = 0, OpenFraction = 0;
  /// Of the steady loops of all these traces together, as the pairs' copies
  /// are: how many iterations, how many nanoseconds.
  uint64_t SteadyIterations = 0;
  double SteadyNs = 0;
  std::optional<double> Joules;   ///< of an iteration of the main trace's loop
  bool JoulesOfBoard = false;     ///< of all rails of a board, not of the GPU
  std::vector<std::string> Notes; ///< what a reader must know, one line each

  /// Amdahl's law: the loop's speedup if a part of \p Fraction were gone.
  static double speedup(double Fraction) {
    return Fraction < 1 ? 1 / (1 - Fraction) : 0;
  }
};

/// Analyzes \p Traces, which may be empty.
Analysis analyze(const std::vector<Trace> &Traces);

/// The plan that \p A, of \p Traces, gives for \p L: what is open to each pair,
/// nothing chosen, not enabled. Pairs that nothing is open to are left out.
Plan makePlan(const Analysis &A, const std::vector<Trace> &Traces,
              const Launch &L, bool Portable);

} // namespace echo::drtool

#endif
