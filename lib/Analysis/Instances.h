//===- Instances.h - Condition S4: which h belongs to which d? --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// S4 of one pair. The runtime frees the merged block after both frees; what is
// left to prove is that each activation ties one h to one d: both are allocated
// in the same loop, always in the same order, no pointer crosses to another
// iteration, the first is not freed before the second is allocated, and no
// device reset happens while either exists. One may be allocated without the
// other (an empty vector allocates nothing).
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_INSTANCES_H
#define ECHO_ANALYSIS_INSTANCES_H

#include "Analysis/Pairs.h"

namespace echo {

struct S4Result {
  /// The object of the pair that is allocated first, if S4 holds.
  std::optional<unsigned> First;
  std::optional<Refusal> Why; ///< set if S4 does not hold
};

S4Result checkS4(const llvm::Function &F, const Effects &E, const Pair &P,
                 const MemoryObjects &Objects, const llvm::LoopInfo &LI);

} // namespace echo

#endif
