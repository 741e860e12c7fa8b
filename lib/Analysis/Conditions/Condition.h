//===- Condition.h - What must hold of a pair -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition is asked of candidate pairs, one condition after the other, in
// the order of Conditions.def. It declines those that break it and says why;
// it never accepts, and never changes IR. What it finds and the rewrite needs,
// it leaves in the candidate.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CONDITIONS_CONDITION_H
#define ECHO_ANALYSIS_CONDITIONS_CONDITION_H

#include "Analysis/Candidates/PairGroup.h"
#include "Analysis/Conditions/Instances.h"
#include "Analysis/Events/LoopWrites.h"
#include "Analysis/Events/StreamKeys.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace echo {

/// Two events that break a condition, in order.
struct Conflict {
  Blocker Reason;
  const Event *First;  ///< the write, or the GPU work in flight
  const Event *Second; ///< the read, or the access that meets it; may be null
  /// A copy between the two that would overwrite what is read, but fails where
  /// a buffer that it needs was not allocated; or null.
  const Event *MayFail = nullptr;
};

/// GPU work, and the access that meets it while it may be in flight.
struct InFlightMeeting {
  llvm::Instruction *Work, *Access;
  llvm::Value *Stream; ///< of the work; null: the default one, or not known
  bool PerThread;      ///< a default stream is the thread's own
};

/// A pair of which the conditions are asked.
struct Candidate {
  Pair P;
  /// What it breaks: a call or buffer, or two events. Neither: all held so far.
  std::optional<Refusal> Refused;
  std::optional<Conflict> Violation;
  bool holds() const { return !Refused && !Violation; }

  /// S4: the object that is allocated first.
  unsigned First = 0;
  /// S4: frees of the first object after which the other may be allocated: from
  /// then on that one stays apart.
  llvm::SmallVector<const Event *, 1> EarlyFrees = {};
  /// S2: no GPU work is in flight at any host access to h.
  bool Quiescent = false;
  /// S2: linking copies at which no GPU work of the function can be in flight.
  std::vector<const Event *> IdleCopies = {};
  /// S2: linking copies at which no code of the GPU that the function started
  /// can be in flight.
  std::vector<const Event *> CopiesWithoutCode = {};
  /// S2: copies and sets of other buffers whose order must be there even if
  /// they fail.
  std::vector<const Event *> Unsure = {};
  /// S2: uploads that may go on after their return (S2Result).
  std::vector<const Event *> AsyncUploads = {};
  /// Set where nothing but S2 keeps the pair from merging.
  std::optional<InFlightMeeting> Meeting = {};
};

/// The function whose pairs are checked, and what is known of it.
struct PairContext {
  PairContext(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
              const UnitContext &Unit, const Effects &Events,
              const MemoryObjects &Objects, const Sizes &SizesOf);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const UnitContext &Unit;
  const Effects &Events;
  const MemoryObjects &Objects;
  const Sizes &SizesOf;
  llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  Instances Lifetimes; ///< what S4 asks
  StreamKeys Keys;
  /// Edges on which loops have waited; S2 finds them where it needs them.
  llvm::DenseSet<FlowEdge> LoopExits;
};

class Condition {
public:
  virtual ~Condition() = default;
  /// Its name in Conditions.def, in docs and in tests.
  virtual llvm::StringRef id() const = 0;
  /// Declines those of \p Left that break it. All of them hold so far.
  virtual void check(PairContext &C,
                     llvm::ArrayRef<Candidate *> Left) const = 0;
};

#define CONDITION(Class, Id, Page)                                             \
  class Class : public Condition {                                             \
  public:                                                                      \
    llvm::StringRef id() const override { return Id; }                         \
    void check(PairContext &C,                                                 \
               llvm::ArrayRef<Candidate *> Left) const override;               \
  };
#include "Analysis/Conditions/Conditions.def"

/// All conditions, in the order in which they are asked: the one in which a
/// user would want to hear of reasons.
std::vector<std::unique_ptr<Condition>> makeConditions();

/// \p Left as the walks over all pairs take them.
PairGroup groupOf(llvm::ArrayRef<Candidate *> Left,
                  const MemoryObjects &Objects);

} // namespace echo

#endif
