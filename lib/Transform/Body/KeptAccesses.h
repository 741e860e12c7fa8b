//===- KeptAccesses.h - No access of a view is folded away ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions are checked on a view, which LLVM's passes simplify. What runs
// is the body, in which an unused load, or a store of what is there already,
// is an access: it may meet work of the GPU, and it writes old bytes over new
// ones. While this lives, passes leave each access to memory that is no local
// variable in the view. It decides nothing, and leaves the view as it was.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_BODY_KEPTACCESSES_H
#define ECHO_TRANSFORM_BODY_KEPTACCESSES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include <utility>

namespace llvm {
class Function;
} // namespace llvm

namespace echo {

/// Each load of memory that is no local variable, and each call that only
/// reads, is of use. Before a copy from there to a variable that nobody reads,
/// there is a load.
class KeptLoads {
public:
  explicit KeptLoads(llvm::Function &F);
  KeptLoads(const KeptLoads &) = delete;
  KeptLoads &operator=(const KeptLoads &) = delete;
  ~KeptLoads();

private:
  llvm::Function &F;
  llvm::Function *Nothing = nullptr; ///< what uses them
};

/// No store to such memory is taken for one of what is there already, and no
/// call that reads or writes it for one of a builtin. Not for passes that
/// promote variables: what these stores write may be one.
class KeptStores {
public:
  explicit KeptStores(llvm::Function &F);
  KeptStores(const KeptStores &) = delete;
  KeptStores &operator=(const KeptStores &) = delete;
  ~KeptStores();

private:
  llvm::Function &F;
  llvm::SmallVector<llvm::WeakVH, 64> Accesses, Calls;
  llvm::SmallVector<std::pair<llvm::WeakVH, llvm::Function *>, 8> Intrinsics;
  bool OwnVolatile = false; ///< the program has volatile accesses
};

/// Runs passes that promote variables, and no others. Pointers that are
/// variables become values first: what they point to may be one.
template <typename... PassTs>
void promoteBy(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               PassTs... Passes) {
  FAM.invalidate(F, llvm::PromotePass().run(F, FAM));
  KeptLoads Loads(F);
  (FAM.invalidate(F, Passes.run(F, FAM)), ...);
}

/// The same with SROA, as views are promoted.
void promoteBySroa(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Runs passes that fold and remove code.
template <typename... PassTs>
void foldBy(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
            PassTs... Passes) {
  KeptLoads Loads(F);
  KeptStores Stores(F);
  (FAM.invalidate(F, Passes.run(F, FAM)), ...);
}

} // namespace echo

#endif
