//===- DeviceStrings.cpp - C's memory functions in device code ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function is one loop over bytes, which ends at the byte that it looks
// for or behind the last one.
//
//===----------------------------------------------------------------------===//
#include "Transform/DeviceStrings.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

namespace {
/// Builds the body of one function.
class Body {
public:
  explicit Body(Function &F) : F(F), B(F.getContext()) {}

  /// The byte at the loop's place in parameter \p I.
  Value *byteOf(unsigned I) {
    return B.CreateLoad(B.getInt8Ty(),
                        B.CreateInBoundsGEP(B.getInt8Ty(), F.getArg(I), At));
  }

  /// Loops over \p Size bytes, or without an end (null). \p Found gives the
  /// condition at which the loop ends early and then the function's value;
  /// \p Otherwise is its value at the end.
  void loop(Value *Size,
            function_ref<std::pair<Value *, Value *>(IRBuilder<> &)> Found,
            Value *Otherwise) {
    LLVMContext &C = F.getContext();
    auto *Entry = BasicBlock::Create(C, "", &F),
         *Head = BasicBlock::Create(C, "", &F),
         *Look = BasicBlock::Create(C, "", &F),
         *Next = BasicBlock::Create(C, "", &F),
         *Hit = BasicBlock::Create(C, "", &F);
    B.SetInsertPoint(Entry);
    B.CreateBr(Head);
    B.SetInsertPoint(Head);
    Type *Index = B.getInt64Ty();
    At = B.CreatePHI(Index, 2);
    At->addIncoming(ConstantInt::get(Index, 0), Entry);
    if (Size) {
      auto *End = BasicBlock::Create(C, "", &F);
      B.CreateCondBr(B.CreateICmpULT(At, Size), Look, End);
      ReturnInst::Create(C, Otherwise, End);
    } else {
      B.CreateBr(Look);
    }
    B.SetInsertPoint(Look);
    auto [Ends, Result] = Found(B);
    B.CreateCondBr(Ends, Hit, Next);
    B.SetInsertPoint(Hit);
    B.CreateRet(Result);
    B.SetInsertPoint(Next);
    At->addIncoming(B.CreateAdd(At, ConstantInt::get(Index, 1)), Next);
    B.CreateBr(Head);
    F.setLinkage(GlobalValue::InternalLinkage);
    F.addFnAttr("no-builtins"); // the loop must not become a call of itself
  }

  Value *place() const { return At; }

private:
  Function &F;
  IRBuilder<> B;
  PHINode *At = nullptr;
};
} // namespace

/// The function \p Name of \p M, if it is declared with type \p T and lacks a
/// body.
static Function *declared(Module &M, StringRef Name, FunctionType *T) {
  Function *F = M.getFunction(Name);
  return F && F->isDeclaration() && F->getFunctionType() == T ? F : nullptr;
}

bool defineStringFunctions(Module &M) {
  if (!M.getTargetTriple().isNVPTX())
    return false;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Int = Type::getInt32Ty(C),
       *Size = Type::getInt64Ty(C);
  bool Changed = false;
  if (auto *F = declared(M, "strlen", FunctionType::get(Size, {Ptr}, false))) {
    Body L(*F);
    L.loop(
        nullptr,
        [&](IRBuilder<> &B) {
          return std::pair(B.CreateIsNull(L.byteOf(0)), L.place());
        },
        nullptr);
    Changed = true;
  }
  if (auto *F = declared(M, "memchr",
                         FunctionType::get(Ptr, {Ptr, Int, Size}, false))) {
    Body L(*F);
    L.loop(
        F->getArg(2),
        [&](IRBuilder<> &B) {
          Value *Wanted = B.CreateTrunc(F->getArg(1), B.getInt8Ty());
          return std::pair(
              B.CreateICmpEQ(L.byteOf(0), Wanted),
              B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(0), L.place()));
        },
        ConstantPointerNull::get(cast<PointerType>(Ptr)));
    Changed = true;
  }
  if (auto *F = declared(M, "memcmp",
                         FunctionType::get(Int, {Ptr, Ptr, Size}, false))) {
    Body L(*F);
    L.loop(
        F->getArg(2),
        [&](IRBuilder<> &B) {
          Value *X = B.CreateZExt(L.byteOf(0), Int),
                *Y = B.CreateZExt(L.byteOf(1), Int);
          return std::pair(B.CreateICmpNE(X, Y), B.CreateSub(X, Y));
        },
        ConstantInt::get(Int, 0));
    Changed = true;
  }
  return Changed;
}

} // namespace echo
