//===- BufferFlow.cpp - Which calls of a function carry buffers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers are united as in Steensgaard's analysis, all of an object with what
// its memory points to. Numbers have a direction: those that make a needed one
// are needed.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/BufferFlow.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

/// True if a value of type \p T may be an address, or have one in it.
static bool mayPoint(const Type *T) {
  return T->getScalarType()->isPointerTy() || T->isAggregateType();
}

static bool isNumber(const Type *T) {
  return T->getScalarType()->isIntegerTy();
}

/// The variable or value whose memory \p V leads to; null: none of the
/// program's.
static const Value *placeOf(const Value *V) {
  if (!isa<Constant>(V))
    return V;
  const auto *GV = V->getType()->isPointerTy()
                       ? dyn_cast<GlobalVariable>(getUnderlyingObject(V))
                       : nullptr;
  return GV && !GV->isConstant() && !GV->isDeclaration() ? GV : nullptr;
}

unsigned BufferFlow::number(const Value &V) {
  auto [It, New] = Numbers.try_emplace(&V, Numbers.size());
  if (New)
    Classes.grow(Numbers.size());
  return It->second;
}

void BufferFlow::add(Accesses &To, const Value *Address, const Value *Number) {
  if (const Value *Place = placeOf(Address)) {
    number(*Place);
    To.push_back({Address, Number});
  }
}

int BufferFlow::classOf(const Value *V) const {
  const Value *Place = placeOf(V);
  auto It = Place ? Numbers.find(Place) : Numbers.end();
  return It == Numbers.end() ? -1 : static_cast<int>(Classes[It->second]);
}

void BufferFlow::unite(const Value *A, const Value *B) {
  A = placeOf(A);
  B = placeOf(B);
  if (!A || !B || !mayPoint(A->getType()) || !mayPoint(B->getType()))
    return;
  unsigned First = number(*A), Second = number(*B);
  Classes.join(First, Second);
}

/// True if the code that \p Call runs is out of sight, and stays so: what its
/// numbers are made of shows nowhere.
static bool isOutOfSight(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration();
}

/// True if \p Call returns its first argument, if a pointer at all, as members
/// and operators of the C++ library that are out of sight do: streams, strings.
static bool returnsFirst(const CallBase &Call) {
  StringRef Name = Call.getCalledFunction()->getName();
  return any_of(ArrayRef<StringRef>{"_ZNS", "_ZNKS", "_ZS"},
                [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

void BufferFlow::connectCall(const CallBase &Call, bool Shows) {
  const bool Hidden = isOutOfSight(Call);
  const bool First = Hidden && returnsFirst(Call);
  const Value *Some = nullptr;
  auto Add = [&](const Value *V) {
    // The number of bytes of what it allocates.
    if (Hidden && isNumber(V->getType()) && mayPoint(Call.getType()))
      add(Stores, &Call, V);
    if (!mayPoint(V->getType()) || !placeOf(V))
      return;
    number(*placeOf(V));
    if (Some && !Shows)
      unite(Some, V);
    // It does not store one pointer of the program's in another one's memory.
    if (!Hidden || V == &Call)
      Some = V;
    else if (First)
      Some = nullptr;
  };
  Add(&Call);
  for (const Use &Arg : Call.args())
    Add(Arg);
}

void BufferFlow::connect(const Instruction &I, Which MayShow) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (isNumber(I.getType()))
      add(Loads, Load->getPointerOperand(), &I);
    return unite(&I, Load->getPointerOperand());
  }
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (isNumber(Store->getValueOperand()->getType()))
      add(Stores, Store->getPointerOperand(), Store->getValueOperand());
    return unite(Store->getValueOperand(), Store->getPointerOperand());
  }
  if (const auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
    return unite(Copy->getRawDest(), Copy->getRawSource());
  if (isa<IntrinsicInst>(I) && !mayPoint(I.getType()))
    return;
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return connectCall(*Call, MayShow(*Call));
  // The number is made of the pointer, as one that is loaded from there.
  if (const auto *Cast = dyn_cast<PtrToIntInst>(&I))
    return add(Loads, Cast->getPointerOperand(), &I);
  if (mayPoint(I.getType()) || isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    for (const Use &Op : I.operands())
      unite(&I, Op);
}

void BufferFlow::need(const Value *V) {
  if (!isa<Constant>(V) && isNumber(V->getType()))
    Needed.try_emplace(V, false);
  else if (int Class = mayPoint(V->getType()) ? classOf(V) : -1; Class >= 0)
    Tainted.set(Class);
}

void BufferFlow::propagate() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [Address, Number] : Stores)
      if (int Class = classOf(Address); Class >= 0 && Tainted[Class])
        need(Number);
    SmallVector<const Value *, 16> Fresh;
    for (auto &[V, Done] : Needed)
      if (!Done) {
        Done = true;
        Fresh.push_back(V);
      }
    for (const Value *V : Fresh) {
      Changed = true;
      const auto *Call = dyn_cast<CallBase>(V);
      if (const auto *I = dyn_cast<Instruction>(V);
          I && !(Call && isOutOfSight(*Call)))
        for (const Use &Op : I->operands())
          need(Op);
    }
  }
}

void BufferFlow::followAnswers() {
  SmallVector<const Value *, 16> Work;
  auto Add = [&](const Value *V) {
    if (isNumber(V->getType()) && Answers.insert(V).second)
      Work.push_back(V);
  };
  for (const CallBase *Call : Gpu)
    Add(Call);
  BitVector Held(Classes.getNumClasses());
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const User *U : V->users()) {
      const auto *Store = dyn_cast<StoreInst>(U);
      if (!Store) {
        if (!isa<CallBase>(U))
          Add(U);
        continue;
      }
      int Class = classOf(Store->getPointerOperand());
      if (Class < 0 || Held.test(Class))
        continue;
      Held.set(Class);
      for (auto [Address, Number] : Loads)
        if (classOf(Address) == Class)
          Add(Number);
    }
  }
}

BufferFlow::BufferFlow(const Function &F, Which IsGpu, Which MayShow) {
  for (const Instruction &I : instructions(F)) {
    connect(I, MayShow);
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && IsGpu(*Call))
      Gpu.push_back(Call);
  }
  Classes.compress();
  Tainted.resize(Classes.getNumClasses());
  for (const CallBase *Call : Gpu) {
    need(Call);
    for (const Use &Arg : Call->args())
      need(Arg);
  }
  propagate();
  followAnswers();
}

bool BufferFlow::carries(const CallBase &Call) const {
  auto Has = [&](const Value *V) {
    if (mayPoint(V->getType())) {
      int Class = classOf(V);
      return Class >= 0 && Tainted.test(Class);
    }
    return Answers.contains(V);
  };
  return Has(&Call) || Needed.contains(&Call) || llvm::any_of(Call.args(), Has);
}

} // namespace echo
