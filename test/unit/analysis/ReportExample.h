//===- ReportExample.h - A unit's report as tests use it --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example of docs/guide/report-format.md as data: one pair of every
// verdict.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TEST_REPORTEXAMPLE_H
#define ECHO_TEST_REPORTEXAMPLE_H

#include "Support/Verdict.h"

inline echo::SourceLoc at(unsigned Line, unsigned Column) {
  return {{"app.cu", Line, Column}, {}};
}

inline echo::PairReport unifiedPair() {
  echo::PairReport Pair;
  Pair.Host = {"hx", at(12, 20), "main"};
  Pair.Device = {"dx", at(14, 3), "main"};
  Pair.Bytes = 4 << 20;
  Pair.Links = {{true, at(20, 3), true}, {false, at(24, 3), true}};
  Pair.Result = echo::Verdict::Unified;
  Pair.Waits = {{at(24, 3), "event"}};
  Pair.Quiescent = true;
  return Pair;
}

inline echo::PairReport guardedPair() {
  echo::PairReport Pair;
  Pair.Host = {"hy", at(13, 20), "main"};
  Pair.Device = {"dy", at(15, 3), "main"};
  Pair.SizeText = "n*4 B";
  Pair.Links = {{true, at(21, 3), true}};
  Pair.Result = echo::Verdict::Guarded;
  return Pair;
}

inline echo::PairReport declinedPair() {
  echo::PairReport Pair;
  Pair.Host = {"h", at(40, 14), "main"};
  Pair.Device = {"d", at(41, 3), "main"};
  Pair.Bytes = 8 << 20;
  Pair.Result = echo::Verdict::Declined;
  Pair.Reason = echo::Blocker::HostReadInFlight;
  Pair.Because = {{"host reads h", at(51, 9)},
                  {"kernel 'blur' may still be writing d: nothing between 48:3 "
                   "and 51:9 waits for it",
                   at(48, 3)}};
  Pair.Suggestion = "cudaStreamSynchronize(s) before 51:9";
  return Pair;
}

inline echo::PairReport skippedPair() {
  echo::PairReport Pair;
  Pair.Host = {std::nullopt, at(60, 5), "main"};
  Pair.Device = {"t", at(61, 5), "main"};
  Pair.Bytes = 1024;
  Pair.Result = echo::Verdict::Skipped;
  Pair.Reason = echo::Blocker::TooSmall;
  return Pair;
}

inline echo::UnitReport exampleUnit() {
  echo::UnitReport Unit;
  Unit.Source = "app.cu";
  Unit.Pairs = {unifiedPair(), guardedPair(), declinedPair(), skippedPair()};
  return Unit;
}

#endif
