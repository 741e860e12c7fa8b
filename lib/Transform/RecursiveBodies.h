//===- RecursiveBodies.h - Recursive functions made readable ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive function stays a call, and what it does with its arguments is
// summarized from its body, as clang wrote it: iterators go by address through
// small functions, as in std::sort. Makes a copy of each that has these inlined
// and no variables, for summaries to read. The functions stay as they are, and
// nothing calls the copies.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_RECURSIVEBODIES_H
#define ECHO_TRANSFORM_RECURSIVEBODIES_H

#include "Analysis/PointerUses.h"
#include "llvm/IR/PassManager.h"

namespace echo {

class Roots;

class RecursiveBodies {
public:
  /// Copies what the functions of \p R call, themselves or through others.
  RecursiveBodies(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                  const ModelTable &Models, const Roots &R);
  /// Removes the copies.
  ~RecursiveBodies();
  RecursiveBodies(const RecursiveBodies &) = delete;
  RecursiveBodies &operator=(const RecursiveBodies &) = delete;

  const SimpleBodies &table() const { return Bodies; }

private:
  llvm::FunctionAnalysisManager &FAM;
  SimpleBodies Bodies;
};

} // namespace echo

#endif
