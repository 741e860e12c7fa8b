//===- Normalize.h - Brings a function into analyzable form -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines what carries buffers into a root function (check functions, wrappers,
// constructors), turns out-parameters into values and promotes memory to
// values, with LLVM's own passes. The function computes what it did before. The
// functions that are inlined stay as they are.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_NORMALIZE_H
#define ECHO_TRANSFORM_VIEW_NORMALIZE_H

#include "Transform/Body/FunctionCopies.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/PassManager.h"

namespace echo {

class ModelTable;
class Roots;

/// Instructions; beyond them a function is not analyzed.
inline constexpr size_t MaxRoot = 40000;
/// The same where all functions of a module before it took what time there is.
inline constexpr size_t MaxRootWithoutBudget = 4000;

/// Passes make inlined code smaller, but not by that much.
inline constexpr size_t HopelessFactor = 25;

/// Normalizes \p F in place: inlineAndSplit, then simplify. Returns false if
/// the function grew past \p MaxSize: it is valid, but not worth analyzing.
bool normalize(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               const ModelTable &Models, const Roots &R,
               const llvm::DenseSet<const llvm::Function *> &Closed,
               size_t MaxSize = MaxRoot);

/// The first step: inlines, and makes values of variables and of the fields of
/// objects. Functions in \p Closed are never inlined; of those in \p Prepared
/// the copies are, which came this far. Returns false as normalize does.
bool inlineAndSplit(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                    const ModelTable &Models, const Roots &R,
                    const llvm::DenseSet<const llvm::Function *> &Closed,
                    const FunctionCopies &Prepared, size_t MaxSize);

/// The second step: computes what is constant and drops what never runs.
void simplify(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
              const ModelTable &Models);

/// Lets \p F, a copy, be inlined into and changed by passes, where clang was
/// told not to optimize it.
void allowPasses(llvm::Function &F);

/// Inlines into \p F, in place, what it calls with pointers, but for functions
/// in \p Closed, and makes values of variables.
void simplifyBody(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const ModelTable &Models, const Roots &R,
                  const llvm::DenseSet<const llvm::Function *> &Closed);

/// Removes what __restrict__ parameters of functions inlined into \p F say.
/// They were right to say that a host pointer and a device pointer never meet;
/// after the merge they do, and LLVM would move host accesses over launches.
void dropRestrict(llvm::Function &F);

} // namespace echo

#endif
