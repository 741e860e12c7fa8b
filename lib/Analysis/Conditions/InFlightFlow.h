//===- InFlightFlow.h - What an event does to what is in flight -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transfer function of condition S2's data-flow (InFlight.cpp), of which it
// is private: from an event and the state before it, for all pairs at once, the
// state after it, and the accesses that meet work in flight. The rules of
// streams and waits are those of CUDA's pages on stream and API synchronization
// behavior; where a page says "may", the wait does not count.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_INFLIGHTFLOW_H
#define ECHO_ANALYSIS_CONDITIONS_INFLIGHTFLOW_H

#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Conditions/InFlightState.h"
#include "llvm/ADT/SetVector.h"

namespace echo::inflight {

/// Keeps what it found of each pair in Results.
class Flow {
public:
  Flow(const PairGroup &G, const MemoryObjects &Objects, StreamKeys &Keys,
       llvm::ArrayRef<unsigned> FirstAllocs)
      : Results(G.size(), S2Result{std::nullopt, true, {}, {}, {}, {}}), G(G),
        Objects(Objects), Keys(Keys), FirstAllocs(FirstAllocs),
        All(G.bits(true)), Nobody(G.bits()), Counted(G.bits()),
        OfUploads(G.bits()) {}

  void step(const Event &Ev, State &S);
  /// \p S after an edge that \p Query, if not null, was answered on: what it
  /// asked for is done.
  State alongEdge(State S, const Event *Query);
  /// \p OnEveryPath: of the entries only those of both, for a test.
  static void join(State &Into, const State &From, bool OnEveryPath);

  std::vector<S2Result> Results;
  bool Checking = false; ///< the fixed point is reached: report conflicts
  bool OnlyDefault = true;
  /// The places of the blocks in the order of the function.
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Places;
  /// Moves what startUpload() began, and nobody met, into the results.
  void collectUploads();

private:
  bool comesBefore(const Event &A, const Event &B) const {
    const llvm::BasicBlock *InA = A.At->getParent(), *InB = B.At->getParent();
    // The events of one block are in one array, in their order.
    return InA == InB ? &A < &B : Places.lookup(InA) < Places.lookup(InB);
  }
  void host(const Event &Ev, const State &S);
  void gpu(const Event &Ev, State &S);
  const llvm::BitVector &happens(const Event &Ev, int Linked);
  const llvm::BitVector &movesBytes(const Event &Ev);
  const llvm::BitVector &movesIfNotFailing(const Event &Ev);
  llvm::BitVector movesWhereApart(const Event &Ev, const llvm::BitVector &Pairs,
                                  int Linked);
  void copyDone(const Event &Ev, State &S, int Stream, int Linked);
  uint64_t joined(uint64_t Keys, int Stream) const;
  void enqueue(State &S, int Stream, const llvm::BitVector &Pairs);
  void meet(const Event &Ev, const Access &A, const State &S, int Stream,
            int Linked);
  void meetUploads(const Access &A, const State &S, int Stream);
  void startUpload(const Event &Ev, State &S, int Stream, int Linked);
  void forbidAll(const State &S);
  void allocated(const Event &Ev, State &S);
  void recorded(const Event &Ev, State &S);
  void streamWaits(const Event &Ev, State &S);
  void streamDestroyed(const Event &Ev, State &S);
  void outOfSight(State &S);
  void start(const Event &Ev, const Access &A, State &S, int Stream,
             const llvm::BitVector &Pairs, int Linked);
  void drop(State &S, uint64_t Waited, const llvm::BitVector &Pairs,
            const Event *By = nullptr);
  void clear(State &S, const llvm::BitVector &Pairs);

  const PairGroup &G;
  const MemoryObjects &Objects;
  StreamKeys &Keys;
  llvm::ArrayRef<unsigned> FirstAllocs; ///< by pair
  const llvm::BitVector All, Nobody;
  /// The pairs whose size is that many bytes, but for constant factors.
  llvm::DenseMap<const llvm::SCEV *, llvm::BitVector> OfSize;
  /// The pairs whose state changed by what the event waits for.
  llvm::BitVector Counted;
  llvm::BitVector OfUploads; ///< the pairs whose uploads that proves done
  llvm::BitVector Happening; ///< what happens() last answered
  /// By the pair and the event: the linking uploads, and those that somebody
  /// met.
  llvm::SetVector<std::pair<unsigned, const Event *>> Uploads;
  llvm::DenseSet<std::pair<unsigned, const Event *>> Met;
};

} // namespace echo::inflight

#endif
