//===- RootCopies.h - Normalized copies of the roots ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A root's callers inline a copy of it, into which what it calls was inlined,
// so that this is done once. That copy goes when every root that calls its
// function has been looked at.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_ROOTCOPIES_H
#define ECHO_TRANSFORM_VIEW_ROOTCOPIES_H

#include "Transform/Body/FunctionCopies.h"
#include "llvm/ADT/DenseSet.h"

namespace echo {

class Roots;

class RootCopies {
public:
  RootCopies(const Roots &R, llvm::FunctionAnalysisManager &FAM);
  RootCopies(const RootCopies &) = delete;
  RootCopies &operator=(const RootCopies &) = delete;
  /// Removes all copies.
  ~RootCopies();

  /// The copies that may be inlined.
  const FunctionCopies &toInline() const { return ToInline; }
  /// True if a root that was not looked at yet calls \p Root.
  bool hasCallers(const llvm::Function &Root) const {
    return Callers.lookup(&Root) != 0;
  }
  /// What \p Root calls was inlined into its copy.
  void inlinedInto(const llvm::Function &Root);
  /// \p Root was looked at by its copy \p Own, which is kept as long as this
  /// lives if \p Keep is set: a decision speaks of it. \p ForCallers, which may
  /// be \p Own or null, is kept for callers if they may \p Inline it. What is
  /// not kept is removed.
  void lookedAt(const llvm::Function &Root, llvm::Function &Own, bool Keep,
                llvm::Function *ForCallers, bool Inline);

private:
  void drop(const llvm::Function &Root);

  llvm::FunctionAnalysisManager &FAM;
  FunctionCopies ToInline;
  llvm::DenseSet<llvm::Function *> Kept; ///< a decision speaks of them
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::Function *, 4>>
      Callees;                                              ///< among the roots
  llvm::DenseMap<const llvm::Function *, unsigned> Callers; ///< still to come
};

} // namespace echo

#endif
