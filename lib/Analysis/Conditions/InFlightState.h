//===- InFlightState.h - What is known of GPU work at a place ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of condition S2's data-flow (InFlight.cpp), of which it is
// private: the GPU work that may be in flight, and the keys (StreamKeys) that
// would prove each done.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_INFLIGHTSTATE_H
#define ECHO_ANALYSIS_CONDITIONS_INFLIGHTSTATE_H

#include "Analysis/Candidates/PairGroup.h"
#include <map>
#include <tuple>

namespace echo::inflight {

struct Entry {
  bool Read = false, Write = false;
  uint64_t Keys = 0;
  bool operator==(const Entry &) const = default;
};

/// Stands for an object in entries of linking uploads that may go on after
/// their return. They are in nobody's way: who meets one forbids it to go on.
constexpr unsigned GoesOn = ~0u;

struct State {
  explicit State(const PairGroup &G) : AnyWork(G.bits()) {}
  /// By the pair, the event and the object of the pair that it accesses.
  std::map<std::tuple<unsigned, const Event *, unsigned>, Entry> Entries;
  /// For each pair: some GPU work of any kind may be in flight.
  llvm::BitVector AnyWork;
  /// The same, if downloads failed for want of a host buffer (see Pair).
  llvm::BitVector WorkWithout = AnyWork;
  void anyWork(const llvm::BitVector &Of) { AnyWork |= Of, WorkWithout |= Of; }
  /// Kernels or other code of the GPU may be in flight: since they started no
  /// wait was for all of the device.
  bool Code = false;
  /// A caller's work may be in flight, in a stream that no default stream waits
  /// for. Nothing in the function follows it.
  bool OfCaller = false;
  bool Reached = false;
  bool operator==(const State &) const = default;
};

} // namespace echo::inflight

#endif
