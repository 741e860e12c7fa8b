//===- CapturedStreams.cpp - No graph outlives the merge ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: no stream in which a pair works is being captured, so that
// what is queued runs once and in its place (StreamCapture).
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "Analysis/Conditions/StreamCapture.h"

using namespace llvm;

namespace echo {

void CapturedStreams::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  StreamCapture Captured(C.F, C.Events, C.Unit);
  for (Candidate *D : Left)
    D->Refused = Captured.check(D->P);
}

} // namespace echo
