//===- BodyCalls.h - The calls of a body that a decision names --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decision is about calls of a view. Finds for each call that takes part in a
// merge the call of the body with the same path. Where a view holds several
// calls of one path (a loop that was unrolled), they must play the same part,
// as the body has one call for all of them, and run time must find which of
// several buffers belong together. A pair for which that does not hold, or of
// which some call is not found, is withdrawn, with all that share a buffer with
// it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_EMIT_BODYCALLS_H
#define ECHO_TRANSFORM_EMIT_BODYCALLS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include <map>

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

class Body;
class FunctionDecision;
struct PairDecision;

/// By pair of \p D, which was made of \p View: the paths of the calls that its
/// merge needs in a body. Accepted pairs only.
std::map<unsigned, llvm::SmallVector<llvm::StringRef, 8>>
pathsNeeded(const FunctionDecision &D, llvm::Function &View);

class BodyCalls {
public:
  /// Withdraws pairs of \p D, which was made of \p View, until all calls of the
  /// accepted ones are found in \p B.
  BodyCalls(FunctionDecision &D, llvm::Function &View, Body &B);
  /// The body's call for \p Call of the view, which an accepted pair needs.
  llvm::CallBase &operator[](const llvm::Instruction *Call) const {
    return *Found.at(Call);
  }

  /// True if the body's call for allocation \p Alloc of the view stands for
  /// several calls of the view.
  bool isShared(const llvm::CallBase &Alloc) const;

private:
  using Losses = std::map<unsigned, const llvm::Instruction *>; ///< by pair
  Losses find(const FunctionDecision &D, llvm::Function &View, Body &B);
  bool meetsPartner(const FunctionDecision &D, const PairDecision &P) const;

  llvm::DominatorTree DT; ///< of the view
  llvm::LoopInfo LI;
  std::map<llvm::StringRef, llvm::SmallVector<const llvm::CallBase *, 1>>
      ByPath;
  llvm::DenseMap<const llvm::Instruction *, llvm::CallBase *> Found;
};

} // namespace echo

#endif
