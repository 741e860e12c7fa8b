//===- Emission.h - What is emitted of a module -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites the bodies of roots with accepted pairs: clang's code, in which
// LLVM's inliner works on the paths to the calls that the decision names
// (Body.h). Where the erasure check is on, it compares the result with what
// clang made.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_EMISSION_H
#define ECHO_PIPELINE_EMISSION_H

#include "Pipeline/RootDecisions.h"
#include "Transform/Emit/Erasure.h"
#include "Transform/Emit/ReclaimPool.h"
#include "Transform/Emit/SharedCalls.h"

namespace echo {

class Emission {
public:
  /// Before \p Decided looked at \p M, which is as clang made it.
  Emission(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
           const HostInputs &In, const Roots &R, RootDecisions &Decided);
  /// Rewrites what was decided. True if anything is emitted that clang did not
  /// make.
  bool emitAll();
  /// What is reported of the module's pairs.
  UnitReport report();

private:
  bool emitRoot(ToMerge &T, ErasureCheck *Check);
  /// Gives up the pairs of \p T that functions which it calls merge.
  void leaveToCallees(ToMerge &T);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  const HostInputs &In;
  const Roots &R;
  RootDecisions &Decided;
  llvm::SmallVector<llvm::Function *, 64> Own; ///< all functions of the module
  std::optional<FunctionHashes> Written;       ///< of clang's code
  llvm::DenseSet<const llvm::Function *> Rewritten;
  AskedCalls Asked;
  llvm::DenseSet<const llvm::Function *> RunThemselves; ///< pairs left to them
  SharedCalls Shared;
};

} // namespace echo

#endif
