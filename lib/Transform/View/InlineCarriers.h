//===- InlineCarriers.h - Inlines what carries buffers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines into a view what its function calls, and what that calls, as far as
// it may carry what CUDA gets or gives: buffers, their sizes, answers of its
// calls. Decides what to inline from the calls' arguments and from the code in
// sight, within a limit of instructions. Nothing is proved by it: what stays a
// call is read as one. It never touches code that is emitted.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_VIEW_INLINECARRIERS_H
#define ECHO_TRANSFORM_VIEW_INLINECARRIERS_H

#include "Transform/Body/FunctionCopies.h"
#include "Transform/View/TailCalls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

class ModelTable;
class Roots;

/// Makes values of the variables of what was inlined into \p F, a view.
void promoteVariables(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                      const ModelTable &Models);

llvm::SmallVector<llvm::CallBase *, 32> callsIn(llvm::Function &F);

/// What may be inlined.
struct InlineRules {
  const Roots &R;
  const llvm::DenseSet<const llvm::Function *> &Closed; ///< stay calls
  const ModelTable &Models;
  size_t MaxSize; ///< instructions
  /// Functions of which copies are inlined instead; may be null.
  const FunctionCopies *Prepared = nullptr;
  bool Loops = true;     ///< what calls itself last is inlined as a loop
  bool OnlyFlow = false; ///< what has nothing to do with CUDA stays a call
};

class InlineCarriers {
public:
  InlineCarriers(const InlineRules &Rules, llvm::Function &F,
                 llvm::FunctionAnalysisManager &FAM);
  InlineCarriers(const InlineCarriers &) = delete;
  InlineCarriers &operator=(const InlineCarriers &) = delete;
  /// Gives the calls of copies that were inlined their names back.
  ~InlineCarriers();

  /// Inlines \p Calls of the function, and what they call, until nothing that
  /// carries buffers is left. Returns false if that went past the limit, also
  /// without the variables that code as clang wrote it keeps everything in.
  bool run(llvm::ArrayRef<llvm::CallBase *> Calls);

  using Calls = llvm::SmallVector<llvm::WeakTrackingVH, 4>;
  /// The indirect calls that the function has now, or had before its variables
  /// became values.
  Calls takeIndirectCalls();

private:
  /// A call to inline. Each remembers the functions it came from, against
  /// recursion.
  struct Site {
    llvm::WeakTrackingVH Call;
    int History;
    bool Carries = false; ///< what CUDA gets or gives, as far as is known
  };
  /// What all code of a function shows, kept: one may be called a thousand
  /// times in a view. None of them may change while this lives.
  class CalleeFacts {
  public:
    size_t sizeOf(const llvm::Function &F);
    /// True if \p F is small, and calls nothing: no larger than the call,
    /// often.
    bool isSmallLeaf(const llvm::Function &F);
    bool mayInline(const llvm::CallBase &Call, llvm::Function &Callee);

  private:
    llvm::DenseMap<const llvm::Function *, size_t> Sizes;
    llvm::DenseMap<const llvm::Function *, bool> Inlinable;
  };
  /// Copies of functions without their variables, to inline: what clang wrote
  /// keeps everything in variables, and one function may be inlined a thousand
  /// times. They go away with this, uncalled.
  class PromotedBodies {
  public:
    PromotedBodies(llvm::FunctionAnalysisManager &FAM, const ModelTable &Models)
        : FAM(FAM), Models(Models) {}
    PromotedBodies(const PromotedBodies &) = delete;
    PromotedBodies &operator=(const PromotedBodies &) = delete;
    ~PromotedBodies();
    /// The copy of \p F, made when it is asked for again, or \p F.
    llvm::Function &of(llvm::Function &F);

  private:
    llvm::FunctionAnalysisManager &FAM;
    const ModelTable &Models;
    FunctionCopies Copies;
  };

  bool cameFrom(int History, const llvm::Function *Callee) const;
  bool inlinable(const llvm::CallBase &Call, llvm::Function &Callee);
  bool mayMatter(const llvm::CallBase &Call, const llvm::Function &Named,
                 const llvm::Function &Callee, bool Touches);
  void prepareLoop(llvm::Function &Original, llvm::Function &Copy);
  /// False if the view is past the limit.
  bool step(Site S);
  /// Makes room for \p More instructions. False if there is none.
  bool makeRoom(size_t More);
  void inlineAt(llvm::CallBase &Call, llvm::Function &Body,
                llvm::Function &Callee, const llvm::Function &Named,
                llvm::StringRef Path, int History);
  /// Moves the calls in Waiting that carry what CUDA gets or gives to Work.
  /// False if there is none.
  bool addCarriers();
  void noteIndirectCalls();

  const InlineRules Rules;
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const bool InMain;
  llvm::SmallVector<std::pair<const llvm::Function *, int>, 32> Histories;
  llvm::SmallVector<Site, 32> Work, Waiting; ///< for what the rest shows
  size_t Size = 0;                           ///< instructions, about
  int Promotions = 0;
  Calls Indirect;
  TailCalls Recursive;
  PromotedBodies Promoted;
  CalleeFacts Facts;
  llvm::DenseSet<llvm::Function *>
      Held; ///< copies whose calls hold their names
};

} // namespace echo

#endif
