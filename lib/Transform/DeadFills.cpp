//===- DeadFills.cpp - Host writes that nobody reads ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faint writes of one host buffer: at first all of its plain writes count as
// removed, and do nothing. What is then read behind one of them is needed, so
// that one stays, with all that it reads; until no more have to stay. Copies
// count for what they do as the program is written: one kills what the buffer
// held only if it covers all of that buffer and nothing can make it fail. What
// no such copy overwrites stays, too: it is no fill, and gains little.
//
//===----------------------------------------------------------------------===//
#include "Transform/DeadFills.h"
#include "Analysis/Checks.h"
#include "Analysis/Decide.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

namespace {
class Finder {
public:
  Finder(Function &F, const FunctionDecision &D, unsigned Object);
  /// The writes that nobody reads, and loads that only those use.
  const SmallSetVector<Instruction *, 16> &run();

private:
  bool mayGo(const Event &E) const;
  bool overwrites(const Event &E) const;
  bool isRead(const Event &E, bool Live) const;
  void keep(Instruction *I, bool &Changed) { Changed |= Gone.remove(I); }

  const Effects &Events;
  const MemoryObjects &Objects;
  unsigned Object;
  std::vector<BasicBlock *> PostOrder;
  DenseMap<const BasicBlock *, SmallVector<const Event *, 4>> Steps;
  SmallSetVector<Instruction *, 16> Gone;
};
} // namespace

/// True if \p E does nothing but write the object, or load from it.
bool Finder::mayGo(const Event &E) const {
  auto Points = [&](const Value *Pointer) {
    Target T = Objects.resolve(Pointer);
    return T.single() && T.Objects[0] == Object;
  };
  if (E.Kind == EventKind::Alloc)
    return E.Object == static_cast<int>(Object) && Objects[Object].clears();
  if (E.Kind != EventKind::Host)
    return false;
  if (const auto *Store = dyn_cast<StoreInst>(E.At))
    return Store->isSimple() && Points(Store->getPointerOperand());
  if (const auto *Load = dyn_cast<LoadInst>(E.At))
    return Load->isSimple();
  const auto *M = dyn_cast<MemIntrinsic>(E.At);
  return M && !M->isVolatile() && Points(M->getRawDest());
}

Finder::Finder(Function &F, const FunctionDecision &D, unsigned Object)
    : Events(D.effects()), Objects(D.objects()), Object(Object) {
  for (BasicBlock *BB : post_order(&F.getEntryBlock())) {
    PostOrder.push_back(BB);
    for (const Event &E : Events.in(BB)) {
      bool Mine = E.Object == static_cast<int>(Object);
      for (const Access &A : E.Accesses)
        Mine |= A.Object == Object;
      if (!Mine)
        continue;
      Steps[BB].push_back(&E);
      if (mayGo(E))
        Gone.insert(E.At);
    }
  }
}

/// True if \p E overwrites all of the object. An asynchronous copy does not
/// where its stream is being captured: it happens later, or never.
bool Finder::overwrites(const Event &E) const {
  return !E.Doubtful && !(E.Kind == EventKind::Copy && E.Async) &&
         llvm::any_of(E.Accesses, [&](const Access &A) {
           return A.Object == Object && A.Full;
         });
}

/// True if what the object holds before \p E is read then or later; \p Live: if
/// what it holds behind it is.
bool Finder::isRead(const Event &E, bool Live) const {
  if (E.Kind == EventKind::Alloc)
    return Live && E.Object != static_cast<int>(Object);
  if (Gone.contains(E.At))
    return Live;
  Live &= !overwrites(E);
  for (const Access &A : E.Accesses)
    Live |= A.Object == Object && A.Read && !isOff(Check::FillIsRead);
  return Live;
}

const SmallSetVector<Instruction *, 16> &Finder::run() {
  auto ByCopy = [&](const Event *E) {
    return E->Kind == EventKind::Copy && overwrites(*E);
  };
  SmallPtrSet<const BasicBlock *, 16> Overwritten; // later on some way
  auto OverwrittenBehind = [&](const BasicBlock *BB) {
    return llvm::any_of(successors(BB), [&](const BasicBlock *Succ) {
      return Overwritten.contains(Succ);
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : PostOrder)
      if (OverwrittenBehind(BB) || llvm::any_of(Steps[BB], ByCopy))
        Changed |= Overwritten.insert(BB).second;
  }
  for (const BasicBlock *BB : PostOrder) {
    bool Later = OverwrittenBehind(BB);
    for (const Event *E : llvm::reverse(Steps[BB])) {
      if (!Later && !isa<LoadInst>(E->At))
        Gone.remove(E->At);
      Later |= ByCopy(E);
    }
  }
  for (bool Again = true; Again;) {
    Again = false;
    SmallVector<Instruction *, 16> All(Gone.begin(), Gone.end());
    for (Instruction *I : All)
      if (isa<LoadInst>(I) && !llvm::all_of(I->users(), [&](User *U) {
            auto *Store = dyn_cast<StoreInst>(U);
            return Store && Gone.contains(Store);
          }))
        keep(I, Again);
    SmallPtrSet<const BasicBlock *, 16> LiveIn;
    auto LiveOut = [&](const BasicBlock *BB) {
      return llvm::any_of(successors(BB), [&](const BasicBlock *Succ) {
        return LiveIn.contains(Succ);
      });
    };
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *BB : PostOrder) {
        bool Live = LiveOut(BB);
        if (auto It = Steps.find(BB); It != Steps.end())
          for (const Event *E : llvm::reverse(It->second))
            Live = isRead(*E, Live);
        Changed |= Live && LiveIn.insert(BB).second;
      }
    }
    for (const BasicBlock *BB : PostOrder) {
      bool Live = LiveOut(BB);
      auto It = Steps.find(BB);
      if (It == Steps.end())
        continue;
      for (const Event *E : llvm::reverse(It->second)) {
        if (Live && !isa<LoadInst>(E->At))
          keep(E->At, Again);
        Live = isRead(*E, Live);
      }
    }
  }
  return Gone;
}

bool removeDeadFills(Function &F, const FunctionDecision &D) {
  // A sanitizer is to see the program as it was written.
  for (Attribute::AttrKind Kind :
       {Attribute::SanitizeAddress, Attribute::SanitizeThread,
        Attribute::SanitizeMemory, Attribute::SanitizeHWAddress})
    if (F.hasFnAttribute(Kind))
      return false;
  SmallSetVector<unsigned, 4> Hosts;
  for (const PairDecision &P : D.pairs()) {
    auto Why = P.Report.Reason;
    if (P.Report.Result == Verdict::Declined && Why &&
        (*Why == Blocker::HostWriteLive || *Why == Blocker::AllocWriteLive ||
         *Why == Blocker::HostWriteInFlight))
      Hosts.insert(P.P.Host);
  }
  // One of several buffers of a loop is overwritten, and another one read.
  for (const PairDecision &P : D.pairs())
    if (P.P.Grown)
      Hosts.remove(P.P.Host);
  SmallSetVector<Instruction *, 16> Gone;
  bool Any = false;
  for (unsigned Object : Hosts)
    for (Instruction *I : Finder(F, D, Object).run()) {
      if (I != D.objects()[Object].Alloc) {
        Gone.insert(I);
      } else {
        D.objects()[Object].Alloc->setMetadata(UnreadZeroes,
                                               MDNode::get(F.getContext(), {}));
        Any = true;
      }
    }
  for (bool Loads : {false, true})
    for (Instruction *I : Gone)
      if (isa<LoadInst>(I) == Loads && I->use_empty()) {
        Any = true;
        I->eraseFromParent();
      }
  return Any;
}

} // namespace echo
