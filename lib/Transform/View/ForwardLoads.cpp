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
#include "Transform/View/ForwardLoads.h"
#include "Analysis/Memory/WriteReach.h"
#include "Support/Checks.h"
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

using PlaceKey = std::pair<std::pair<const Value *, int64_t>, Type *>;

/// What may write, or a load of a place that is looked at.
struct Access {
  Instruction *I;
  unsigned Block;
  bool IsLoad;
  std::optional<PlaceKey> Key; ///< of the only place, of loads and stores
};

/// All of them, by blocks. Loads may go away once their place was looked at.
class Accesses {
public:
  Accesses(Function &F, const Blocks &All);
  ArrayRef<Access> all() const { return List; }
  /// The addresses of stores may have become known.
  void update();

private:
  std::vector<Access> List;
};

/// One of those that matter to a place, and what it does there.
struct Step {
  enum { Loads, Stores, MayWrite, Unasked, Nothing } What;
  Instruction *I;
  unsigned Block;
};

class Forwarder {
public:
  Forwarder(const Blocks &All, const Place &P, WriteReach &Writes,
            const Accesses &Of);
  bool run();

private:
  void step(Step &S, Content &C);
  Content entering(unsigned Block) const;
  /// Goes through all blocks once. True if what leaves one of them changed.
  bool sweep();
  bool replace();

  const Blocks &All;
  const Place &P;
  WriteReach &Writes;
  std::vector<Step> Steps; ///< by blocks
  std::vector<Content> Out;
  SmallVector<std::pair<LoadInst *, Value *>, 8> Replace;
  bool Final = false;
};
} // namespace

static std::optional<PlaceKey> keyOf(const Instruction &I) {
  auto P = Place::of(I);
  return P ? std::optional(P->key()) : std::nullopt;
}

Accesses::Accesses(Function &F, const Blocks &All) {
  for (Instruction &I : instructions(F)) {
    auto Key = keyOf(I);
    auto Block = All.Number.find(I.getParent());
    bool Writes = I.mayWriteToMemory();
    if (Block != All.Number.end() && (Key || Writes))
      List.push_back({&I, Block->second, !Writes, Key});
  }
  llvm::stable_sort(
      List, [](const Access &A, const Access &B) { return A.Block < B.Block; });
}

void Accesses::update() {
  for (Access &A : List)
    if (!A.IsLoad)
      A.Key = keyOf(*A.I);
}

Forwarder::Forwarder(const Blocks &All, const Place &P, WriteReach &Writes,
                     const Accesses &Of)
    : All(All), P(P), Writes(Writes), Out(All.Before.size()) {
  const PlaceKey Key = P.key();
  for (const Access &A : Of.all())
    if (A.Key == Key)
      Steps.push_back({A.IsLoad ? Step::Loads : Step::Stores, A.I, A.Block});
    else if (!A.IsLoad)
      Steps.push_back({Step::Unasked, A.I, A.Block});
}

void Forwarder::step(Step &S, Content &C) {
  if (S.What == Step::Loads) {
    auto *Load = cast<LoadInst>(S.I);
    if (!C.Known)
      C.Known = Load;
    else if (Final && C.Known != Load)
      Replace.push_back({Load, C.Known});
    return;
  }
  if (S.What == Step::Stores) {
    C.Known = cast<StoreInst>(S.I)->getValueOperand();
    return;
  }
  if (!C.Known || isOff(Check::WrittenBetween))
    return;
  if (S.What == Step::Unasked)
    S.What = Writes.mayWrite(*S.I, P) ? Step::MayWrite : Step::Nothing;
  if (S.What == Step::MayWrite)
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

bool Forwarder::sweep() {
  bool Changed = false;
  auto Next = Steps.begin();
  for (unsigned Block = 0; Block < Out.size(); ++Block) {
    Content C = entering(Block);
    for (; Next != Steps.end() && Next->Block == Block; ++Next)
      step(*Next, C);
    Changed |= !(Out[Block] == C);
    Out[Block] = C;
  }
  return Changed;
}

bool Forwarder::run() {
  while (sweep()) {
  }
  Final = true;
  sweep();
  return replace();
}

bool Forwarder::replace() {
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
  const Blocks All(F);
  Accesses Of(F, All);
  bool Changed = false;
  for (const Place &P : Places)
    if (Forwarder(All, P, Writes, Of).run()) {
      Of.update();
      Changed = true;
    }
  return Changed;
}

} // namespace echo
