//===- RootCopies.h - Normalized copies of the roots ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A root's callers inline its normalized copy, so that what it calls is inlined
// and simplified once. A copy goes when every root that calls its function has
// been looked at, unless the function is to be rewritten.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_ROOTCOPIES_H
#define ECHO_TRANSFORM_ROOTCOPIES_H

#include "Transform/FunctionCopies.h"
#include "llvm/ADT/DenseSet.h"

namespace echo {

class Roots;

class RootCopies {
public:
  RootCopies(const Roots &R, llvm::FunctionAnalysisManager &FAM);
  RootCopies(const RootCopies &) = delete;
  RootCopies &operator=(const RootCopies &) = delete;
  /// Removes the copies that were not taken.
  ~RootCopies();

  /// The copies that may be inlined.
  const FunctionCopies &toInline() const { return ToInline; }
  /// \p Root was looked at by its normalized copy \p Copy, which is kept for
  /// its callers, for the rewrite of \p Root, for both or for neither.
  void lookedAt(const llvm::Function &Root, llvm::Function &Copy, bool Inline,
                bool Rewrite);
  /// The copy that was kept for the rewrite of \p Root, now the caller's, or
  /// null.
  llvm::Function *take(const llvm::Function &Root);

private:
  void drop(const llvm::Function &Root);

  llvm::FunctionAnalysisManager &FAM;
  FunctionCopies ToInline, ToRewrite;
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::Function *, 4>>
      Callees;                                            ///< among the roots
  llvm::DenseMap<const llvm::Function *, unsigned> Callers; ///< still to come
};

} // namespace echo

#endif
