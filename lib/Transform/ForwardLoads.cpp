//===- ForwardLoads.cpp - Numbers that are read again ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow for each place: the value that it surely holds, if one is
// known. Another thread may write the place, too, but not between two reads
// that race with nothing, unless this thread lets it (it releases something
// after the first read) and waits for it: calls that do such things end what is
// known, as do calls out of sight.
//
//===----------------------------------------------------------------------===//
#include "Transform/ForwardLoads.h"
#include "Analysis/Checks.h"
#include "Analysis/WriteReach.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <vector>

using namespace llvm;

namespace echo {

/// Places of a function that are looked at, those of pointers first.
static constexpr size_t MaxPlaces = 64;

namespace {
/// What a place holds: nothing is known where the value is null.
struct Content {
  bool Reached = false;
  Value *Known = nullptr;
  bool operator==(const Content &) const = default;
};

/// The blocks that control reaches, in reverse post-order: the entry is 0.
struct Blocks {
  explicit Blocks(Function &F) {
    for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
      Number.try_emplace(BB, Number.size());
    Before.resize(Number.size());
    for (auto [BB, N] : Number)
      for (const BasicBlock *Pred : predecessors(BB))
        if (auto It = Number.find(Pred); It != Number.end())
          Before[N].push_back(It->second);
  }
  DenseMap<const BasicBlock *, unsigned> Number;
  std::vector<SmallVector<unsigned, 2>> Before;
};

class Forwarder {
public:
  Forwarder(const Blocks &All, const Place &P, WriteReach &Writes,
            ArrayRef<Instruction *> Relevant)
      : All(All), P(P), Writes(Writes), ByBlock(All.Before.size()),
        Out(All.Before.size()) {
    for (Instruction *I : Relevant)
      if (auto It = All.Number.find(I->getParent()); It != All.Number.end())
        ByBlock[It->second].push_back(I);
  }
  bool run();

private:
  void step(Instruction &I, Content &C);
  Content entering(unsigned Block) const;

  const Blocks &All;
  const Place &P;
  WriteReach &Writes;
  std::vector<SmallVector<Instruction *, 2>> ByBlock;
  std::vector<Content> Out;
  SmallVector<std::pair<LoadInst *, Value *>, 8> Replace;
  bool Final = false;
};
} // namespace

void Forwarder::step(Instruction &I, Content &C) {
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && P.isHeldBy(*Load)) {
    if (!C.Known)
      C.Known = Load;
    else if (Final && C.Known != Load)
      Replace.push_back({Load, C.Known});
    return;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I); Store && P.isHeldBy(*Store))
    C.Known = Store->getValueOperand();
  else if (C.Known && !isOff(Check::WrittenBetween) && Writes.mayWrite(I, P))
    C.Known = nullptr;
}

Content Forwarder::entering(unsigned Block) const {
  Content In;
  In.Reached = Block == 0;
  for (unsigned Pred : All.Before[Block]) {
    Content From = Out[Pred];
    if (!From.Reached)
      continue;
    In.Known = !In.Reached || In.Known == From.Known ? From.Known : nullptr;
    In.Reached = true;
  }
  return In;
}

bool Forwarder::run() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Block = 0; Block < Out.size(); ++Block) {
      Content C = entering(Block);
      for (Instruction *I : ByBlock[Block])
        step(*I, C);
      Changed |= !(Out[Block] == C);
      Out[Block] = C;
    }
  }
  Final = true;
  for (unsigned Block = 0; Block < Out.size(); ++Block) {
    Content C = entering(Block);
    for (Instruction *I : ByBlock[Block])
      step(*I, C);
  }
  // What a load is replaced with may be one that goes itself (x = x): a store
  // put it there. No load comes before itself, so that this ends.
  const DenseMap<Value *, Value *> Gone(Replace.begin(), Replace.end());
  for (auto [Load, With] : Replace) {
    while (Value *Next = Gone.lookup(With))
      With = Next;
    Load->replaceAllUsesWith(With);
  }
  // The load of what is no local variable stays: it is an access.
  for (auto [Load, With] : Replace)
    if (isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand())))
      Load->eraseFromParent();
  return !Replace.empty();
}

bool forwardLoads(Function &F, const ModelTable &Models) {
  // Places that are read twice, or written and read.
  MapVector<std::pair<std::pair<const Value *, int64_t>, Type *>, unsigned>
      Counts;
  WriteReach Writes(Models);
  for (const Instruction &I : instructions(F)) {
    auto P = Place::of(I);
    if (!P || !Writes.canFollow(*P))
      continue;
    unsigned &Count = Counts[P->key()];
    Count += isa<LoadInst>(I) ? 2 : 1;
  }
  Counts.remove_if([](const auto &Item) { return Item.second < 3; });
  if (Counts.empty())
    return false;
  SmallVector<Place, 16> Places;
  for (const auto &[Key, Count] : Counts)
    Places.push_back(Place{Key.first.first, Key.first.second, Key.second});
  std::stable_partition(Places.begin(), Places.end(),
                        [](const Place &P) { return P.T->isPointerTy(); });
  if (Places.size() > MaxPlaces)
    Places.truncate(MaxPlaces);
  // Writers, and loads, each with its only place: loads may go away.
  SmallVector<std::pair<Instruction *, std::optional<Place>>, 64> Candidates;
  for (Instruction &I : instructions(F)) {
    auto P = Place::of(I);
    if (P || I.mayWriteToMemory())
      Candidates.push_back({&I, I.mayWriteToMemory() ? std::nullopt : P});
  }
  const Blocks All(F);
  bool Changed = false;
  for (const Place &P : Places) {
    SmallVector<Instruction *, 64> Relevant;
    for (auto [I, Only] : Candidates)
      if (!Only || Only->key() == P.key())
        Relevant.push_back(I);
    Changed |= Forwarder(All, P, Writes, Relevant).run();
  }
  return Changed;
}

} // namespace echo
