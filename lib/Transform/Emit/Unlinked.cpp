//===- Unlinked.cpp - A program without echort says so --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/Unlinked.h"
#include "Transform/Emit/SharedCalls.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace echo {

static constexpr StringRef Text =
    "echo: another linker left Echo's runtime out, so nothing merges here: "
    "link with echo-cc, or give the linker $(echo-cc --print-link-flags)\n";

/// `getenv(Name) != NULL`.
static Value *isAsked(IRBuilder<> &B, Module &M, StringRef Name) {
  FunctionCallee GetEnv =
      M.getOrInsertFunction("getenv", B.getPtrTy(), B.getPtrTy());
  return B.CreateIsNotNull(
      B.CreateCall(GetEnv, B.CreateGlobalString(Name, "echo.variable")));
}

/// True if \p Name is the C library's in \p M, as far as is seen there.
static bool isOfLibrary(const Module &M, StringRef Name) {
  const GlobalValue *Known = M.getNamedValue(Name);
  return !Known || (isa<Function>(Known) && Known->isDeclaration());
}

/// The object's function that says it, once.
static Function *getSpeaker(Module &M, const Function &Like) {
  constexpr StringRef Name = "echort_unlinked";
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                             GlobalValue::InternalLinkage, Name, M);
  F->addFnAttrs(attributesLike(Like));
  for (Attribute::AttrKind Kind :
       {Attribute::NoUnwind, Attribute::Cold, Attribute::NoInline,
        Attribute::MinSize, Attribute::OptimizeForSize})
    F->addFnAttr(Kind);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  auto *Said = new GlobalVariable(M, B.getInt32Ty(), /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, B.getInt32(0),
                                  "echo.said");
  Value *Before = B.CreateAtomicRMW(AtomicRMWInst::Xchg, Said, B.getInt32(1),
                                    MaybeAlign(4), AtomicOrdering::Monotonic);
  Instruction *End = B.CreateRetVoid();
  B.SetInsertPoint(End);
  Value *First = B.CreateIsNull(Before);
  B.SetInsertPoint(SplitBlockAndInsertIfThen(First, End, false));
  Value *Asked =
      B.CreateOr(isAsked(B, M, "ECHO_VERBOSE"), isAsked(B, M, "ECHO_STATS"));
  B.SetInsertPoint(SplitBlockAndInsertIfThen(
      Asked, B.GetInsertBlock()->getTerminator(), false));
  Type *Size = M.getDataLayout().getIntPtrType(C);
  FunctionCallee Write =
      M.getOrInsertFunction("write", Size, B.getInt32Ty(), B.getPtrTy(), Size);
  B.CreateCall(Write, {B.getInt32(2), B.CreateGlobalString(Text, "echo.text"),
                       ConstantInt::get(Size, Text.size())});
  return F;
}

void sayUnlinked(Function &Weak) {
  if (!isOfLibrary(*Weak.getParent(), "getenv") ||
      !isOfLibrary(*Weak.getParent(), "write"))
    return;
  for (BasicBlock &BB : Weak)
    if (isa<ReturnInst>(BB.getTerminator()))
      CallInst::Create(getSpeaker(*Weak.getParent(), Weak), "",
                       BB.getTerminator()->getIterator());
}

} // namespace echo
