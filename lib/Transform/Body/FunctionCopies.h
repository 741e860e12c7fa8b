//===- FunctionCopies.h - Copies of functions to work on --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy is looked at, inlined or takes its function's place; nothing calls it.
// For a debugger it is the function: both have one subprogram, so a module must
// not keep both.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_BODY_FUNCTIONCOPIES_H
#define ECHO_TRANSFORM_BODY_FUNCTIONCOPIES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace echo {

/// By function, a copy that computes the same and is simpler.
using FunctionCopies = llvm::DenseMap<const llvm::Function *, llvm::Function *>;

/// A copy of \p F in its module, named like it, and \p Suffix.
llvm::Function *copyOf(llvm::Function &F, llvm::StringRef Suffix);

/// Removes \p Copy, which nothing uses, and what \p FAM knows of it.
void eraseCopy(llvm::Function &Copy, llvm::FunctionAnalysisManager &FAM);

} // namespace echo

#endif
