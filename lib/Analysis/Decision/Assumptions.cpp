//===- Assumptions.cpp - What a user's word for a pair is worth -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Assumptions.h. What is refuted is found from two events and what lies
// between them, by dominance; a kernel's write may always be left out.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Decision/Assumptions.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Decision/Decide.h"
#include "Analysis/Decision/Describe.h"
#include "Support/AssumedPairs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

bool isListed(const PairReport &Report, const UnitContext &Unit) {
  if (!Unit.Assumed || Unit.Assumed->empty())
    return false;
  PairReport Places = Report;
  leaveOwnFunction(Places);
  return Unit.Assumed->contains(Places);
}

/// True if the host or CUDA surely makes write \p A of \p E, of some byte.
static bool surelyWrites(const Event &E, const Access &A) {
  if (!A.Write || E.MayFail || E.Doubtful || E.RunsCode)
    return false;
  return A.Full || isa<StoreInst>(E.At);
}

/// True if \p E surely uses all bytes that access \p A may use of \p P.
static bool surelyUsesAll(const Event &E, const Access &A, const Pair &P) {
  if (E.MayFail || E.Doubtful || E.RunsCode)
    return false;
  return A.Full || (E.Kind == EventKind::Copy && E.Bytes &&
                    Sizes::equal(E.Bytes, P.Bytes));
}

/// True if some access of \p First and one of \p Second, to different sides of
/// \p P, surely meet in a byte that one of them surely writes. \p ByLoop: all
/// of the loop around \p First, which writes each byte.
static bool surelyMeet(const Event &First, const Event &Second, const Pair &P,
                       bool ByLoop) {
  for (const Access &A : First.Accesses)
    for (const Access &B : Second.Accesses) {
      if (!P.has(A.Object) || B.Object != P.partner(A.Object))
        continue;
      if ((A.Write && ByLoop) ||
          (A.Write && A.Full && surelyWrites(First, A)) ||
          (B.Write && B.Full && surelyWrites(Second, B)) ||
          (surelyWrites(First, A) && surelyUsesAll(Second, B, P)) ||
          (surelyWrites(Second, B) && surelyUsesAll(First, A, P)))
        return true;
    }
  return false;
}

/// True if \p E may make up for a violation of which it lies between the two
/// events: it may change what a side of \p P holds or, where their \p Order
/// matters, wait for the first or order the second after it.
static bool mayHelp(const Event &E, const Pair &P, bool Order) {
  auto IsMine = [&](int Object) { return Object >= 0 && P.has(Object); };
  if (E.Kind == EventKind::Reset || IsMine(E.Object) || IsMine(E.Dst) ||
      llvm::any_of(E.DstOf, IsMine) ||
      llvm::any_of(E.Accesses, [&](const Access &A) {
        return A.Write && IsMine(A.Object);
      }))
    return true;
  return Order && E.Kind != EventKind::Host && E.Kind != EventKind::Gpu &&
         E.Kind != EventKind::EventRecord;
}

/// True if \p BB ends with a branch on what the call answers that comes before
/// each launch, and may refuse it.
static bool beginsLaunch(const BasicBlock &BB) {
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  const auto *Cmp = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
  const auto *Call = Cmp ? dyn_cast<CallBase>(Cmp->getOperand(0)) : nullptr;
  const auto Api = Call ? cudaApiOf(*Call) : std::nullopt;
  return Api && Api->Kind == ApiKind::PushConfig;
}

/// The block that decides whether \p E happens: its own, or of a launch the one
/// before.
static const BasicBlock *happensIn(const Event &E) {
  const BasicBlock *Own = E.At->getParent(),
                   *Before = Own->getSinglePredecessor();
  return E.RunsCode && Before && beginsLaunch(*Before) ? Before : Own;
}

/// The blocks on paths from \p From to \p To. Nothing if some path from \p From
/// ends, or begins another iteration of the loop that holds both, without
/// passing \p To; paths that end the program do not count.
static std::optional<SetVector<const BasicBlock *>>
pathsBetween(const PairContext &C, const BasicBlock *From,
             const BasicBlock *To) {
  const Loop *L = C.LI.getLoopFor(From);
  SetVector<const BasicBlock *> Ahead, Back;
  Ahead.insert(From);
  for (unsigned I = 0; I != Ahead.size(); ++I) {
    if (Ahead[I] == To)
      continue;
    const Instruction *End = Ahead[I]->getTerminator();
    if (!End->getNumSuccessors() && !isa<UnreachableInst>(End))
      return std::nullopt;
    for (const BasicBlock *Next : successors(Ahead[I])) {
      if (L && Next == L->getHeader())
        return std::nullopt;
      Ahead.insert(Next);
    }
  }
  Back.insert(To);
  for (unsigned I = 0; I != Back.size(); ++I)
    if (Back[I] != From)
      for (const BasicBlock *Before : predecessors(Back[I]))
        if (Ahead.contains(Before))
          Back.insert(Before);
  if (!Back.contains(From))
    return std::nullopt;
  return Back;
}

/// True if \p V's second event always follows its first one, which is over in
/// block \p From or at its start, and nothing between them may help.
static bool followsUnhelped(const PairContext &C, const Pair &P,
                            const Conflict &V, const BasicBlock *From) {
  const bool Order = StringRef(blockerInfo(V.Reason).Condition) == "S2";
  const BasicBlock *Own = V.First->At->getParent();
  auto Region = pathsBetween(C, From, happensIn(*V.Second));
  if (!Region)
    return false;
  if (Own != happensIn(*V.First)) { // a launch: From comes before it
    Region->remove(From);
    Region->insert(Own);
  }
  Region->insert(V.Second->At->getParent());
  for (const BasicBlock *BB : *Region) {
    bool Between = BB != Own;
    for (const Event &E : C.Events.in(BB)) {
      if (&E == V.Second)
        break;
      if (Between && mayHelp(E, P, Order))
        return false;
      Between |= &E == V.First;
    }
  }
  return true;
}

/// Where the loop around \p E ends, if that surely overwrites all of a side of
/// \p P by \p E; else null.
static const BasicBlock *endOfLoop(const PairContext &C, const Pair &P,
                                   const Event &E) {
  const BasicBlock *In = E.At->getParent();
  if (!C.LI.getLoopFor(In))
    return nullptr;
  for (const LoopWrite &W : findLoopWrites(
           C.F, C.Events, C.Objects,
           C.FAM.getResult<ScalarEvolutionAnalysis>(C.F), C.LI, C.DT))
    if (P.has(W.Object) && !W.ByCopies && W.Outermost->contains(In) &&
        Sizes::equal(W.Bytes, P.Bytes) &&
        W.Exit->getSinglePredecessor() == W.Exiting &&
        llvm::any_of(E.Accesses, [&](const Access &A) {
          return A.Object == W.Object && A.Write;
        }))
      return W.Exit;
  return nullptr;
}

/// True if \p First has happened where \p Second does, each time.
static bool isInOrder(const PairContext &C, const Event &First,
                      const Event &Second) {
  const BasicBlock *From = happensIn(First), *To = happensIn(Second);
  if (From != To)
    return C.DT.dominates(From, To);
  return From == First.At->getParent() &&
         (To != Second.At->getParent() || First.At->comesBefore(Second.At));
}

bool isRefuted(const PairContext &C, const Pair &P, const Conflict &V) {
  if (!V.Second || V.First == V.Second || V.MayFail)
    return false;
  const Event &First = *V.First, &Second = *V.Second;
  const BasicBlock *LoopEnd = endOfLoop(C, P, First),
                   *From = LoopEnd ? LoopEnd : happensIn(First),
                   *To = happensIn(Second);
  const bool InOrder =
      LoopEnd ? C.DT.dominates(LoopEnd, To) : isInOrder(C, First, Second);
  return InOrder && C.LI.getLoopFor(From) == C.LI.getLoopFor(To) &&
         surelyMeet(First, Second, P, LoopEnd) &&
         followsUnhelped(C, P, V, From);
}

/// True if \p D is declined for what is out of sight only: nothing else that is
/// known of its buffers speaks against a merge.
static bool isUnseenOnly(const PairDecision &D, const Effects &Events) {
  return !Events.functionRefusal() && !Events.firmRefusal(D.P.Host) &&
         !Events.firmRefusal(D.P.Device) &&
         !Events.asksForOverlap(D.P.Host, D.P.Device);
}

void overrule(PairDecision &D, const PairContext &C) {
  D.Report.Word = Vouched::NotEnough;
  const Blocker Reason = D.Refused ? D.Refused->Reason : D.Violation->Reason;
  if (!mayBeOverruled(Reason) || (D.Refused && !isUnseenOnly(D, C.Events)))
    return;
  if (D.Violation && isRefuted(C, D.P, *D.Violation)) {
    D.Report.Word = Vouched::Refuted;
    return;
  }
  D.Report.Word = Vouched::Overrules;
  if (!D.isAssumed()) {
    D.OverruledRefusal = D.Refused;
    D.OverruledConflict = D.Violation;
  }
  D.Refused.reset();
  D.Violation.reset();
}

void relyOnLess(PairDecision &D) {
  D.Quiescent = false;
  D.IdleCopies.clear();
  D.CopiesWithoutCode.clear();
  D.AsyncUploads.clear();
  D.Meeting.reset(); // no wait is to be added
}

} // namespace echo
