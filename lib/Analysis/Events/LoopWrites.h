//===- LoopWrites.h - Host loops that write a whole buffer ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loops of the host that store to every byte of a buffer, from the first
// to the last, before control leaves them: the usual way to fill an input
// again. A loop counts only if scalar evolution proves the addresses and the
// number of iterations, if nothing leaves it early, and if it reads nothing of
// the buffer. It decides nothing about pairs and changes no IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_LOOPWRITES_H
#define ECHO_ANALYSIS_EVENTS_LOOPWRITES_H

#include "Analysis/Events/Effects.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace echo {

/// A loop, with those inside it, that overwrites the first bytes of a buffer
/// by stores, or by copies from its partner.
struct LoopWrite {
  unsigned Object;
  const llvm::Loop *Outermost;
  const llvm::SCEV *Bytes; ///< how many, from the first on
  /// The edge on which it has done so.
  const llvm::BasicBlock *Exiting, *Exit;
  bool ByCopies = false;
  /// Loads in the loop that only see what the loop's own store put there
  /// before.
  llvm::SmallPtrSet<const llvm::Instruction *, 2> Rereads = {};
};

/// An edge of the control flow, from and to.
using FlowEdge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

/// The edges on which the headers of loops that may wait for the GPU end them,
/// where that is never before the first iteration.
llvm::DenseSet<FlowEdge> exitsBehindRounds(const Effects &E,
                                           const llvm::LoopInfo &LI,
                                           llvm::ScalarEvolution &SE);

/// All such loops of \p F.
llvm::SmallVector<LoopWrite, 4>
findLoopWrites(llvm::Function &F, const Effects &E,
               const MemoryObjects &Objects, llvm::ScalarEvolution &SE,
               const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

} // namespace echo

#endif
