//===- KeptAccesses.cpp - No access of a view is folded away --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load is used by an intrinsic that does nothing, which no pass removes or
// takes for a write of memory. Where a load is replaced by an earlier one of
// the same place, its user follows, and the load goes. A store whose value may
// come from a load is volatile.
//
//===----------------------------------------------------------------------===//
#include "Transform/Body/KeptAccesses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace echo {

/// True if \p Pointer may point to memory that the GPU could share.
static bool mayBeShared(const Value *Pointer) {
  const Value *Base = getUnderlyingObject(Pointer);
  if (const auto *Global = dyn_cast<GlobalVariable>(Base))
    return !Global->isConstant();
  return !isa<AllocaInst>(Base);
}

static bool passesShared(const CallBase &Call) {
  return any_of(Call.args(), [](const Use &Arg) {
    return Arg->getType()->isPointerTy() && mayBeShared(Arg);
  });
}

/// True if \p I reads such memory, and a pass may remove it where nothing uses
/// what it read.
static bool isRead(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && mayBeShared(Load->getPointerOperand());
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !Call->getType()->isVoidTy() && !Call->isMustTailCall() &&
         Call->onlyReadsMemory() && Call->mayReadFromMemory() &&
         passesShared(*Call);
}

namespace {
/// What of a function is of use, its local variables included: the values that
/// a branch, a call or memory that others see may need.
class UsedValues {
public:
  explicit UsedValues(Function &F);
  bool contains(const Value *V) const { return Used.contains(V); }

private:
  void use(const Value *V) {
    if (isa<Instruction>(V) && Used.insert(V).second)
      Work.push_back(cast<Instruction>(V));
  }
  /// What is written to local variable \p Variable is read.
  void readOf(const Value *Variable) {
    if (isa<AllocaInst>(Variable) && Read.insert(Variable).second)
      for (const Instruction *Writer : Writers.lookup(Variable))
        use(Writer);
  }

  DenseSet<const Value *> Used, Read;
  DenseMap<const Value *, SmallVector<const Instruction *, 4>> Writers;
  SmallVector<const Instruction *, 64> Work;
};
} // namespace

/// The local variable that \p I writes, and does nothing else, or null.
static const Value *variableWrittenBy(const Instruction &I) {
  const Value *Pointer = nullptr;
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    Pointer = Store->isSimple() ? Store->getPointerOperand() : nullptr;
  else if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
    Pointer = Fill->isVolatile() ? nullptr : Fill->getDest();
  const Value *Base = Pointer ? getUnderlyingObject(Pointer) : nullptr;
  return Base && isa<AllocaInst>(Base) ? Base : nullptr;
}

UsedValues::UsedValues(Function &F) {
  SmallVector<const Instruction *, 32> Roots;
  for (const Instruction &I : instructions(F)) {
    if (const Value *Variable = variableWrittenBy(I))
      Writers[Variable].push_back(&I);
    else if (!I.isLifetimeStartOrEnd() &&
             (I.isTerminator() || I.mayHaveSideEffects()))
      Roots.push_back(&I);
  }
  for (const Instruction *I : Roots)
    use(I);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    for (const Use &Operand : I->operands()) {
      use(Operand);
      // Who gets an address may read there, but for those that only write. What
      // is computed of it shows what it is of.
      bool Written = (isa<StoreInst>(I) && Operand.getOperandNo() == 1) ||
                     (isa<MemIntrinsic>(I) && Operand.getOperandNo() == 0);
      if (Operand->getType()->isPointerTy() && !Written &&
          !isa<GetElementPtrInst>(I))
        readOf(getUnderlyingObject(Operand));
    }
  }
}

static constexpr StringLiteral ReadTag = "echo.read";

/// A copy from memory that others see to a variable of which nothing is used
/// goes with the variable. A load before it stays in its place; one that
/// turned out to read a local variable goes.
static void readForDeadCopies(Function &F) {
  SmallVector<MemTransferInst *, 8> Copies;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      if (Load->use_empty() && Load->hasMetadata(ReadTag) &&
          !mayBeShared(Load->getPointerOperand()))
        Load->eraseFromParent();
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I);
               Copy && !Copy->hasMetadata(ReadTag) &&
               variableWrittenBy(*Copy) && mayBeShared(Copy->getSource())) {
      Copies.push_back(Copy);
    }
  }
  if (Copies.empty())
    return;
  const UsedValues Used(F);
  MDNode *Empty = MDNode::get(F.getContext(), {});
  for (MemTransferInst *Copy : Copies) {
    if (Used.contains(Copy))
      continue;
    auto *Load = new LoadInst(Type::getInt8Ty(F.getContext()),
                              Copy->getSource(), "", Copy->getIterator());
    Load->setDebugLoc(Copy->getDebugLoc());
    Load->setMetadata(ReadTag, Empty);
    Copy->setMetadata(ReadTag, Empty);
  }
}

static constexpr StringLiteral Tag = "echo.kept";

KeptLoads::KeptLoads(Function &F) : F(F) {
  readForDeadCopies(F);
  SmallVector<Instruction *, 64> Reads;
  for (Instruction &I : instructions(F))
    if (isRead(I))
      Reads.push_back(&I);
  if (Reads.empty())
    return;
  Nothing =
      Intrinsic::getOrInsertDeclaration(F.getParent(), Intrinsic::sideeffect);
  for (Instruction *I : Reads) {
    Value *Read = I;
    OperandBundleDef Use(Tag.str(), ArrayRef(Read));
    CallInst::Create(Nothing, {}, {Use}, "", std::next(I->getIterator()));
  }
}

KeptLoads::~KeptLoads() {
  if (!Nothing)
    return;
  // Passes may have copied some.
  for (User *U : make_early_inc_range(Nothing->users()))
    if (auto *Call = cast<CallInst>(U);
        Call->getFunction() == &F && Call->getOperandBundle(Tag))
      Call->eraseFromParent();
  if (Nothing->use_empty())
    Nothing->eraseFromParent();
}

/// The instructions whose value may come from memory.
static DenseSet<const Value *> readFromMemory(Function &F) {
  DenseSet<const Value *> Read;
  SmallVector<const Instruction *, 64> Work;
  for (const Instruction &I : instructions(F))
    if (isa<LoadInst>(I) && Read.insert(&I).second)
      Work.push_back(&I);
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users())
      if (const auto *I = dyn_cast<Instruction>(U);
          I && !I->getType()->isVoidTy() && Read.insert(I).second)
        Work.push_back(I);
  return Read;
}

/// True if passes may know what \p Call does with memory, and that it is less
/// than it says: a masked store of all elements, memmove of nothing.
static bool isKnownToPasses(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !isa<MemIntrinsic>(Call) &&
         !Call.doesNotAccessMemory() &&
         !Call.onlyAccessesInaccessibleMemory() &&
         !Call.isLifetimeStartOrEnd() && !Call.isMustTailCall() &&
         !Call.hasOperandBundles() && passesShared(Call);
}

/// A function that nobody knows, in the place of intrinsic \p Callee.
static FunctionCallee opaque(Module &M, const Function &Callee) {
  FunctionCallee Opaque = M.getOrInsertFunction(
      ("echo.opaque." + Callee.getName()).str(), Callee.getFunctionType());
  auto *F = cast<Function>(Opaque.getCallee());
  F->setMemoryEffects(Callee.getMemoryEffects());
  if (Callee.doesNotThrow())
    F->setDoesNotThrow();
  return Opaque;
}

static void setVolatile(Instruction &I, bool To) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(To);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    Store->setVolatile(To);
  else if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
    Copy->setVolatile(ConstantInt::getBool(I.getContext(), To));
}

KeptStores::KeptStores(Function &F) : F(F) {
  const DenseSet<const Value *> Read = readFromMemory(F);
  for (Instruction &I : instructions(F)) {
    OwnVolatile |= I.isVolatile();
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->isSimple() && Read.contains(Store->getValueOperand()) &&
          mayBeShared(Store->getPointerOperand()))
        Accesses.push_back(Store);
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (!Copy->isVolatile() && mayBeShared(Copy->getDest()) &&
          mayBeShared(Copy->getSource()))
        Accesses.push_back(Copy);
    } else if (auto *Call = dyn_cast<CallBase>(&I);
               Call && isKnownToPasses(*Call)) {
      if (isa<IntrinsicInst>(Call))
        Intrinsics.push_back({Call, Call->getCalledFunction()});
      else if (!Call->isNoBuiltin())
        Calls.push_back(Call);
    }
  }
  for (const WeakVH &V : Calls)
    cast<CallBase>(V)->addFnAttr(Attribute::NoBuiltin);
  for (auto &[V, Callee] : Intrinsics)
    cast<CallBase>(V)->setCalledFunction(opaque(*F.getParent(), *Callee));
  for (const WeakVH &V : Accesses)
    setVolatile(*cast<Instruction>(V), true);
}

KeptStores::~KeptStores() {
  for (const WeakVH &V : Accesses)
    if (Value *Access = V)
      setVolatile(*cast<Instruction>(Access), false);
  for (const WeakVH &V : Calls)
    if (Value *Call = V)
      cast<CallBase>(Call)->removeFnAttr(Attribute::NoBuiltin);
  for (auto &[V, Callee] : Intrinsics) {
    auto *Call = cast_or_null<CallBase>(static_cast<Value *>(V));
    Function *Opaque = Call ? Call->getCalledFunction() : nullptr;
    if (Call)
      Call->setCalledFunction(Callee);
    if (Opaque && Opaque->use_empty())
      Opaque->eraseFromParent();
  }
  // A copy of a few bytes may have become a load and a store.
  if (!Accesses.empty() && !OwnVolatile)
    for (Instruction &I : instructions(F))
      if (I.isVolatile())
        setVolatile(I, false);
}

void promoteBySroa(Function &F, FunctionAnalysisManager &FAM) {
  promoteBy(F, FAM, SROAPass(SROAOptions::ModifyCFG));
}

} // namespace echo
