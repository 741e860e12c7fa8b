//===- Decide.h - The decision about every pair of a function ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all conditions on the pairs of one normalized function and chooses among
// pairs that share a buffer. Accepts a pair only if every condition is proved;
// says why otherwise. Reads IR only.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_DECISION_DECIDE_H
#define ECHO_ANALYSIS_DECISION_DECIDE_H

#include "Analysis/Conditions/Condition.h"
#include "Analysis/Events/LoopWrites.h"
#include "llvm/IR/PassManager.h"

namespace echo {

/// What a pair has to do with the others that merge with one of its buffers.
enum class Sharing {
  Alone,    ///< there are none
  Turns,    ///< its other buffer takes turns with theirs
  Excludes, ///< its First is not there in an activation in which theirs is
  Joined    ///< one other pair of the same device buffer: all three share
};

/// One pair and what was decided.
struct PairDecision : Candidate {
  bool Accepted = false;
  Sharing With = Sharing::Alone;
  /// Was accepted, and is merged by a function that this one calls.
  bool InCallee = false;
  /// The unit has what must come before CUDA starts; the program starts CUDA
  /// after the host buffer's allocation, before any of that (CudaStart.h).
  bool NeedsLateCuda = false, CudaFollows = false;
  /// The user vouches for it.
  bool Listed = false;
  /// Run time has to compare the sizes of the two buffers.
  bool ComparesSizes = false;
  /// What it broke first of what the user's word overrules: a call, or events.
  std::optional<Refusal> OverruledRefusal;
  std::optional<Conflict> OverruledConflict;
  PairReport Report;

  /// True if nothing is to be told of the pair: each of its copies may be one
  /// of other buffers, and it does not merge.
  bool isGuess() const { return P.isChosen() && !Accepted; }
  /// True if it merges on the user's word only.
  bool isAssumed() const { return OverruledRefusal || OverruledConflict; }
};

/// The analysis of one function; keeps what the rewriter needs.
class FunctionDecision {
public:
  /// Analyzes \p F. Pairs of constant size below \p MinBytes are skipped.
  FunctionDecision(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   const UnitContext &Unit, uint64_t MinBytes);

  llvm::ArrayRef<PairDecision> pairs() const { return Decisions; }
  bool anyAccepted() const;
  /// Declined pairs whose pointers are in variables out of sight.
  const std::vector<PairReport> &hiddenPairs() const { return Hidden; }
  /// Copies that stay because one side is no buffer of the function.
  const std::vector<KeptCopy> &copiesKept() const { return Kept; }
  const MemoryObjects &objects() const { return Objects; }
  const Effects &effects() const { return Events; }
  const Sizes &sizes() const { return SizesOf; }
  /// True if a caller would know no more: all pairs are accepted or skipped, no
  /// copy, kernel or library call on the GPU uses a pointer that the function
  /// was given, and none of its buffers leaves it.
  bool complete() const { return Complete; }
  /// Declines pair \p I after all: \p Call of the view, which it needs, is no
  /// call of the program that can be told from others.
  void withdraw(unsigned I, const llvm::Instruction &Call);
  /// Gives up pair \p I, which a callee merges by itself.
  void leaveToCallee(unsigned I) {
    Decisions[I].Accepted = false;
    Decisions[I].InCallee = true;
  }
  /// Declines all pairs after all, for such a call of some pair.
  void withdrawAll();
  /// A wait that --repair added to the view, and where the program gets it.
  struct AddedWait {
    const llvm::CallInst *Wait;
    const llvm::CallBase *After;          ///< a call of the program
    const llvm::CallBase *User = nullptr; ///< a call that takes the stream
  };
  /// Notes in the report of the pair that is allocated at \p Host and \p Device
  /// that \p W was added for it.
  void noteAddedWait(const llvm::CallBase *Host, const llvm::CallBase *Device,
                     const AddedWait &W);
  llvm::ArrayRef<AddedWait> addedWaits() const { return Waits; }

private:
  void decide(llvm::ArrayRef<Pair> Pairs, PairContext &C, uint64_t MinBytes);
  void accept(PairDecision &D, const UnitContext &Unit);
  /// Declines accepted \p D after all, for \p Reason.
  static void takeBack(PairDecision &D, Blocker Reason);
  // Rivals.cpp
  bool sizesFit(const PairDecision &A, const PairDecision &B) const;
  bool takeTurns(const PairDecision &A, const PairDecision &B,
                 const Instances &S4) const;
  bool excludeEachOther(const PairDecision &A, const PairDecision &B) const;
  bool waitsDiffer(const llvm::Function &F, const PairDecision &A,
                   const PairDecision &B) const;
  bool joinHosts(PairDecision &A, PairDecision &B, PairContext &C);
  void declineRivals(PairContext &C);
  void collectKept(llvm::Function &F,
                   llvm::ArrayRef<const llvm::Instruction *> Explained);
  bool needsNoCaller(llvm::Function &F, const UnitContext &Unit) const;

  Sizes SizesOf;
  MemoryObjects Objects;
  Effects Events;
  std::vector<PairDecision> Decisions;
  HostDependentWork Work; ///< of the module
  std::vector<AddedWait> Waits;
  std::vector<PairReport> Hidden;
  std::vector<KeptCopy> Kept;
  bool Complete = false;
};

} // namespace echo

#endif
