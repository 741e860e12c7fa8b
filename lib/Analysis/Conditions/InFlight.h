//===- InFlight.h - Condition S2: is GPU work in the way? -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S2 of one pair, as a forward analysis of the GPU work in flight. Each entry
// is an access that some launch, set or retained copy may still be making,
// with the set of streams and events whose wait proves it done. Proof
// obligation: an access to one side never meets an entry on the other side
// when either writes, unless the original program orders them. Streams or
// events that are not known prove nothing; cudaFree is no wait.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_INFLIGHT_H
#define ECHO_ANALYSIS_CONDITIONS_INFLIGHT_H

#include "Analysis/Conditions/Liveness.h"
#include "Analysis/Events/StreamKeys.h"

namespace echo {

struct S2Result {
  std::optional<Conflict> Violation; ///< nothing: S2 holds
  /// No GPU work of any kind is in flight at any host access to h.
  bool Quiescent = false;
  /// Linking copies at which no GPU work of the function can be in flight.
  std::vector<const Event *> IdleCopies;
  /// Linking copies at which no kernel or other code of the GPU that the
  /// function started can be in flight.
  std::vector<const Event *> CopiesWithoutCode;
  /// Copies and sets that order or wait unless they fail, which S2 counts on: a
  /// merged pair needs something after each that does not fail with it. Any
  /// call may fail; where Event::Sure, the one that does says so.
  std::vector<const Event *> Unsure;
  /// Linking uploads of which nobody could tell that they go on after their
  /// return, where the host buffer is pinned: until a wait covers one, the host
  /// writes h nowhere, and all else that uses the pair follows it.
  std::vector<const Event *> AsyncUploads;
};

/// Checks S2 of all \p Pairs. \p FirstAllocs: by pair, the object that is
/// allocated first: its allocation starts a new instance, whose memory no older
/// work uses (rule R4). \p StartsIdle: no GPU work can be in flight on entry.
/// \p LoopExits: exitsBehindRounds of the function.
std::vector<S2Result> checkS2(const llvm::Function &F, const Effects &E,
                              const PairGroup &Pairs,
                              const MemoryObjects &Objects, StreamKeys &Keys,
                              llvm::ArrayRef<unsigned> FirstAllocs,
                              bool StartsIdle, const llvm::LoopInfo &LI,
                              const llvm::DenseSet<FlowEdge> &LoopExits);

} // namespace echo

#endif
