//===- BufferFlow.h - Which calls of a function carry buffers ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which values of a function have to do with what CUDA and its
// libraries are given: buffers, memory that holds their addresses, numbers that
// make sizes, and what CUDA's calls answer. From the function's own code alone,
// without order: what is stored in memory may be loaded from it anywhere. A
// call that has none of them need not be inlined into a view: what is left of
// it reads and writes memory that no pair has. It never changes IR, and nothing
// is proved by it: a call that stays is one of a function in sight.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_BUFFERFLOW_H
#define ECHO_TRANSFORM_VIEW_BUFFERFLOW_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <utility>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace echo {

class BufferFlow {
public:
  /// True of some calls.
  using Which = llvm::function_ref<bool(const llvm::CallBase &)>;
  /// \p IsGpu: CUDA or one of its libraries gets the call, or a function that
  /// calls them. \p MayShow: what the call does with its pointers shows once it
  /// is inlined. Others may store each in what another one leads to.
  BufferFlow(const llvm::Function &F, Which IsGpu, Which MayShow);
  /// True if \p Call, of a function in sight, gets or gives such a value.
  bool carries(const llvm::CallBase &Call) const;

private:
  unsigned number(const llvm::Value &V);
  /// The class of \p V, or -1: it points to no memory of the program's.
  int classOf(const llvm::Value *V) const;
  void unite(const llvm::Value *A, const llvm::Value *B);
  /// Address and number, of loads or stores.
  using Accesses =
      llvm::SmallVector<std::pair<const llvm::Value *, const llvm::Value *>,
                        32>;
  void add(Accesses &To, const llvm::Value *Address, const llvm::Value *Number);
  void connect(const llvm::Instruction &I, Which MayShow);
  void connectCall(const llvm::CallBase &Call, bool Shows);
  /// What such values are made of is one, too.
  void need(const llvm::Value *V);
  void propagate();
  void followAnswers();

  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  llvm::IntEqClasses Classes; ///< pointers that may lead to the same memory
  Accesses Stores, Loads;
  llvm::SmallVector<const llvm::CallBase *, 16> Gpu;
  llvm::BitVector Tainted;                          ///< by class
  llvm::DenseMap<const llvm::Value *, bool> Needed; ///< numbers, and if done
  llvm::DenseSet<const llvm::Value *> Answers;      ///< of Gpu, as numbers
};

} // namespace echo

#endif
