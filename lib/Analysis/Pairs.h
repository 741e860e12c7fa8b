//===- Pairs.h - Candidate pairs and their linking copies -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate pair is a host and a device buffer that some copy moves bytes
// between. Collects the pairs of a function; whether one may merge is decided
// elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_PAIRS_H
#define ECHO_ANALYSIS_PAIRS_H

#include "Analysis/Effects.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace echo {

/// One host and one device buffer of a function.
struct Pair {
  unsigned Host, Device;
  std::vector<const Event *> Copies; ///< all copies between the two
  unsigned Weight = 0; ///< more for copies in loops; decides among rivals

  /// The other buffer of the pair.
  unsigned partner(unsigned Object) const {
    return Object == Host ? Device : Host;
  }
  bool has(unsigned Object) const { return Object == Host || Object == Device; }
  /// True if \p E is a copy between the two buffers.
  bool links(const Event &E) const {
    return E.Kind == EventKind::Copy && E.Dst >= 0 && E.Src >= 0 &&
           E.Dst != E.Src && has(E.Dst) && has(E.Src);
  }
};

/// All candidate pairs of \p F, heaviest first, then in source order.
std::vector<Pair> findPairs(const llvm::Function &F, const Effects &E,
                            const MemoryObjects &Objects,
                            const llvm::LoopInfo &LI);

} // namespace echo

#endif
