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
#ifndef ECHO_ANALYSIS_LOOPWRITES_H
#define ECHO_ANALYSIS_LOOPWRITES_H

#include "Analysis/Effects.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace echo {

/// A loop, with those inside it, that overwrites the first bytes of a buffer.
struct LoopWrite {
  unsigned Object;
  const llvm::Loop *Outermost;
  const llvm::SCEV *Bytes; ///< how many, from the first on
  /// The only edge out of the loop.
  const llvm::BasicBlock *Exiting, *Exit;
};

/// All such loops of \p F.
llvm::SmallVector<LoopWrite, 4> findLoopWrites(llvm::Function &F,
                                               const MemoryObjects &Objects,
                                               llvm::ScalarEvolution &SE,
                                               const llvm::LoopInfo &LI,
                                               const llvm::DominatorTree &DT);

} // namespace echo

#endif
