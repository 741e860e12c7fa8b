//===- InFlight.cpp - Condition S2: is GPU work in the way? ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward data-flow to a fixed point, for all pairs at once. What an event
// does is InFlightFlow's.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/InFlight.h"
#include "Analysis/Conditions/InFlightFlow.h"
#include "Support/Checks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace echo {

using namespace inflight;

/// The query whose answer, on the edge from \p From to \p To, is not "not
/// ready", or null. Nothing may stand between the query and the branch.
static const Event *answeredQuery(const Effects &E, const BasicBlock *From,
                                  const BasicBlock *To) {
  const auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  ArrayRef<Event> Events = E.in(From);
  if (!Branch || !Branch->isConditional() || Events.empty() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  const Event &Query = Events.back();
  const auto *Cmp = dyn_cast<ICmpInst>(Branch->getCondition());
  if ((Query.Kind != EventKind::QueryStream &&
       Query.Kind != EventKind::QueryEvent) ||
      !Cmp || !Cmp->isEquality() || Cmp->getOperand(0) != Query.At)
    return nullptr;
  constexpr uint64_t Success = 0, NotReady = 600;
  const auto *With = dyn_cast<ConstantInt>(Cmp->getOperand(1));
  bool Equal = (Cmp->getPredicate() == ICmpInst::ICMP_EQ) ==
               (Branch->getSuccessor(0) == To);
  bool Done =
      With && (Equal ? With->equalsInt(Success) : With->equalsInt(NotReady));
  return Done ? &Query : nullptr;
}

namespace {
/// Runs a Flow over a function to its fixed point.
class Solver {
public:
  Solver(const Function &F, const Effects &E, const PairGroup &Pairs,
         bool StartsIdle, const LoopInfo &LI,
         const DenseSet<FlowEdge> &LoopExits, Flow &Fl)
      : F(F), E(E), Pairs(Pairs), StartsIdle(StartsIdle), LI(LI),
        LoopExits(LoopExits), Fl(Fl), Order(&F) {
    for (const BasicBlock *BB : Order)
      Fl.Places.insert({BB, Fl.Places.size()});
    for (auto [Header, Exit] : LoopExits)
      OutAgain.try_emplace(Header, Pairs);
  }

  void solve();
  /// Steps through every block once more, from what solve() found.
  void check();

private:
  State stateIn(const BasicBlock *BB, bool Again) const;
  /// True if \p Old, the state at the end of \p BB, changed.
  bool update(State &Old, const BasicBlock *BB, bool Again);

  const Function &F;
  const Effects &E;
  const PairGroup &Pairs;
  bool StartsIdle;
  const LoopInfo &LI;
  const DenseSet<FlowEdge> &LoopExits;
  Flow &Fl;
  ReversePostOrderTraversal<const Function *> Order;
  DenseMap<const BasicBlock *, State> Out;
  /// The same of a loop's header, but only where an iteration was before.
  DenseMap<const BasicBlock *, State> OutAgain;
};
} // namespace

State Solver::stateIn(const BasicBlock *BB, bool Again) const {
  State In(Pairs);
  if (BB == &F.getEntryBlock()) {
    In.Reached = true;
    In.OfCaller = In.Code = !StartsIdle;
    In.anyWork(Pairs.bits(!StartsIdle));
  }
  auto IsSkip = [&](const BasicBlock *P) { return skipsLaunch(P, BB, E); };
  bool OnEveryPath =
      isOff(Check::WaitOnEveryPath) && llvm::none_of(predecessors(BB), IsSkip);
  for (const BasicBlock *Pred : predecessors(BB)) {
    if (Again && !LI.getLoopFor(BB)->contains(Pred))
      continue;
    auto &Outs = LoopExits.contains({Pred, BB}) ? OutAgain : Out;
    auto It = Outs.find(Pred);
    if (It == Outs.end() || isOff(Check::InFlightAroundLoop, Pred, BB))
      continue;
    if (const Event *Query = answeredQuery(E, Pred, BB))
      Flow::join(In, Fl.alongEdge(It->second, Query), OnEveryPath);
    else
      Flow::join(In, It->second, OnEveryPath);
  }
  return In;
}

bool Solver::update(State &Old, const BasicBlock *BB, bool Again) {
  State S = stateIn(BB, Again);
  for (const Event &Ev : E.in(BB))
    Fl.step(Ev, S);
  bool New = !(Old == S);
  if (New)
    Old = std::move(S);
  return New;
}

void Solver::solve() {
  // Without the rules of join() there may be no fixed point.
  bool MayCycle =
      isOff(Check::WaitOnEveryPath) || isOff(Check::KeysOnEveryPath);
  unsigned IterationsLeft = MayCycle ? 100 : ~0u;
  for (bool Changed = true; Changed && IterationsLeft; --IterationsLeft) {
    Changed = false;
    for (const BasicBlock *BB : Order) {
      Changed |=
          update(Out.try_emplace(BB, Pairs).first->second, BB, /*Again=*/false);
      if (auto It = OutAgain.find(BB); It != OutAgain.end())
        Changed |= update(It->second, BB, /*Again=*/true);
    }
  }
}

void Solver::check() {
  Fl.Checking = true;
  for (const BasicBlock *BB : Order) {
    State S = stateIn(BB, /*Again=*/false);
    for (const Event &Ev : E.in(BB))
      Fl.step(Ev, S);
  }
}

std::vector<S2Result> checkS2(const Function &F, const Effects &E,
                              const PairGroup &Pairs,
                              const MemoryObjects &Objects, StreamKeys &Keys,
                              ArrayRef<unsigned> FirstAllocs, bool StartsIdle,
                              const LoopInfo &LI,
                              const DenseSet<FlowEdge> &LoopExits) {
  Flow Fl(Pairs, Objects, Keys, FirstAllocs);
  // Number all streams first, so that blockingMask() is complete.
  for (const BasicBlock &BB : F)
    for (const Event &Ev : E.in(&BB)) {
      Keys.streamOf(Ev);
      Keys.eventOf(Ev);
      Fl.OnlyDefault &= Ev.Kind != EventKind::Other;
    }
  Fl.OnlyDefault &= Keys.onlyDefaultStreams();
  Solver Paths(F, E, Pairs, StartsIdle, LI, LoopExits, Fl);
  Paths.solve();
  Paths.check();
  Fl.collectUploads();
  return std::move(Fl.Results);
}

} // namespace echo
