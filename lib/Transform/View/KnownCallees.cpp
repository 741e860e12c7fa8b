//===- KnownCallees.cpp - Calls of one of several known functions ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the pointer back through phis and selects to functions, and to loads.
// What a load gives was stored in the memory that it reads, or was there from
// the start; that shows where all uses of the memory are plain loads and stores
// of pointers. Order does not matter, as each value counts at any time.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/KnownCallees.h"
#include "Analysis/Api/Models.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace echo {

/// Functions; a pointer that may be more of them stays one.
static constexpr size_t MaxCallees = 32;

namespace {
/// The functions that a pointer may be, and whether that is all it may be.
class Callees {
public:
  explicit Callees(const ModelTable &Models) : Models(Models) {}
  /// False if \p Pointer may be something else.
  bool find(Value *Pointer);
  SetVector<Function *> Found;

private:
  bool addValue(Value *V);
  bool addConstant(Constant *C);
  bool addMemory(Value *Object);
  bool addUse(const Use &U, const Value *Object);
  bool isFreshBlock(const Value *V) const;

  const ModelTable &Models;
  SetVector<Value *> Values;
  SetVector<Value *> Objects;
  SetVector<Constant *> Constants;
};
} // namespace

/// Adds the functions in \p C, which a pointer is read from, or is.
bool Callees::addConstant(Constant *C) {
  Constants.insert(C);
  for (unsigned I = 0; I != Constants.size(); ++I) {
    Constant *Part = Constants[I];
    if (auto *F = dyn_cast<Function>(Part))
      Found.insert(F);
    else if (isa<ConstantAggregate>(Part))
      for (Value *Op : Part->operands())
        Constants.insert(cast<Constant>(Op));
    else if (!isa<ConstantData, GlobalVariable>(Part)) // those are none
      return false;
  }
  return true;
}

/// Adds what the pointer \p V may be.
bool Callees::addValue(Value *V) {
  if (auto *C = dyn_cast<Constant>(V))
    return addConstant(C);
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    Values.insert(Phi->op_begin(), Phi->op_end());
    return true;
  }
  if (auto *Select = dyn_cast<SelectInst>(V)) {
    Values.insert(Select->getTrueValue());
    Values.insert(Select->getFalseValue());
    return true;
  }
  if (auto *Freeze = dyn_cast<FreezeInst>(V)) {
    Values.insert(Freeze->getOperand(0));
    return true;
  }
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->isSimple() || !Load->getType()->isPointerTy())
    return false;
  SmallVector<const Value *, 4> From;
  getUnderlyingObjects(Load->getPointerOperand(), From, nullptr, 0);
  for (const Value *Object : From)
    Objects.insert(const_cast<Value *>(Object));
  return true;
}

/// True if \p V is a block of memory that nobody has written.
bool Callees::isFreshBlock(const Value *V) const {
  const auto *Call = dyn_cast<CallBase>(V);
  const FunctionModel *Model = Call ? Models.lookup(*Call) : nullptr;
  return Model && (Model->Allocates == FunctionModel::Malloc ||
                   Model->Allocates == FunctionModel::Calloc ||
                   Model->Allocates == FunctionModel::New);
}

/// Adds what \p U, of an address in \p Object, may put there. False if
/// somebody may know the address, or may put there what is no pointer.
bool Callees::addUse(const Use &U, const Value *Object) {
  User *By = U.getUser();
  if (const auto *Load = dyn_cast<LoadInst>(By))
    return Load->isSimple();
  if (const auto *Store = dyn_cast<StoreInst>(By)) {
    auto *Put = const_cast<Value *>(Store->getValueOperand());
    if (U.getOperandNo() == 0 || !Store->isSimple())
      return false;
    Values.insert(Put);
    return Put->getType()->isPointerTy() || isa<ConstantData>(Put);
  }
  if (isa<ICmpInst>(By))
    return true;
  const auto *Call = dyn_cast<CallBase>(By);
  if (!Call || !Call->isArgOperand(&U))
    return false;
  if (Call->isLifetimeStartOrEnd())
    return true;
  // Bytes that are all the same make no function's address.
  if (const auto *Fill = dyn_cast<MemSetInst>(Call))
    return !Fill->isVolatile();
  if (const auto *Copy = dyn_cast<MemTransferInst>(Call)) {
    if (U.getOperandNo() == 0) // all that is there may be here
      Objects.insert(
          const_cast<Value *>(getUnderlyingObject(Copy->getSource(), 0)));
    return !Copy->isVolatile();
  }
  const FunctionModel *Model = Models.lookup(*Call);
  unsigned A = Call->getArgOperandNo(&U);
  return Model && A < Model->Args.size() &&
         Model->Allocates == FunctionModel::NotAlloc &&
         Model->Args[A].What == ArgModel::Free && !isa<AllocaInst>(Object);
}

/// Adds all pointers that \p Object, some memory, may hold at any time.
bool Callees::addMemory(Value *Object) {
  auto *GV = dyn_cast<GlobalVariable>(Object);
  if (GV &&
      (GV->isThreadLocal() || GV->isExternallyInitialized() ||
       !GV->hasDefinitiveInitializer() || !addConstant(GV->getInitializer())))
    return false;
  if (GV && GV->isConstant())
    return true;
  if (!(GV && GV->hasLocalLinkage()) && !isa<AllocaInst>(Object) &&
      !isFreshBlock(Object))
    return false;
  SetVector<Value *> Addresses;
  Addresses.insert(Object);
  for (unsigned I = 0; I != Addresses.size(); ++I)
    for (const Use &U : Addresses[I]->uses()) {
      if (isa<GEPOperator, PHINode, BitCastInst>(U.getUser()) ||
          (isa<SelectInst>(U.getUser()) && U.getOperandNo() != 0))
        Addresses.insert(U.getUser());
      else if (!addUse(U, Object))
        return false;
    }
  return true;
}

bool Callees::find(Value *Pointer) {
  Values.insert(Pointer);
  unsigned V = 0, O = 0;
  while (V != Values.size() || O != Objects.size()) {
    bool Known =
        V != Values.size() ? addValue(Values[V++]) : addMemory(Objects[O++]);
    if (!Known || Found.size() > MaxCallees)
      return false;
  }
  return !Found.empty();
}

SmallVector<CallBase *, 8>
callKnownFunctionsDirectly(Function &F, const ModelTable &Models) {
  SmallVector<CallBase *, 8> Indirect, Direct;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && Call->isIndirectCall() && !Call->isMustTailCall())
      Indirect.push_back(Call);
  for (CallBase *Call : Indirect) {
    Callees C(Models);
    bool Fits =
        C.find(Call->getCalledOperand()) &&
        all_of(C.Found, [&](const Function *Callee) {
          return Callee->getFunctionType() == Call->getFunctionType() &&
                 Callee->getCallingConv() == Call->getCallingConv() &&
                 !Callee->isIntrinsic() &&
                 isLegalToPromote(*Call, const_cast<Function *>(Callee));
        });
    if (!Fits)
      continue;
    for (Function *Callee : drop_end(C.Found.getArrayRef()))
      Direct.push_back(&promoteCallWithIfThenElse(*Call, Callee));
    Call->setCalledFunction(C.Found.back());
    Direct.push_back(Call);
  }
  return Direct;
}

} // namespace echo
