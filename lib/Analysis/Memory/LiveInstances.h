//===- LiveInstances.h - Does one buffer of a site exist? -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether, at a place, at most one of the buffers still exists that an
// allocation in a loop, or several, made: a growing std::vector allocates the
// next one, moves its elements there, and frees the one before. Knows a buffer
// only by the values that are its address on all ways there; what nobody frees
// still exists. It never changes IR.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_MEMORY_LIVEINSTANCES_H
#define ECHO_ANALYSIS_MEMORY_LIVEINSTANCES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <algorithm>
#include <optional>

namespace echo {

class LiveInstances {
public:
  /// The addresses that each call gets to free. A call that may fail is none.
  using FreedBy = llvm::DenseMap<const llvm::Instruction *,
                                 llvm::SmallVector<const llvm::Value *, 1>>;
  /// Of what \p Allocs of \p F return. \p Freed: all that frees some of it may
  /// be there; what is not there counts as nothing.
  LiveInstances(const llvm::Function &F,
                llvm::ArrayRef<const llvm::CallBase *> Allocs, FreedBy Freed);
  /// True if right before \p At at most one buffer of the object exists.
  bool oneAt(const llvm::Instruction &At) const;
  /// True if no buffer exists where \p BB begins.
  bool noneAt(const llvm::BasicBlock &BB) const;
  /// True if right before \p At no other buffer exists than one at \p Address.
  bool onlyAt(const llvm::Instruction &At, const llvm::Value *Address) const;

private:
  /// A set in one piece of memory: states are copied and compared at each edge.
  template <typename T> class Sorted : public llvm::SmallVector<T, 4> {
  public:
    void insert(const T &V) {
      auto It = std::lower_bound(this->begin(), this->end(), V);
      if (It == this->end() || *It != V)
        llvm::SmallVector<T, 4>::insert(It, V);
    }
    bool count(const T &V) const {
      return std::binary_search(this->begin(), this->end(), V);
    }
  };
  using Values = Sorted<const llvm::Value *>;
  using Places = std::pair<const llvm::Value *, const llvm::Value *>;
  /// What is known at a place. A fact names values as they are there.
  struct State {
    bool None = false;    ///< no buffer exists
    Values One;           ///< all that exists is at each of these addresses
    Sorted<Places> Pairs; ///< all that exists is at the two; the lesser first
    bool operator==(const State &) const = default;
    bool isOne(const llvm::Value *V) const { return None || One.count(V); }
  };
  static Places ordered(const llvm::Value *A, const llvm::Value *B) {
    return std::less<>()(A, B) ? Places{A, B} : Places{B, A};
  }
  static void meet(State &Into, const State &From);
  static void ended(State &S, const llvm::Value *Address);
  static void allocated(State &S, const llvm::Value *Fresh);
  void step(const llvm::Instruction &I, State &S) const;
  std::optional<State> before(const llvm::Instruction &At) const;
  State alongEdge(const State &S, const llvm::BasicBlock &From,
                  const llvm::BasicBlock &To) const;

  llvm::SmallPtrSet<const llvm::Instruction *, 4> Allocs;
  FreedBy Freed;
  llvm::DenseMap<const llvm::BasicBlock *, State> In; ///< of what is reached
};

} // namespace echo

#endif
