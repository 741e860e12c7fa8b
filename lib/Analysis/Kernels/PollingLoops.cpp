//===- PollingLoops.cpp - Kernels that wait for the host ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A read that sees what others write meanwhile (an atomic of any scope, a
// volatile load, inline PTX) makes a loop one that polls if what decides the
// loop's exits may depend on it. Proof obligation: the values of the exits'
// conditions, iteration by iteration, are the same whatever such reads give.
// They are followed backwards through values, through memory that the loop
// writes, and through branches wherever a value depends on the way that was
// taken.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/FunctionFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

bool readsAfresh(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return (Load->isVolatile() || Load->isAtomic()) &&
           !isPrivate(Load->getPointerOperand());
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return !isPrivate(RMW->getPointerOperand());
  if (const auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return !isPrivate(CX->getPointerOperand());
  if (const auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
    return Copy->isVolatile() && !isPrivate(Copy->getRawSource());
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
    StringRef Text = Asm->getAsmString();
    return any_of(ArrayRef<StringRef>{"ld", "atom", "cp."},
                  [&](StringRef Word) { return Text.contains(Word); });
  }
  const Function *Callee = Call->getCalledFunction();
  return Callee && Callee->isIntrinsic() &&
         (Callee->getName().contains("atomic") ||
          Callee->getName().contains("cp.async"));
}

namespace {

/// The loops of one function.
class Loops {
public:
  explicit Loops(const Function &F) : DT(const_cast<Function &>(F)) {
    Cycles.compute(const_cast<Function &>(F));
  }
  bool anyPolls() const;

private:
  bool polls(const Cycle &C) const;
  bool endsByRetry(const Cycle &C) const;
  bool isInAllRounds(const BasicBlock &BB, const Cycle &C) const;

  DominatorTree DT;
  CycleInfo Cycles;
};

/// What may decide whether a loop goes on.
class Decides {
public:
  explicit Decides(const Cycle &C) : C(C) {}
  void add(const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (I && C.contains(I->getParent()))
      Work.insert(I);
  }
  /// All branches: which way is taken makes a difference.
  void addWays();
  bool fresh();

private:
  void addPhi(const PHINode &Phi);
  void addWriters();

  const Cycle &C;
  SetVector<const Instruction *> Work;
  bool Ways = false, Writers = false;
};

} // namespace

/// True if \p I, or a function in sight that it calls, reads afresh.
static bool mayReadAfresh(const Instruction &I) {
  if (readsAfresh(I))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->isInlineAsm())
    return false;
  const Function *Callee = Call->getCalledFunction();
  return !Callee ||
         (!Callee->isDeclaration() && anyInstruction(*Callee, readsAfresh));
}

void Decides::addWays() {
  if (!std::exchange(Ways, true))
    for (const BasicBlock *BB : C.blocks())
      if (BB->getTerminator()->getNumSuccessors() > 1)
        Work.insert(BB->getTerminator());
}

/// What is stored in a loop, and where. Calls may store what they read.
void Decides::addWriters() {
  if (std::exchange(Writers, true))
    return;
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB) {
      if (!I.mayWriteToMemory())
        continue;
      if (isa<CallBase>(I))
        add(&I);
      for (const Value *Op : I.operands())
        add(Op);
    }
  addWays();
}

void Decides::addPhi(const PHINode &Phi) {
  for (const Value *V : Phi.incoming_values())
    add(V);
  unsigned FromInside = 0;
  for (const BasicBlock *From : Phi.blocks())
    FromInside += C.contains(From);
  if (Phi.getParent() != C.getHeader() || FromInside != 1)
    addWays();
}

bool Decides::fresh() {
  for (unsigned N = 0; N != Work.size(); ++N) {
    const Instruction *I = Work[N];
    if (mayReadAfresh(*I))
      return true;
    if (const auto *Phi = dyn_cast<PHINode>(I)) {
      addPhi(*Phi);
      continue;
    }
    const auto *Call = dyn_cast<CallBase>(I);
    const auto *Load = dyn_cast<LoadInst>(I);
    bool Constant = Load && Load->hasMetadata(LLVMContext::MD_invariant_load);
    if (I->mayReadFromMemory() && !Constant)
      addWriters();
    if (Call && Call->isConvergent()) // what other threads give, if they come
      addWays();
    for (const Value *Op : I->operands())
      add(Op);
  }
  return false;
}

bool Loops::isInAllRounds(const BasicBlock &BB, const Cycle &C) const {
  return all_of(predecessors(C.getHeader()), [&](const BasicBlock *Latch) {
    return !C.contains(Latch) || DT.dominates(&BB, Latch);
  });
}

/// True if \p V is the same value in all iterations of \p C.
static bool isOneIn(const Value *V, const Cycle &C) {
  const auto *I = dyn_cast<Instruction>(V);
  return !I || !C.contains(I->getParent()) ||
         (isa<GetElementPtrInst, CastInst>(I) &&
          all_of(I->operands(),
                 [&](const Use &Part) { return isOneIn(Part.get(), C); }));
}

/// True if \p C is left once a compare-and-swap finds what the iteration before
/// found in the same place: each further iteration means that somebody else got
/// on.
bool Loops::endsByRetry(const Cycle &C) const {
  auto OldOf = [](const Value *V) -> const AtomicCmpXchgInst * {
    const auto *Part = dyn_cast<ExtractValueInst>(V);
    return Part && Part->getIndices()[0] == 0
               ? dyn_cast<AtomicCmpXchgInst>(Part->getAggregateOperand())
               : nullptr;
  };
  auto Retries = [&](const AtomicCmpXchgInst &CX) {
    const auto *Before = dyn_cast<PHINode>(CX.getCompareOperand());
    return Before && Before->getParent() == C.getHeader() &&
           isOneIn(CX.getPointerOperand(), C) &&
           all_of(Before->blocks(), [&](const BasicBlock *From) {
             return !C.contains(From) ||
                    OldOf(Before->getIncomingValueForBlock(From)) == &CX;
           });
  };
  for (const BasicBlock *BB : C.blocks()) {
    const auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Br || !Br->isConditional() || !isInAllRounds(*BB, C))
      continue;
    const AtomicCmpXchgInst *CX = nullptr;
    bool OnTrue = true;
    if (const auto *Part = dyn_cast<ExtractValueInst>(Br->getCondition());
        Part && Part->getIndices()[0] == 1) {
      CX = dyn_cast<AtomicCmpXchgInst>(Part->getAggregateOperand());
    } else if (const auto *Cmp = dyn_cast<ICmpInst>(Br->getCondition());
               Cmp && Cmp->isEquality()) {
      OnTrue = Cmp->getPredicate() == ICmpInst::ICMP_EQ;
      for (unsigned Op : {0, 1})
        if (const auto *Old = OldOf(Cmp->getOperand(Op));
            Old && Old->getCompareOperand() == Cmp->getOperand(1 - Op))
          CX = Old;
    }
    if (CX && Retries(*CX) && !C.contains(Br->getSuccessor(OnTrue ? 0 : 1)))
      return true;
  }
  return false;
}

bool Loops::polls(const Cycle &C) const {
  bool Fresh = false, Jumps = false;
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB) {
      Fresh |= mayReadAfresh(I);
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
          Jumps |= StringRef(Asm->getAsmString()).contains("exit");
    }
  if (!Fresh)
    return false;
  SmallVector<BasicBlock *, 4> Exits;
  C.getExitingBlocks(Exits);
  if (!C.isReducible() || Exits.empty() || Jumps)
    return true;
  if (endsByRetry(C))
    return false;
  Decides D(C);
  for (const BasicBlock *BB : Exits) {
    D.add(BB->getTerminator());
    if (!isInAllRounds(*BB, C))
      D.addWays();
  }
  return D.fresh();
}

bool Loops::anyPolls() const {
  for (const Cycle *Top : Cycles.toplevel_cycles())
    for (const Cycle *C : depth_first(Top))
      if (polls(*C))
        return true;
  return false;
}

bool hasPollingLoop(const Function &F) { return Loops(F).anyPolls(); }

} // namespace echo
