//===- DeviceStrings.cpp - C's memory functions in device code ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is one loop over bytes, which ends at the byte that it looks
// for or after the last one.
//
//===----------------------------------------------------------------------===//
#include "Transform/Device/DeviceStrings.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

namespace {
/// A place of a loop over bytes, and what is built there.
struct Place {
  Function &F;
  IRBuilder<> &B;
  Value *At;

  Value *address(unsigned Parameter) {
    return B.CreateInBoundsGEP(B.getInt8Ty(), F.getArg(Parameter), At);
  }
  Value *byteOf(unsigned Parameter) {
    return B.CreateLoad(B.getInt8Ty(), address(Parameter));
  }
};

/// The condition at which a loop ends at a place, and its value then.
using Finder = std::pair<Value *, Value *> (*)(Place);

struct Definition {
  StringRef Name;
  FunctionType *T;
  Finder Found;
};
} // namespace

/// Gives \p F a loop over as many bytes as its third parameter says, after
/// which its value is 0, or, where it has none, a loop that \p Found ends.
static void define(Function &F, Finder Found) {
  LLVMContext &C = F.getContext();
  auto Block = [&] { return BasicBlock::Create(C, "", &F); };
  BasicBlock *Entry = Block(), *Head = Block(), *Look = Block(),
             *Next = Block(), *Hit = Block();
  IRBuilder<> B(Entry);
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *At = B.CreatePHI(B.getInt64Ty(), 2);
  At->addIncoming(B.getInt64(0), Entry);
  if (F.arg_size() == 3) {
    BasicBlock *End = Block();
    B.CreateCondBr(B.CreateICmpULT(At, F.getArg(2)), Look, End);
    ReturnInst::Create(C, Constant::getNullValue(F.getReturnType()), End);
  } else {
    B.CreateBr(Look);
  }
  B.SetInsertPoint(Look);
  auto [Ends, Result] = Found({F, B, At});
  B.CreateCondBr(Ends, Hit, Next);
  B.SetInsertPoint(Hit);
  B.CreateRet(Result);
  B.SetInsertPoint(Next);
  At->addIncoming(B.CreateAdd(At, B.getInt64(1)), Next);
  B.CreateBr(Head);
  F.setLinkage(GlobalValue::InternalLinkage);
  F.addFnAttr("no-builtins"); // the loop must not become a call of itself
}

bool defineStringFunctions(Module &M) {
  if (!M.getTargetTriple().isNVPTX())
    return false;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Int = Type::getInt32Ty(C),
       *Size = Type::getInt64Ty(C);
  const Definition All[] = {
      {"strlen", FunctionType::get(Size, {Ptr}, false),
       [](Place P) { return std::pair(P.B.CreateIsNull(P.byteOf(0)), P.At); }},
      {"memchr", FunctionType::get(Ptr, {Ptr, Int, Size}, false),
       [](Place P) {
         Value *Wanted = P.B.CreateTrunc(P.F.getArg(1), P.B.getInt8Ty());
         return std::pair(P.B.CreateICmpEQ(P.byteOf(0), Wanted), P.address(0));
       }},
      {"memcmp", FunctionType::get(Int, {Ptr, Ptr, Size}, false),
       [](Place P) {
         Value *X = P.B.CreateZExt(P.byteOf(0), P.B.getInt32Ty()),
               *Y = P.B.CreateZExt(P.byteOf(1), P.B.getInt32Ty());
         return std::pair(P.B.CreateICmpNE(X, Y), P.B.CreateSub(X, Y));
       }},
  };
  bool Changed = false;
  for (const Definition &D : All)
    if (Function *F = M.getFunction(D.Name);
        F && F->isDeclaration() && F->getFunctionType() == D.T) {
      define(*F, D.Found);
      Changed = true;
    }
  return Changed;
}

} // namespace echo
