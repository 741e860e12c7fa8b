//===- Instances.h - Condition S4: which h belongs to which d? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S4 of one pair. The runtime frees the merged block after both frees; what is
// left to prove is that each activation ties one h to one d: both are allocated
// in the same loop, always in the same order, no pointer crosses to another
// iteration, and no device reset happens while either exists. One may be
// allocated without the other (an empty vector allocates nothing); where the
// first may be freed before the second is allocated, the rewrite makes that the
// same.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_INSTANCES_H
#define ECHO_ANALYSIS_CONDITIONS_INSTANCES_H

#include "Analysis/Candidates/Pairs.h"

namespace llvm {
class DominatorTree;
class Loop;
class PHINode;
} // namespace llvm

namespace echo {

class LiveInstances;

/// The buffers of object number \p Object of \p F, whose address is what its
/// allocations return.
LiveInstances liveInstances(const llvm::Function &F, const Effects &E,
                            const MemoryObjects &Objects, unsigned Object);

struct S4Result {
  /// The object of the pair that is allocated first, if S4 holds.
  std::optional<unsigned> First;
  std::optional<Refusal> Why; ///< set if S4 does not hold
  bool Resized = false;       ///< see Pair
  bool Grown = false;         ///< see Pair
  /// Frees of First after which the other may be allocated: it then stays
  /// apart.
  llvm::SmallVector<const Event *, 1> EarlyFrees;
};

/// Checks S4 of one pair after the other.
class Instances {
public:
  Instances(const llvm::Function &F, const Effects &E,
            const MemoryObjects &Objects, const Sizes &S,
            const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

  S4Result check(const Pair &P) const;
  /// True if \p A may be allocated before \p B is freed, or the other way
  /// iteration.
  bool mayExistTogether(unsigned A, unsigned B) const;

private:
  bool follows(const MemoryObject &First, const MemoryObject &Second,
               const llvm::Loop *L) const;
  bool crossesIteration(unsigned Object, bool Resized) const;
  bool mayMergeInSomeTurns(const Pair &P) const;
  /// A free of \p First before \p Second exists, where Second may follow and is
  /// not kept apart, or null. \p Apart gets those where it is.
  const Event *freedTooEarly(unsigned First, unsigned Second,
                             llvm::SmallVectorImpl<const Event *> &Apart) const;
  /// A device reset that \p Object may live to see, or null.
  const Event *resetWhileThere(unsigned Object) const;
  bool isGrown(const Pair &P) const;
  bool secondFollows(const Event &Freed, unsigned First, unsigned Second) const;
  bool staysApart(const Event &Freed, unsigned First, unsigned Second) const;

  const llvm::Function &F;
  const Effects &E;
  const MemoryObjects &Objects;
  const Sizes &S;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  // By object: its allocation; the frees in order; phis of loops that carry its
  // pointer on.
  std::vector<const Event *> Allocs;
  std::vector<llvm::SmallVector<const Event *, 2>> Frees;
  std::vector<llvm::SmallVector<const llvm::PHINode *, 2>> HeaderPhis;
  bool HasReset = false;
};

} // namespace echo

#endif
