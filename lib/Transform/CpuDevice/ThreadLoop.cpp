//===- ThreadLoop.cpp - The loop over threadIdx.x -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard is a branch near the kernel's start of which one side leads straight
// to the return. Its comparison is of values linear in threadIdx.x and of
// values that all threads of the row share. A linear value that does not wrap
// lies between its two ends, so checking both ends checks every thread; the
// check itself computes in twice the width and cannot overflow.
//
//===----------------------------------------------------------------------===//
#include "ThreadLoop.h"
#include "KernelBody.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace echo::cpudevice {
namespace {

/// Deeper expressions are not followed.
constexpr unsigned MaxDepth = 12;
/// More index expressions than this would make the check too long.
constexpr unsigned MaxIndices = 16;

/// True if from \p Block on the kernel does nothing but return.
bool onlyReturns(const BasicBlock *Block) {
  for (unsigned Steps = 0; Steps != 4; ++Steps) {
    const Instruction *First = &*Block->getFirstNonPHIOrDbg();
    if (isa<ReturnInst>(First))
      return true;
    auto *Branch = dyn_cast<BranchInst>(First);
    if (!Branch || Branch->isConditional())
      return false;
    Block = Branch->getSuccessor(0);
  }
  return false;
}

bool isIndexWidth(const Type *T) {
  return T->isIntegerTy(32) || T->isIntegerTy(64);
}

Type *wide(Type *T) {
  return IntegerType::get(T->getContext(), 2 * T->getIntegerBitWidth());
}

} // namespace

ThreadLoop::ThreadLoop(Function &Body)
    : Body(Body), ThreadX(Body.getArg(Body.arg_size() - NumGeometry)) {
  tagAccesses();
  findGuards();
  findIndices();
}

void ThreadLoop::tagAccesses() {
  bool PrivateEscapes = false;
  for (Instruction &I : instructions(Body))
    if (isa<AllocaInst>(I))
      PrivateEscapes |= PointerMayBeCaptured(&I, true);
  AccessGroup = MDNode::getDistinct(Body.getContext(), {});
  for (Instruction &I : instructions(Body)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    if ((!Load || !Load->isSimple()) && (!Store || !Store->isSimple()))
      continue;
    SmallVector<const Value *> Objects;
    getUnderlyingObjects(getLoadStorePointerOperand(&I), Objects);
    bool Shared = all_of(Objects, [&](const Value *V) {
      if (isa<AllocaInst>(V))
        return false;
      return isa<Argument>(V) || isa<GlobalVariable>(V) || !PrivateEscapes;
    });
    if (Shared)
      I.setMetadata(LLVMContext::MD_access_group, AccessGroup);
  }
}

void ThreadLoop::findGuards() {
  BasicBlock *Block = &Body.getEntryBlock();
  for (unsigned Steps = 0; Steps != 16; ++Steps) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch)
      return;
    if (Branch->isUnconditional()) {
      Block = Branch->getSuccessor(0);
      if (!Block->getSinglePredecessor())
        return;
      continue;
    }
    const bool ThenReturns = onlyReturns(Branch->getSuccessor(0));
    const bool ElseReturns = onlyReturns(Branch->getSuccessor(1));
    if (ThenReturns == ElseReturns ||
        !addGuard(Branch->getCondition(), ElseReturns))
      return;
    Block = Branch->getSuccessor(ThenReturns ? 1 : 0);
    if (!Block->getSinglePredecessor())
      return;
  }
}

/// Splits a condition that must be \p Pass into comparisons.
bool ThreadLoop::addGuard(Value *Condition, bool Pass) {
  Value *A, *C;
  if (match(Condition, m_Not(m_Value(A))))
    return addGuard(A, !Pass);
  if (Pass ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(C)))
           : match(Condition, m_LogicalOr(m_Value(A), m_Value(C))))
    return addGuard(A, Pass) && addGuard(C, Pass);
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  if (!Compare || !isIndexWidth(Compare->getOperand(0)->getType()))
    return false;
  Value *L = Compare->getOperand(0), *R = Compare->getOperand(1);
  const bool BothUniform = isUniform(L) && isUniform(R);
  if (!BothUniform && (Compare->isEquality() || !isLinear(L) || !isLinear(R)))
    return false;
  Guards.insert({Compare, Pass});
  return true;
}

void ThreadLoop::findIndices() {
  for (Instruction &I : instructions(Body)) {
    if (!isIndexWidth(I.getType()) || isa<PHINode>(I) || isUniform(&I) ||
        !isLinear(&I))
      continue;
    if (Indices.size() == MaxIndices)
      return;
    Indices.push_back(&I);
  }
}

/// The same for all threads of the row, and computed without memory.
bool ThreadLoop::isUniform(Value *V, unsigned Depth) {
  if (isa<Constant>(V))
    return !isa<ConstantExpr>(V) && !isa<UndefValue>(V);
  if (isa<Argument>(V))
    return V != ThreadX && V->getType()->isIntegerTy();
  auto It = Uniform.find(V);
  if (It != Uniform.end())
    return It->second;
  auto *I = dyn_cast<Instruction>(V);
  bool Result =
      I && Depth < MaxDepth && I->getType()->isIntegerTy() &&
      (isa<BinaryOperator>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I) ||
       isa<TruncInst>(I)) &&
      isSafeToSpeculativelyExecute(I) &&
      all_of(
          I->operands(), [&](Use &U) { return isUniform(U.get(), Depth + 1); });
  Uniform[V] = Result;
  return Result;
}

/// Uniform, or a fixed step per thread.
bool ThreadLoop::isLinear(Value *V, unsigned Depth) {
  if (V == ThreadX || isUniform(V, Depth))
    return isIndexWidth(V->getType());
  auto It = Linear.find(V);
  if (It != Linear.end())
    return It->second;
  auto *I = dyn_cast<Instruction>(V);
  bool Result = false;
  if (I && Depth < MaxDepth && isIndexWidth(I->getType())) {
    auto Op = [&](unsigned N) { return isLinear(I->getOperand(N), Depth + 1); };
    switch (I->getOpcode()) {
    case Instruction::Or:
      Result = cast<PossiblyDisjointInst>(I)->isDisjoint() && Op(0) && Op(1);
      break;
    case Instruction::Add:
    case Instruction::Sub:
      Result = Op(0) && Op(1);
      break;
    case Instruction::Mul:
      Result = Op(0) && Op(1) &&
               (isUniform(I->getOperand(0)) || isUniform(I->getOperand(1)));
      break;
    case Instruction::Shl:
      Result = Op(0) && isa<ConstantInt>(I->getOperand(1)) &&
               cast<ConstantInt>(I->getOperand(1))->getZExtValue() < 31;
      break;
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
      Result = Op(0);
      break;
    default:
      break;
    }
  }
  Linear[V] = Result;
  return Result;
}

void ThreadLoop::require(IRBuilder<> &B, Value *Condition) {
  if (auto *C = dyn_cast<ConstantInt>(Condition); C && C->isOne())
    return;
  Conditions.push_back(Condition);
}

void ThreadLoop::requireFits(IRBuilder<> &B, Ends E, Type *T) {
  for (Value *V : {E.First, E.Last}) {
    Value *Narrow = B.CreateTrunc(V, T);
    require(B, B.CreateICmpEQ(B.CreateSExt(Narrow, V->getType()), V));
    if (E.First == E.Last)
      break;
  }
}

void ThreadLoop::requireNonNegative(IRBuilder<> &B, Ends E) {
  for (Value *V : {E.First, E.Last}) {
    require(B, B.CreateICmpSGE(V, ConstantInt::get(V->getType(), 0)));
    if (E.First == E.Last)
      break;
  }
}

/// Recomputes a uniform value before the loop.
Value *ThreadLoop::uniform(IRBuilder<> &B, Value *V) {
  if (isa<Constant>(V))
    return V;
  if (Value *Known = Emitted.lookup(V))
    return Known;
  auto *I = cast<Instruction>(V);
  SmallVector<Value *> Ops;
  for (Value *Op : I->operands())
    Ops.push_back(uniform(B, Op));
  Instruction *New = I->clone();
  New->dropPoisonGeneratingFlags();
  New->dropUnknownNonDebugMetadata();
  for (auto [N, Op] : enumerate(Ops))
    New->setOperand(N, Op);
  B.Insert(New);
  Emitted[V] = New;
  return New;
}

ThreadLoop::Ends ThreadLoop::ends(IRBuilder<> &B, Value *V) {
  auto It = EmittedEnds.find(V);
  if (It != EmittedEnds.end())
    return It->second;
  Ends E;
  if (V != ThreadX && isUniform(V))
    E.First = E.Last = B.CreateSExt(uniform(B, V), wide(V->getType()));
  else
    E = endsOf(B, *cast<Instruction>(V));
  EmittedEnds[V] = E;
  return E;
}

ThreadLoop::Ends ThreadLoop::endsOf(IRBuilder<> &B, Instruction &I) {
  Type *Wide = wide(I.getType());
  Ends L = ends(B, I.getOperand(0)), E;
  if (I.getNumOperands() == 1) {
    // Exact in the source; a cast keeps the value where it fits.
    if (isa<ZExtInst>(I))
      requireNonNegative(B, L);
    E = {B.CreateSExtOrTrunc(L.First, Wide), B.CreateSExtOrTrunc(L.Last, Wide)};
    if (isa<TruncInst>(I)) {
      requireFits(B, L, I.getType());
      E = {B.CreateTrunc(L.First, Wide), B.CreateTrunc(L.Last, Wide)};
    }
    return E;
  }
  Ends R = ends(B, I.getOperand(1));
  auto Apply = [&](Value *A, Value *C) -> Value * {
    switch (I.getOpcode()) {
    case Instruction::Sub:
      return B.CreateSub(A, C);
    case Instruction::Mul:
      return B.CreateMul(A, C);
    case Instruction::Shl:
      return B.CreateShl(A, C);
    default:
      return B.CreateAdd(A, C);
    }
  };
  E = {Apply(L.First, R.First), Apply(L.Last, R.Last)};
  requireFits(B, E, I.getType());
  return E;
}

void ThreadLoop::requireGuard(IRBuilder<> &B, ICmpInst &Compare, bool Pass) {
  Value *L = Compare.getOperand(0), *R = Compare.getOperand(1);
  CmpInst::Predicate P =
      Pass ? Compare.getPredicate() : Compare.getInversePredicate();
  if (isUniform(L) && isUniform(R)) {
    require(B, B.CreateICmp(P, uniform(B, L), uniform(B, R)));
    return;
  }
  Ends A = ends(B, L), C = ends(B, R);
  if (CmpInst::isUnsigned(P)) {
    requireNonNegative(B, A);
    requireNonNegative(B, C);
    P = ICmpInst::getSignedPredicate(P);
  }
  require(B, B.CreateICmp(P, A.First, C.First));
  require(B, B.CreateICmp(P, A.Last, C.Last));
}

Value *ThreadLoop::emitFastCondition(IRBuilder<> &B, ArrayRef<Value *> Actual) {
  if (Guards.empty() && Indices.empty())
    return nullptr;
  for (Argument &A : Body.args())
    Emitted[&A] = Actual[A.getArgNo()];
  Argument *Dim = Body.getArg(ThreadX->getArgNo() + 3);
  Type *Wide = wide(ThreadX->getType());
  Value *Count = B.CreateZExt(Emitted[Dim], Wide);
  EmittedEnds[ThreadX] = {ConstantInt::get(Wide, 0),
                          B.CreateSub(Count, ConstantInt::get(Wide, 1))};
  for (auto [Compare, Pass] : Guards)
    requireGuard(B, *Compare, Pass);
  for (Instruction *I : Indices)
    ends(B, I);
  if (Conditions.empty())
    return nullptr;
  return B.CreateAnd(Conditions);
}

Function *ThreadLoop::makeFastBody() {
  ValueToValueMapTy Map;
  // One group for both versions: the clone must not get a node of its own.
  Map.MD()[AccessGroup].reset(AccessGroup);
  Function *Fast = CloneFunction(&Body, Map);
  for (auto [Compare, Pass] : Guards) {
    auto *Clone = cast<Instruction>(Map[Compare]);
    Clone->replaceAllUsesWith(ConstantInt::getBool(Clone->getType(), Pass));
    Clone->eraseFromParent();
  }
  for (Instruction *I : Indices) {
    auto *Clone = cast<Instruction>(Map[I]);
    if (isa<ZExtInst>(Clone))
      Clone->setNonNeg();
    else if (isa<TruncInst>(Clone))
      Clone->setHasNoSignedWrap();
    else if (isa<OverflowingBinaryOperator>(Clone))
      Clone->setHasNoSignedWrap();
  }
  return Fast;
}

void ThreadLoop::annotate(BranchInst &Latch, bool Rare) {
  LLVMContext &Context = Body.getContext();
  auto Flag = [&](StringRef Name, Metadata *Value) {
    return MDNode::get(Context, {MDString::get(Context, Name), Value});
  };
  SmallVector<Metadata *> Ops = {nullptr};
  Ops.push_back(Flag("llvm.loop.parallel_accesses", AccessGroup));
  if (Rare) {
    Ops.push_back(
        Flag("llvm.loop.vectorize.enable",
             ConstantAsMetadata::get(ConstantInt::getFalse(Context))));
    Ops.push_back(MDNode::get(
        Context, MDString::get(Context, "llvm.loop.unroll.disable")));
  }
  MDNode *Id = MDNode::getDistinct(Context, Ops);
  Id->replaceOperandWith(0, Id);
  Latch.setMetadata(LLVMContext::MD_loop, Id);
}

} // namespace echo::cpudevice
