//===- ThreadLoop.cpp - The loop over threadIdx.x -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard is a branch near the kernel's start of which one side leads straight
// to the return, and before which nothing has an effect. Its comparison is of
// values that are affine in the thread's indices. Bounds of such values over
// the whole block, computed in twice their width, tell whether any of them
// wraps; if none does, each guard is an inequality with a constant step per
// thread and its solution a range.
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

/// True if a thread that does not pass a guard at \p Block's end must still run
/// what comes before it.
bool hasEffects(const BasicBlock &Block) {
  return any_of(Block, [](const Instruction &I) {
    return I.mayHaveSideEffects() && !isa<AssumeInst>(I);
  });
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
    if (!Branch || hasEffects(*Block))
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
  auto SL = isAffine(L) ? slope(L) : std::nullopt;
  auto SR = isAffine(R) ? slope(R) : std::nullopt;
  if (!SL || !SR)
    return false;
  const uint64_t Step = *SL < *SR ? *SR - *SL : *SL - *SR;
  CmpInst::Predicate P =
      Pass ? Compare->getPredicate() : Compare->getInversePredicate();
  const bool Solvable = P == CmpInst::ICMP_NE ? Step == 0
                        : P == CmpInst::ICMP_EQ
                            ? Step <= 1
                            : Step == 0 || isPowerOf2_64(Step);
  if (!Solvable)
    return false;
  Guards.push_back({Compare, Pass});
  return true;
}

void ThreadLoop::findIndices() {
  for (Instruction &I : instructions(Body)) {
    if (!isIndexWidth(I.getType()) || isPoint(&I) || !isAffine(&I))
      continue;
    if (Indices.size() == MaxIndices)
      return;
    Indices.push_back(&I);
  }
}

/// The same for all threads of the block, and computed without memory.
bool ThreadLoop::isPoint(Value *V, unsigned Depth) {
  if (isa<Constant>(V))
    return isa<ConstantInt>(V);
  if (auto *A = dyn_cast<Argument>(V))
    return A->getType()->isIntegerTy() &&
           (A->getArgNo() < ThreadX->getArgNo() ||
            A->getArgNo() >= ThreadX->getArgNo() + 3);
  auto It = Points.find(V);
  if (It != Points.end())
    return It->second;
  auto *I = dyn_cast<Instruction>(V);
  bool Result =
      I && Depth < MaxDepth && I->getType()->isIntegerTy() &&
      (isa<BinaryOperator>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I) ||
       isa<TruncInst>(I)) &&
      isSafeToSpeculativelyExecute(I) &&
      all_of(I->operands(), [&](Use &U) { return isPoint(U, Depth + 1); });
  Points[V] = Result;
  return Result;
}

/// A sum of products of the thread's indices with points.
bool ThreadLoop::isAffine(Value *V, unsigned Depth) {
  if (!isIndexWidth(V->getType()))
    return false;
  if (isPoint(V, Depth) || isa<Argument>(V))
    return true;
  auto It = Affine.find(V);
  if (It != Affine.end())
    return It->second;
  auto *I = dyn_cast<Instruction>(V);
  bool Result = false;
  if (I && Depth < MaxDepth) {
    auto Op = [&](unsigned N) { return isAffine(I->getOperand(N), Depth + 1); };
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
               (isPoint(I->getOperand(0)) || isPoint(I->getOperand(1)));
      break;
    case Instruction::Shl:
      Result = Op(0) && isa<ConstantInt>(I->getOperand(1)) &&
               cast<ConstantInt>(I->getOperand(1))->getValue().ult(31);
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
  Affine[V] = Result;
  return Result;
}

/// How much an affine value grows per threadIdx.x, where that is a small
/// constant.
std::optional<int64_t> ThreadLoop::slope(Value *V) {
  constexpr int64_t Largest = 1 << 20;
  if (V == ThreadX)
    return 1;
  if (isPoint(V) || isa<Argument>(V))
    return 0;
  auto *I = cast<Instruction>(V);
  auto L = slope(I->getOperand(0));
  if (!L || I->getNumOperands() == 1)
    return L;
  auto R = slope(I->getOperand(1));
  if (!R)
    return std::nullopt;
  int64_t Result = 0;
  switch (I->getOpcode()) {
  case Instruction::Sub:
    Result = *L - *R;
    break;
  case Instruction::Mul:
    if (*L || *R) {
      auto *Factor = dyn_cast<ConstantInt>(I->getOperand(*L ? 1 : 0));
      if (!Factor || Factor->getValue().getSignificantBits() > 20)
        return std::nullopt;
      Result = (*L + *R) * Factor->getSExtValue();
    }
    break;
  case Instruction::Shl:
    Result = *L << cast<ConstantInt>(I->getOperand(1))->getZExtValue();
    break;
  default:
    Result = *L + *R;
    break;
  }
  if (Result > Largest || Result < -Largest)
    return std::nullopt;
  return Result;
}

void ThreadLoop::bindArguments(ArrayRef<Value *> Actual, Bindings &Known) {
  for (Argument &A : Body.args())
    Known[&A] = Actual[A.getArgNo()];
  Known[ThreadX] = ConstantInt::get(ThreadX->getType(), 0);
}

Value *ThreadLoop::emitFirst(IRBuilder<> &B, Value *V,
                             ArrayRef<Value *> Actual) {
  Bindings First;
  bindArguments(Actual, First);
  return evaluate(B, V, First);
}

/// Recomputes an integer expression where its arguments are \p Known.
Value *ThreadLoop::evaluate(IRBuilder<> &B, Value *V, Bindings &Known) {
  if (isa<Constant>(V))
    return V;
  if (Value *Done = Known.lookup(V))
    return Done;
  auto *I = cast<Instruction>(V);
  SmallVector<Value *> Ops;
  for (Value *Op : I->operands())
    Ops.push_back(evaluate(B, Op, Known));
  Instruction *New = I->clone();
  New->dropPoisonGeneratingFlags();
  New->dropUnknownNonDebugMetadata();
  for (auto [N, Op] : enumerate(Ops))
    New->setOperand(N, Op);
  B.Insert(New);
  New->setDebugLoc(B.getCurrentDebugLocation());
  Known[V] = New;
  return New;
}

void ThreadLoop::requireFits(IRBuilder<> &B, Bounds R, Type *T) {
  auto One = [&](Value *V) {
    Value *Narrow = B.CreateTrunc(V, T);
    Conditions.push_back(B.CreateICmpEQ(B.CreateSExt(Narrow, V->getType()), V));
  };
  One(R.Low);
  if (!R.isPoint())
    One(R.High);
}

void ThreadLoop::requireNonNegative(IRBuilder<> &B, Bounds R) {
  Conditions.push_back(
      B.CreateICmpSGE(R.Low, ConstantInt::get(R.Low->getType(), 0)));
}

ThreadLoop::Bounds ThreadLoop::bounds(IRBuilder<> &B, Value *V) {
  auto It = Known.find(V);
  if (It != Known.end())
    return It->second;
  Bounds R;
  if (isPoint(V))
    R.Low = R.High = B.CreateSExt(evaluate(B, V, AtEntry), wide(V->getType()));
  else
    R = boundsOf(B, *cast<Instruction>(V));
  Known[V] = R;
  return R;
}

ThreadLoop::Bounds ThreadLoop::boundsOf(IRBuilder<> &B, Instruction &I) {
  Type *Wide = wide(I.getType());
  Bounds L = bounds(B, I.getOperand(0)), Result;
  if (I.getNumOperands() == 1) {
    // A cast keeps the value where it fits the new type.
    if (isa<ZExtInst>(I))
      requireNonNegative(B, L);
    if (isa<TruncInst>(I))
      requireFits(B, L, I.getType());
    Result.Low = B.CreateSExtOrTrunc(L.Low, Wide);
    Result.High = L.isPoint() ? Result.Low : B.CreateSExtOrTrunc(L.High, Wide);
    return Result;
  }
  Bounds R = bounds(B, I.getOperand(1));
  switch (I.getOpcode()) {
  case Instruction::Sub:
    Result = {B.CreateSub(L.Low, R.High), B.CreateSub(L.High, R.Low)};
    break;
  case Instruction::Mul: {
    Value *A = B.CreateMul(L.Low, R.Low), *C = B.CreateMul(L.High, R.High);
    Result = {B.CreateBinaryIntrinsic(Intrinsic::smin, A, C),
              B.CreateBinaryIntrinsic(Intrinsic::smax, A, C)};
    break;
  }
  case Instruction::Shl:
    Result = {B.CreateShl(L.Low, R.Low), B.CreateShl(L.High, R.Low)};
    break;
  default:
    Result = {B.CreateAdd(L.Low, R.Low), B.CreateAdd(L.High, R.High)};
    break;
  }
  requireFits(B, Result, I.getType());
  return Result;
}

Value *ThreadLoop::emitNoWrap(IRBuilder<> &B, ArrayRef<Value *> Actual) {
  if (Guards.empty() && Indices.empty())
    return nullptr;
  AtEntry.clear();
  Known.clear();
  Conditions.clear();
  bindArguments(Actual, AtEntry);
  Type *Wide = wide(ThreadX->getType());
  for (unsigned Axis = 0; Axis != 3; ++Axis) {
    Argument *Index = Body.getArg(ThreadX->getArgNo() + Axis);
    Argument *Dim = Body.getArg(ThreadX->getArgNo() + 3 + Axis);
    Value *Count = B.CreateZExt(AtEntry[Dim], Wide);
    Known[Index] = {ConstantInt::get(Wide, 0),
                    B.CreateSub(Count, ConstantInt::get(Wide, 1))};
  }
  for (const Guard &G : Guards) {
    Bounds L = bounds(B, G.Compare->getOperand(0));
    Bounds R = bounds(B, G.Compare->getOperand(1));
    // x <u y is 0 <= x < y where y is not negative.
    CmpInst::Predicate P =
        G.Pass ? G.Compare->getPredicate() : G.Compare->getInversePredicate();
    if (P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_ULE)
      requireNonNegative(B, R);
    else if (P == CmpInst::ICMP_UGT || P == CmpInst::ICMP_UGE)
      requireNonNegative(B, L);
  }
  for (Instruction *I : Indices)
    bounds(B, I);
  return Conditions.empty() ? B.getTrue() : B.CreateAnd(Conditions);
}

std::pair<Value *, Value *> ThreadLoop::emitRange(IRBuilder<> &B,
                                                  ArrayRef<Value *> Actual) {
  Bindings Row;
  bindArguments(Actual, Row);
  Type *Wide = B.getInt128Ty();
  auto Number = [&](int64_t N) { return ConstantInt::getSigned(Wide, N); };
  Value *Low = Number(0);
  Value *Count = Row[Body.getArg(ThreadX->getArgNo() + 3)];
  Value *High = B.CreateZExt(Count, Wide);
  auto AtMost = [&](Value *V) {
    High = B.CreateBinaryIntrinsic(Intrinsic::smin, High, V);
  };
  auto AtLeast = [&](Value *V) {
    Low = B.CreateBinaryIntrinsic(Intrinsic::smax, Low, V);
  };
  // Solves First + Step * x < 0.
  auto Below = [&](Value *First, int64_t Step) {
    Value *Log = Number(Step ? Log2_64(uint64_t(std::abs(Step))) : 0);
    if (Step > 0)
      AtMost(B.CreateAdd(B.CreateAShr(B.CreateNot(First), Log), Number(1)));
    else if (Step < 0)
      AtLeast(B.CreateAdd(B.CreateAShr(First, Log), Number(1)));
    else
      High = B.CreateSelect(B.CreateICmpSLT(First, Number(0)), High, Number(0));
  };
  for (const Guard &G : Guards) {
    Value *L = G.Compare->getOperand(0), *R = G.Compare->getOperand(1);
    CmpInst::Predicate P =
        G.Pass ? G.Compare->getPredicate() : G.Compare->getInversePredicate();
    if (ICmpInst::isGE(P) || ICmpInst::isGT(P)) {
      std::swap(L, R);
      P = CmpInst::getSwappedPredicate(P);
    }
    int64_t SL = *slope(L), SR = *slope(R);
    Value *A = B.CreateSExt(evaluate(B, L, Row), Wide);
    Value *C = B.CreateSExt(evaluate(B, R, Row), Wide);
    Value *Difference = B.CreateSub(A, C);
    if (CmpInst::isUnsigned(P))
      Below(B.CreateNot(A), -SL);
    if (P == CmpInst::ICMP_NE) {
      High = B.CreateSelect(B.CreateICmpNE(A, C), High, Number(0));
      continue;
    }
    if (P == CmpInst::ICMP_EQ) // also not above: -Difference - 1 < 0
      Below(B.CreateNot(Difference), SR - SL);
    const bool Strict = P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULT;
    Below(Strict ? Difference : B.CreateSub(Difference, Number(1)), SL - SR);
  }
  // An empty range may have its ends anywhere.
  Low =
      B.CreateBinaryIntrinsic(Intrinsic::smin, Low, B.CreateZExt(Count, Wide));
  High = B.CreateBinaryIntrinsic(Intrinsic::smax, High, Low);
  return {B.CreateTrunc(Low, B.getInt32Ty()),
          B.CreateTrunc(High, B.getInt32Ty())};
}

Function *ThreadLoop::makeFastBody() {
  ValueToValueMapTy Map;
  // One group for both versions: the clone must not get a node of its own.
  Map.MD()[AccessGroup].reset(AccessGroup);
  Function *Fast = CloneFunction(&Body, Map);
  for (const Guard &G : Guards) {
    auto *Clone = cast<Instruction>(Map[G.Compare]);
    Clone->replaceAllUsesWith(ConstantInt::getBool(Clone->getType(), G.Pass));
  }
  for (Instruction *I : Indices) {
    auto *Clone = cast<Instruction>(Map[I]);
    if (isa<ZExtInst>(Clone))
      Clone->setNonNeg();
    else if (isa<TruncInst>(Clone) || isa<OverflowingBinaryOperator>(Clone))
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
