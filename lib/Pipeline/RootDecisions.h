//===- RootDecisions.h - What is decided about a module ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at every root by a view of it, a copy that is made readable, and
// decides about its pairs. Callees come before callers, which may inline what
// was made readable already. It changes no code that is emitted; views live as
// long as it does.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_PIPELINE_ROOTDECISIONS_H
#define ECHO_PIPELINE_ROOTDECISIONS_H

#include "Analysis/Decision/Decide.h"
#include "Pipeline/HostInputs.h"
#include "Report/HostReport.h"
#include "Transform/Body/CallPaths.h"
#include "Transform/View/RootCopies.h"
#include "Transform/View/Roots.h"

namespace echo {

/// A root with pairs that may merge.
struct ToMerge {
  llvm::Function *Root, *View;
  std::unique_ptr<FunctionDecision> Decision;
  bool Fits; ///< all that carries buffers was inlined into the view
};

class RootDecisions {
public:
  RootDecisions(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                const HostInputs &In, const Roots &R)
      : M(M), FAM(FAM), In(In), R(R), Numbers(M), Copies(R, FAM) {}
  /// Decides about the pairs of all roots.
  void decideAll();
  /// Roots with pairs that may merge, callees first.
  std::vector<ToMerge> &merging() { return Merging; }
  /// The decision about \p Root; null if none of its pairs may merge.
  const FunctionDecision *of(const llvm::Function &Root) const {
    return DecisionOf.lookup(&Root);
  }
  /// The calls of clang's code by number.
  CallNumbers &numbers() { return Numbers; }
  /// What is reported of all roots.
  HostReport &found() { return Found; }

private:
  /// The decision about view \p F, repaired where asked for.
  std::unique_ptr<FunctionDecision> decide(llvm::Function &F,
                                           const UnitContext &Context);
  void decideRoot(llvm::Function &Root, const UnitContext &Context);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  const HostInputs &In;
  const Roots &R;
  CallNumbers Numbers;
  RootCopies Copies;
  HostReport Found;
  std::vector<ToMerge> Merging;
  llvm::DenseMap<const llvm::Function *, const FunctionDecision *> DecisionOf;
  llvm::DenseSet<const llvm::Function *> Closed; ///< stay calls in views
  /// In a program whose many functions all inline the same large ones, each
  /// would take the time of the whole program. main, which comes last and holds
  /// most, is not cut.
  size_t Budget = 0;
};

/// Works on \p F, code that is emitted, as no pass may: where a test of the
/// erasure check asks for it (HostOptions::LeakView).
void leakInto(llvm::Function &F, const HostInputs &In, HostOptions::Leak Where);

} // namespace echo

#endif
