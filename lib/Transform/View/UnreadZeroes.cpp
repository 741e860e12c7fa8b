//===- UnreadZeroes.cpp - Zeroes of calloc that nobody reads --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness of one host buffer's content, backward over the control flow, from
// the events of the program as it is written: a write kills what the buffer
// held only if it covers all of that buffer and nothing can make it fail. Where
// no download overwrites the zeroes, they are no fill, and stay.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/UnreadZeroes.h"
#include "Analysis/Decision/Decide.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace echo {

/// True if \p E overwrites all of \p Object wherever one of its pairs merges.
/// An asynchronous copy does not where its stream is being captured: it happens
/// later, or never.
static bool overwrites(const Event &E, unsigned Object,
                       const FunctionDecision &D) {
  auto Exist = [&](const PairDecision &Pair) {
    return !Pair.P.has(Object) ||
           llvm::all_of(E.Needs, [&](unsigned O) { return Pair.P.has(O); });
  };
  return !E.Doubtful && !(E.Kind == EventKind::Copy && E.Async) &&
         (llvm::all_of(D.pairs(), Exist) || isOff(Check::OthersAreThere)) &&
         llvm::any_of(E.Accesses, [&](const Access &A) {
           return A.Object == Object && A.Full;
         });
}

/// True if what \p Object holds before \p E is read then or later; \p Live: if
/// what it holds after it is.
static bool isRead(const Event &E, unsigned Object, const FunctionDecision &D,
                   bool Live) {
  if (E.Kind == EventKind::Alloc && E.Object == static_cast<int>(Object))
    return false;
  Live &= !overwrites(E, Object, D);
  for (const Access &A : E.Accesses)
    Live |= A.Object == Object && A.Read && !isOff(Check::FillIsRead);
  return Live;
}

/// True if the zeroes of calloc in \p Object are read by nobody in \p F, and a
/// copy overwrites them on some path.
static bool zeroesAreUnread(const Function &F, const FunctionDecision &D,
                            unsigned Object) {
  const BasicBlock *Allocates = D.objects()[Object].Alloc->getParent();
  SmallPtrSet<const BasicBlock *, 16> LiveIn, Overwritten;
  auto AnySuccessor = [](const BasicBlock *BB, const auto &Set) {
    return llvm::any_of(successors(BB), [&](const BasicBlock *Succ) {
      return Set.contains(Succ);
    });
  };
  bool Live = false, Later = false; // after the allocation
  auto Walk = [&](const BasicBlock *BB) {
    bool IsLive = AnySuccessor(BB, LiveIn);
    bool IsLater = AnySuccessor(BB, Overwritten);
    for (const Event &E : llvm::reverse(D.effects().in(BB))) {
      if (E.At == D.objects()[Object].Alloc) {
        Live = IsLive;
        Later = IsLater;
      }
      IsLive = isRead(E, Object, D, IsLive);
      IsLater |= E.Kind == EventKind::Copy && overwrites(E, Object, D);
    }
    bool Changed = IsLive && LiveIn.insert(BB).second;
    Changed |= IsLater && Overwritten.insert(BB).second;
    return Changed;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : post_order(&F.getEntryBlock()))
      Changed |= Walk(BB);
  }
  Walk(Allocates);
  return Later && !Live;
}

/// True if \p P is declined, or would be, because of what the host writes.
static bool meetsHostWrite(const PairDecision &P) {
  auto Why = P.Report.Reason;
  return Why &&
         (*Why == Blocker::HostWriteLive || *Why == Blocker::AllocWriteLive ||
          *Why == Blocker::HostWriteInFlight);
}

bool markUnreadZeroes(Function &F, const FunctionDecision &D) {
  SmallSetVector<unsigned, 4> Hosts;
  for (const PairDecision &P : D.pairs())
    if (meetsHostWrite(P) && D.objects()[P.P.Host].clears())
      Hosts.insert(P.P.Host);
  // One of several buffers of a loop is overwritten, and another one read.
  for (const PairDecision &P : D.pairs())
    if (P.P.Grown)
      Hosts.remove(P.P.Host);
  bool Any = false;
  for (unsigned Object : Hosts)
    if (zeroesAreUnread(F, D, Object)) {
      D.objects()[Object].Alloc->setMetadata(UnreadZeroes,
                                             MDNode::get(F.getContext(), {}));
      Any = true;
    }
  return Any;
}

} // namespace echo
