//===- CallForms.cpp - What echort is asked around one call ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transform/CallForms.h"
#include "Analysis/CudaApi.h"
#include "Transform/ByteCounts.h"
#include "Transform/CopyKinds.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace echo {

FunctionCallee echortFunction(Module &M, StringRef Name, Type *Result,
                              ArrayRef<Type *> Args) {
  LLVMContext &C = M.getContext();
  FunctionCallee Fn =
      M.getOrInsertFunction(Name, FunctionType::get(Result, Args, false));
  auto *Declared = cast<Function>(Fn.getCallee());
  if (Declared->isDeclaration()) {
    // Where another tool links, without echort, every answer is "do what the
    // program wrote". echort's own definitions win over weak ones. Hidden: a
    // shared object has all of echort, or nothing of it. Were some of its
    // calls bound to another one's, each would know half of the blocks.
    Declared->setLinkage(GlobalValue::WeakAnyLinkage);
    Declared->setVisibility(GlobalValue::HiddenVisibility);
    Declared->setDoesNotThrow();
    Declared->addFnAttr(Attribute::NoInline);
    Declared->addFnAttr(Attribute::MinSize);
    Declared->addFnAttr(Attribute::OptimizeForSize);
    ReturnInst::Create(
        C, Result->isVoidTy() ? nullptr : Constant::getNullValue(Result),
        BasicBlock::Create(C, "", Declared));
  }
  return Fn;
}

PHINode *branchAround(CallBase &Original, Value *Merged,
                      function_ref<Value *(IRBuilder<> &)> BuildMerged) {
  BasicBlock *Head = Original.getParent();
  Function *F = Head->getParent();
  LLVMContext &C = F->getContext();
  DebugLoc Loc = Original.getDebugLoc();
  auto *Invoke = dyn_cast<InvokeInst>(&Original);
  // Head | SplitBlock: the original call | Tail: what follows.
  BasicBlock *SplitBlock = Head->splitBasicBlock(&Original, "echo.split");
  BasicBlock *Tail;
  if (Invoke) {
    BasicBlock *Normal = Invoke->getNormalDest();
    Tail = BasicBlock::Create(C, "echo.join", F, Normal);
    BranchInst::Create(Normal, Tail);
    Normal->replacePhiUsesWith(SplitBlock, Tail);
    Invoke->setNormalDest(Tail);
  } else {
    // What the debugger is told of the result goes where the result is joined.
    BasicBlock::iterator Next = std::next(Original.getIterator());
    Next.setHeadBit(true);
    Tail = SplitBlock->splitBasicBlock(Next, "echo.join");
  }
  BasicBlock *MergedBlock = BasicBlock::Create(C, "echo.merged", F, SplitBlock);
  IRBuilder<> AtHead(Head->getTerminator());
  AtHead.SetCurrentDebugLocation(Loc);
  AtHead.CreateCondBr(Merged, MergedBlock, SplitBlock);
  Head->getTerminator()->eraseFromParent();
  IRBuilder<> AtMerged(MergedBlock);
  AtMerged.SetCurrentDebugLocation(Loc);
  Value *Result = BuildMerged(AtMerged);
  AtMerged.CreateBr(Tail);
  if (!Result)
    return nullptr;
  PHINode *Phi = PHINode::Create(Original.getType(), 2, "", Tail->begin());
  Phi->setDebugLoc(Loc);
  Original.replaceAllUsesWith(Phi);
  Phi->addIncoming(Result, MergedBlock);
  Phi->addIncoming(&Original, SplitBlock);
  return Phi;
}

BasicBlock::iterator placeAfter(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return std::next(Call.getIterator());
  return SplitEdge(Invoke->getParent(), Invoke->getNormalDest())
      ->getFirstInsertionPt();
}

namespace {
/// Builds right before a call, with its place in the source.
struct Before : IRBuilder<> {
  explicit Before(CallBase &Call) : IRBuilder<>(&Call) {
    SetCurrentDebugLocation(Call.getDebugLoc());
  }
};
} // namespace

CallInst *AllocationForm::ask(CallBase &Call, Value *Group,
                              Value *Partner) const {
  Before B(Call);
  Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty();
  Value *Bytes = Room ? B.getInt64(Room) : byteCount(B, Call, SizeArgs);
  CallInst *Block = B.CreateCall(
      echortFunction(*Call.getModule(), "echort_acquire", Ptr,
                     {Ptr, I32, I64, Ptr, I32}),
      {Group, B.getInt32(Role), Bytes, Partner, B.getInt32(Zeroed)});
  if (Fresh)
    Block->addRetAttr(Attribute::NoAlias);
  return Block;
}

void AllocationForm::build(CallBase &Call, Value *Block) const {
  Value *Merged = Before(Call).CreateIsNotNull(Block);
  if (!Out) {
    branchAround(Call, Merged, [&](IRBuilder<> &) { return Block; });
    return;
  }
  Value *Where = Call.getArgOperand(*Out);
  branchAround(Call, Merged, [&](IRBuilder<> &In) -> Value * {
    In.CreateStore(Block, Where);
    return Call.getType()->isVoidTy()
               ? nullptr
               : ConstantInt::get(Call.getType(), 0); // cudaSuccess
  });
}

std::string AllocationForm::key() const {
  std::string Key = ("allocate " + Twine(Role) + (Zeroed ? " zeroed" : "") +
                     (Fresh ? " fresh" : "") + " " + Twine(Room))
                        .str();
  for (unsigned Arg : SizeArgs)
    Key += " " + utostr(Arg);
  return Key;
}

/// The order that copy or set \p Call gives: kind, stream and flags.
static SmallVector<Value *, 3> orderArguments(IRBuilder<> &B, CallBase &Call,
                                              uint32_t Kind, uint32_t Flags,
                                              bool PerThread) {
  auto Api = cudaApiOf(Call);
  Value *Stream = streamOf(Call);
  if (PerThread || (Api && Api->PerThread))
    Flags |= ECHO_COPY_PER_THREAD;
  return {B.getInt32(Kind),
          Stream ? Stream : ConstantPointerNull::get(B.getPtrTy()),
          B.getInt32(Flags)};
}

Value *askOrder(IRBuilder<> &B, StringRef Entry, CallBase &Call, Value *Group,
                uint32_t Kind, uint32_t Flags, bool PerThread,
                ArrayRef<Value *> More) {
  SmallVector<Value *, 10> Args = {Group};
  append_range(Args, orderArguments(B, Call, Kind, Flags, PerThread));
  append_range(Args, More);
  SmallVector<Type *, 10> Types;
  for (const Value *A : Args)
    Types.push_back(A->getType());
  return B.CreateCall(
      echortFunction(*Call.getModule(), Entry, B.getInt32Ty(), Types), Args);
}

void CopyForm::build(CallBase &Call, Value *Group, Value *Host,
                     ArrayRef<Value *> Part) const {
  Before B(Call);
  Module &M = *Call.getModule();
  Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty(), *I64 = B.getInt64Ty(),
       *Void = B.getVoidTy();
  CopyOperands Copy = operandsOf(B, Call);
  // Rows that are wider than their distance are an error of CUDA's.
  Value *Dst = Copy.Fits
                   ? B.CreateSelect(Copy.Fits, Copy.Dst,
                                    ConstantPointerNull::get(B.getPtrTy()))
                   : Copy.Dst;
  SmallVector<Value *, 5> More = {Dst, Copy.Src, Copy.Bytes};
  append_range(More, Part);
  Value *Removed =
      askOrder(B, Part.empty() ? "echort_linking_copy" : "echort_linking_part",
               Call, Group, Kind, orderFlags(Kind), PerThread, More);
  branchAround(Call, B.CreateIsNotNull(Removed), [&](IRBuilder<> &In) {
    return statusOf(In, Call, In.CreateSub(Removed, In.getInt32(1)));
  });
  if (Order)
    buildFailing(Call, *Order, PerThread);
  if (Pinned)
    return;
  if (!Host)
    Host = ToDevice ? Copy.Src : Copy.Dst;
  auto Api = cudaApiOf(Call);
  B.SetInsertPoint(&Call);
  if (MayQueue && Api && Api->Kind == ApiKind::Copy) {
    Value *Queued = B.CreateCall(
        echortFunction(M, "echort_upload", I32, {Ptr, Ptr, Ptr, Ptr, I64}),
        {Group, Host, Copy.Dst, Copy.Src, Copy.Bytes});
    branchAround(Call, B.CreateIsNotNull(Queued), [&](IRBuilder<> &In) {
      return In.CreateSub(Queued, In.getInt32(1));
    });
    B.SetInsertPoint(&Call);
  }
  B.CreateCall(
      echortFunction(M, "echort_copy_begins", B.getVoidTy(), {Ptr, Ptr, I64}),
      {Group, Host, Copy.Bytes});
  // The wait of an asynchronous copy comes between the two.
  BasicBlock::iterator Next = placeAfter(Call);
  B.SetInsertPoint(Next->getParent(), Next);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  B.CreateCall(
      echortFunction(M, "echort_copy_ended", Void, {Ptr, Ptr, I64, I32}),
      {Group, Host, Copy.Bytes,
       B.getInt32(Async ? 0 : uint32_t(ECHO_COPY_WAITED))});
}

std::string CopyForm::key() const {
  return ("copy " + Twine(Kind) + (ToDevice ? " up" : " down") +
          (Pinned ? " pinned" : "") + (MayQueue ? " queued" : "") +
          (Async ? " async" : "") + (PerThread ? " per-thread" : "") +
          (Order ? " orders" : ""))
      .str();
}

void buildFailing(CallBase &Call, uint32_t Kind, bool PerThread) {
  if (!Call.getType()->isIntegerTy())
    return;
  BasicBlock::iterator Next = placeAfter(Call);
  IRBuilder<> B(Next->getParent(), Next);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  SmallVector<Value *, 4> Args = {B.CreateZExtOrTrunc(&Call, B.getInt32Ty())};
  append_range(Args, orderArguments(B, Call, Kind, 0, PerThread));
  B.CreateCall(echortFunction(*Call.getModule(), "echort_copy_returned",
                              B.getVoidTy(),
                              {B.getInt32Ty(), B.getInt32Ty(), B.getPtrTy(),
                               B.getInt32Ty()}),
               Args);
}

void buildRelease(CallBase &Call, uint32_t Role) {
  Before B(Call);
  auto Release = echortFunction(*Call.getModule(), "echort_release",
                                B.getInt32Ty(), {B.getInt32Ty(), B.getPtrTy()});
  Value *Done =
      B.CreateCall(Release, {B.getInt32(Role), Call.getArgOperand(0)});
  branchAround(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) -> Value * {
    return Call.getType()->isVoidTy() ? nullptr
                                      : In.CreateSub(Done, In.getInt32(1));
  });
}

} // namespace echo
