//===- ThreadLoop.h - The loop over threadIdx.x -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the loop over one row of a block's threads as good as a plain C++
// loop. Threads of a block that never wait for each other are unordered, so
// the loop is parallel. Threads that a kernel's first guards (`if (i < n)`)
// send home do nothing, so the loop runs over the others only, without the
// guards, provided that no index of the block wraps. Private to
// lib/CpuDevice.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CPUDEVICE_THREADLOOP_H
#define ECHO_CPUDEVICE_THREADLOOP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace echo::cpudevice {

/// Analyzes one kernel body (with hidden arguments) and builds the conditions
/// and the body of its fast version. In all emit functions \p Actual are the
/// values of the body's arguments at the insertion point.
class ThreadLoop {
public:
  /// Finds guards and indices of \p Body and marks its memory accesses as
  /// parallel.
  explicit ThreadLoop(llvm::Function &Body);

  /// Emits, as often as needed, "no index that matters wraps for any thread".
  /// Null if there is nothing to gain from a fast version.
  llvm::Value *emitNoWrap(llvm::IRBuilder<> &B,
                          llvm::ArrayRef<llvm::Value *> Actual);
  /// Emits, once per row, the first threadIdx.x that passes the guards and the
  /// one after the last. Right only where emitNoWrap's value holds.
  std::pair<llvm::Value *, llvm::Value *>
  emitRange(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Actual);
  /// Emits an expression of the body's arguments for threadIdx.x = 0.
  llvm::Value *emitFirst(llvm::IRBuilder<> &B, llvm::Value *V,
                         llvm::ArrayRef<llvm::Value *> Actual);
  /// True if \p V is known to grow by 0 to 1024 per threadIdx.x.
  bool growsWithThread(llvm::Value *V) {
    auto S = isAffine(V) ? slope(V) : std::nullopt;
    return S && *S >= 0 && *S <= 1024;
  }
  /// True if \p V is the same for all threads of the block.
  bool isSameForBlock(llvm::Value *V) { return isPoint(V); }
  /// A copy of the body for threads in that range.
  llvm::Function *makeFastBody();
  /// Marks the loop that \p Latch closes as parallel; \p Rare: it runs for few
  /// blocks and is not worth vectorizing.
  void annotate(llvm::BranchInst &Latch, bool Rare);

private:
  using Bindings = llvm::DenseMap<llvm::Value *, llvm::Value *>;
  /// Exact (wide) bounds of a value over the whole block.
  struct Bounds {
    llvm::Value *Low, *High;
    bool isPoint() const { return Low == High; }
  };
  /// `Value + Slope * threadIdx.x < 0`, in source operands.
  struct Guard {
    llvm::ICmpInst *Compare;
    bool Pass;
  };

  void findGuards();
  bool addGuard(llvm::Value *Condition, bool Pass);
  void findIndices();
  bool isPoint(llvm::Value *V, unsigned Depth = 0);
  bool isAffine(llvm::Value *V, unsigned Depth = 0);
  std::optional<int64_t> slope(llvm::Value *V);
  llvm::Value *evaluate(llvm::IRBuilder<> &B, llvm::Value *V, Bindings &Known);
  Bounds bounds(llvm::IRBuilder<> &B, llvm::Value *V);
  Bounds boundsOf(llvm::IRBuilder<> &B, llvm::Instruction &I);
  void requireFits(llvm::IRBuilder<> &B, Bounds R, llvm::Type *T);
  void requireNonNegative(llvm::IRBuilder<> &B, Bounds R);
  void bindArguments(llvm::ArrayRef<llvm::Value *> Actual, Bindings &Known);
  void tagAccesses();

  llvm::Function &Body;
  llvm::Argument *ThreadX; ///< y and z follow, then the dimensions
  llvm::MDNode *AccessGroup = nullptr;
  llvm::SmallVector<Guard> Guards;
  /// Instructions that do not wrap in the fast version.
  llvm::SmallVector<llvm::Instruction *> Indices;
  llvm::DenseMap<llvm::Value *, bool> Points, Affine;
  Bindings AtEntry;
  llvm::DenseMap<llvm::Value *, Bounds> Known;
  llvm::SmallVector<llvm::Value *> Conditions;
};

} // namespace echo::cpudevice

#endif
