//===- ThreadLoop.h - The loop over threadIdx.x -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the loop over one row of a block's threads as good as a plain C++
// loop. Threads of a block that never wait for each other are unordered, so
// the loop is parallel. Where every thread of the row passes the kernel's
// guards (`if (i < n)`) and no index wraps, a version without the guards runs.
// Private to lib/Transform/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_CPUDEVICE_THREADLOOP_H
#define ECHO_TRANSFORM_CPUDEVICE_THREADLOOP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace echo::cpudevice {

/// Analyzes one kernel body (with hidden arguments) and builds the condition
/// and the body of its fast version.
class ThreadLoop {
public:
  /// Finds guards and indices of \p Body and marks its memory accesses as
  /// parallel.
  explicit ThreadLoop(llvm::Function &Body);

  /// Emits "the whole row passes" before the loop, with \p Actual the values
  /// of the body's arguments there (threadIdx.x is not used). Null if there is
  /// nothing to gain.
  llvm::Value *emitFastCondition(llvm::IRBuilder<> &B,
                                 llvm::ArrayRef<llvm::Value *> Actual);
  /// A copy of the body for rows that pass.
  llvm::Function *makeFastBody();
  /// Marks the loop that \p Latch closes as parallel; \p Rare: it runs for few
  /// blocks and is not worth vectorizing.
  void annotate(llvm::BranchInst &Latch, bool Rare);

private:
  /// A value that grows by a fixed amount from thread to thread, as its exact
  /// (wide) values at both ends of the row.
  struct Ends {
    llvm::Value *First;
    llvm::Value *Last;
  };

  void findGuards();
  bool addGuard(llvm::Value *Condition, bool Pass);
  void findIndices();
  bool isUniform(llvm::Value *V, unsigned Depth = 0);
  bool isLinear(llvm::Value *V, unsigned Depth = 0);
  llvm::Value *uniform(llvm::IRBuilder<> &B, llvm::Value *V);
  Ends ends(llvm::IRBuilder<> &B, llvm::Value *V);
  Ends endsOf(llvm::IRBuilder<> &B, llvm::Instruction &I);
  void require(llvm::IRBuilder<> &B, llvm::Value *Condition);
  void requireFits(llvm::IRBuilder<> &B, Ends E, llvm::Type *T);
  void requireNonNegative(llvm::IRBuilder<> &B, Ends E);
  void requireGuard(llvm::IRBuilder<> &B, llvm::ICmpInst &Compare, bool Pass);
  void tagAccesses();

  llvm::Function &Body;
  llvm::Argument *ThreadX;
  llvm::MDNode *AccessGroup = nullptr;
  /// Comparisons that hold (true) or fail (false) for threads that go on.
  llvm::MapVector<llvm::ICmpInst *, bool> Guards;
  /// Instructions that do not wrap in the fast version.
  llvm::SmallVector<llvm::Instruction *> Indices;
  llvm::DenseMap<llvm::Value *, bool> Uniform, Linear;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Emitted;
  llvm::DenseMap<llvm::Value *, Ends> EmittedEnds;
  llvm::SmallVector<llvm::Value *> Conditions;
};

} // namespace echo::cpudevice

#endif
