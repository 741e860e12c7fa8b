//===- AddressSpaces.cpp - Makes every pointer generic --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the host global, shared, constant and local memory are one space. Types,
// constants and instructions are rewritten in place; a global keeps its
// identity, only its pointer type changes. NVVM intrinsics keep a declaration
// that no longer fits their calls; lowerIntrinsics replaces those calls.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

class Eraser {
public:
  explicit Eraser(Module &M) : M(M), Context(M.getContext()) {}

  void run() {
    for (GlobalVariable &GV : M.globals())
      GV.mutateType(PointerType::get(Context, 0));
    for (Function &F : M)
      if (!F.isDeclaration())
        rewriteBody(F);
    for (GlobalVariable &GV : make_early_inc_range(M.globals()))
      rewriteInitializer(GV);
    for (Function &F : make_early_inc_range(M))
      rewriteSignature(F);
    for (GlobalVariable &GV : M.globals())
      GV.removeDeadConstantUsers();
  }

private:
  Type *map(Type *T) {
    if (auto *P = dyn_cast<PointerType>(T))
      return P->getAddressSpace() ? PointerType::get(Context, 0) : T;
    auto [It, New] = Types.try_emplace(T, T);
    if (!New)
      return It->second;
    Type *Result = mapComposite(T);
    Types[T] = Result;
    return Result;
  }

  Type *mapComposite(Type *T) {
    if (auto *A = dyn_cast<ArrayType>(T))
      return ArrayType::get(map(A->getElementType()), A->getNumElements());
    if (auto *V = dyn_cast<VectorType>(T))
      return VectorType::get(map(V->getElementType()), V->getElementCount());
    if (auto *F = dyn_cast<FunctionType>(T)) {
      SmallVector<Type *> Params;
      for (Type *P : F->params())
        Params.push_back(map(P));
      return FunctionType::get(map(F->getReturnType()), Params, F->isVarArg());
    }
    auto *S = dyn_cast<StructType>(T);
    if (!S || S->isOpaque())
      return T;
    SmallVector<Type *> Elements;
    bool Changed = false;
    for (Type *E : S->elements()) {
      Elements.push_back(map(E));
      Changed |= Elements.back() != E;
    }
    if (!Changed)
      return T;
    if (S->isLiteral())
      return StructType::get(Context, Elements, S->isPacked());
    return StructType::create(Context, Elements, S->getName(), S->isPacked());
  }

  Constant *map(Constant *C) {
    if (isa<GlobalValue>(C))
      return C;
    auto It = Constants.find(C);
    if (It != Constants.end())
      return It->second;
    Constant *Result = mapUncached(C);
    Constants[C] = Result;
    return Result;
  }

  Constant *mapUncached(Constant *C) {
    Type *T = map(C->getType());
    if (isa<PoisonValue>(C))
      return PoisonValue::get(T);
    if (isa<UndefValue>(C))
      return UndefValue::get(T);
    if (isa<ConstantPointerNull>(C) || isa<ConstantAggregateZero>(C))
      return Constant::getNullValue(T);
    if (C->getNumOperands() == 0 || isa<BlockAddress>(C))
      return C;
    SmallVector<Constant *> Ops;
    bool Changed = T != C->getType();
    for (Use &U : C->operands()) {
      Ops.push_back(map(cast<Constant>(U.get())));
      Changed |= Ops.back() != U.get();
      // A global's type changed under the expression that uses it.
      Changed |= isa<GlobalVariable>(U.get());
    }
    if (!Changed)
      return C;
    if (auto *CE = dyn_cast<ConstantExpr>(C)) {
      if (CE->getOpcode() == Instruction::AddrSpaceCast)
        return Ops[0];
      Type *Source = nullptr;
      if (auto *GEP = dyn_cast<GEPOperator>(CE))
        Source = map(GEP->getSourceElementType());
      return CE->getWithOperands(Ops, T, false, Source);
    }
    if (auto *A = dyn_cast<ArrayType>(T))
      return ConstantArray::get(A, Ops);
    if (auto *S = dyn_cast<StructType>(T))
      return ConstantStruct::get(S, Ops);
    if (isa<VectorType>(T))
      return ConstantVector::get(Ops);
    return C;
  }

  void rewriteBody(Function &F) {
    for (Argument &A : F.args())
      A.mutateType(map(A.getType()));
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        for (Value *V : Record.location_ops())
          if (isa_and_nonnull<ConstantExpr>(V)) {
            Record.setKillLocation();
            break;
          }
      for (Use &U : I.operands())
        if (auto *C = dyn_cast<Constant>(U.get()))
          if (!isa<GlobalValue>(C))
            U.set(map(C));
      rewriteTypes(I);
      if (isa<AddrSpaceCastInst>(I)) {
        I.replaceAllUsesWith(I.getOperand(0));
        I.eraseFromParent();
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        retypeIntrinsic(*Call);
      }
    }
  }

  void rewriteTypes(Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      Call->mutateFunctionType(
          cast<FunctionType>(map(Call->getFunctionType())));
    else
      I.mutateType(map(I.getType()));
    if (auto *Alloca = dyn_cast<AllocaInst>(&I))
      Alloca->setAllocatedType(map(Alloca->getAllocatedType()));
    if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
      GEP->setSourceElementType(map(GEP->getSourceElementType()));
      GEP->setResultElementType(map(GEP->getResultElementType()));
    }
  }

  /// llvm.memcpy.p0.p3 and the like carry pointer types in their name.
  void retypeIntrinsic(CallBase &Call) {
    Function *F = Call.getCalledFunction();
    if (!F && isa<Function>(Call.getCalledOperand()))
      F = cast<Function>(Call.getCalledOperand());
    if (!F || !F->isIntrinsic() || F->getName().starts_with("llvm.nvvm.") ||
        F->getFunctionType() == Call.getFunctionType())
      return;
    SmallVector<Type *> Overloads;
    if (!Intrinsic::getIntrinsicSignature(F->getIntrinsicID(),
                                          Call.getFunctionType(), Overloads))
      return;
    Call.setCalledFunction(
        Intrinsic::getOrInsertDeclaration(&M, F->getIntrinsicID(), Overloads));
  }

  void rewriteInitializer(GlobalVariable &GV) {
    Type *T = map(GV.getValueType());
    Constant *Init = GV.hasInitializer() ? map(GV.getInitializer()) : nullptr;
    if (T == GV.getValueType()) {
      if (Init)
        GV.setInitializer(Init);
      return;
    }
    auto *New = new GlobalVariable(M, T, GV.isConstant(), GV.getLinkage(), Init,
                                   "", &GV);
    New->setAlignment(GV.getAlign());
    New->takeName(&GV);
    GV.replaceAllUsesWith(New);
    GV.eraseFromParent();
  }

  void rewriteSignature(Function &F) {
    auto *T = cast<FunctionType>(map(F.getFunctionType()));
    if (T == F.getFunctionType() || F.isIntrinsic())
      return;
    Function *New = Function::Create(T, F.getLinkage(), "", &M);
    New->copyAttributesFrom(&F);
    New->setComdat(F.getComdat());
    New->takeName(&F);
    New->copyMetadata(&F, 0);
    New->splice(New->begin(), &F);
    for (auto [Old, Arg] : zip(F.args(), New->args())) {
      Old.mutateType(Arg.getType());
      Old.replaceAllUsesWith(&Arg);
      Arg.takeName(&Old);
    }
    F.replaceAllUsesWith(New);
    F.eraseFromParent();
  }

  Module &M;
  LLVMContext &Context;
  DenseMap<Type *, Type *> Types;
  DenseMap<Constant *, Constant *> Constants;
};

} // namespace

void eraseAddressSpaces(Module &M) { Eraser(M).run(); }

} // namespace echo::cpudevice
