//===- SimpleBodies.h - Functions that stay calls, readable -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function that stays a call (recursive, noinline) does with its
// arguments is summarized from its body, as clang wrote it: iterators go by
// address through small functions, as in std::sort. Makes, where that does not
// do, a copy that has these inlined and no variables, for summaries to read.
// The functions stay as they are, and nothing calls the copies.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_SIMPLEBODIES_H
#define ECHO_TRANSFORM_VIEW_SIMPLEBODIES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace echo {

class ModelTable;
class Roots;

class SimpleBodies {
public:
  SimpleBodies(llvm::FunctionAnalysisManager &FAM, const ModelTable &Models,
               const Roots &R)
      : FAM(FAM), Models(Models), R(R) {}
  SimpleBodies(const SimpleBodies &) = delete;
  SimpleBodies &operator=(const SimpleBodies &) = delete;
  /// Removes the copies.
  ~SimpleBodies();

  /// The copy of \p F, made at the first call, or null: it is too large.
  const llvm::Function *of(const llvm::Function &F);

private:
  llvm::FunctionAnalysisManager &FAM;
  const ModelTable &Models;
  const Roots &R;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Copies;
};

} // namespace echo

#endif
