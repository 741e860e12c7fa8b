//===- TailCalls.h - Recursion that is a loop -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that calls itself cannot be inlined for good: one call of it
// stays. Where each such call is the last that it does, a copy of it can do the
// same in a loop, and be inlined in its place.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_TAILCALLS_H
#define ECHO_TRANSFORM_VIEW_TAILCALLS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/PassManager.h"
#include <functional>

namespace echo {

/// Copies of functions that call themselves last, as loops; gone with this.
class TailCalls {
public:
  /// \p Prepare makes values of the variables of a function's copy.
  using Preparation =
      std::function<void(llvm::Function &Original, llvm::Function &Copy)>;
  TailCalls(llvm::FunctionAnalysisManager &FAM, Preparation Prepare)
      : FAM(FAM), Prepare(std::move(Prepare)) {}
  TailCalls(const TailCalls &) = delete;
  TailCalls &operator=(const TailCalls &) = delete;
  ~TailCalls();

  /// A copy of \p F, whose body is in sight, that calls neither itself nor
  /// \p F; or null if there is none, or \p F does not call itself.
  llvm::Function *asLoop(llvm::Function &F);

private:
  llvm::FunctionAnalysisManager &FAM;
  Preparation Prepare;
  llvm::MapVector<llvm::Function *, llvm::Function *> Copies;
};

} // namespace echo

#endif
