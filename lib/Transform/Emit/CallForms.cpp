//===- CallForms.cpp - What echort is asked around one call ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transform/Emit/CallForms.h"
#include "Analysis/Api/CudaApi.h"
#include "Transform/Emit/CopyKinds.h"
#include "Transform/Emit/Unlinked.h"
#include "Transform/View/ByteCounts.h"
#include "runtime/abi/EchoRt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace echo {

FunctionCallee echortFunction(Module &M, RuntimeFunction Fn) {
  LLVMContext &C = M.getContext();
  FunctionCallee Callee = M.getOrInsertFunction(Fn.Name, Fn.Type(C));
  auto *Declared = cast<Function>(Callee.getCallee());
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
    Type *Result = Declared->getReturnType();
    ReturnInst::Create(
        C, Result->isVoidTy() ? nullptr : Constant::getNullValue(Result),
        BasicBlock::Create(C, "", Declared));
    if (Declared->getName() == "echort_acquire")
      sayUnlinked(*Declared);
  }
  return Callee;
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
  Value *Bytes = Room ? B.getInt64(Room) : byteCount(B, Call, SizeArgs);
  CallInst *Block = B.CreateCall(
      echortFunction(*Call.getModule(), ECHO_FUNCTION(echort_acquire)),
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
  std::string Key = ("allocate " + Twine(Role) + " zeroed " + Twine(Zeroed) +
                     (Fresh ? " fresh" : "") + " " + Twine(Room))
                        .str();
  for (unsigned Arg : SizeArgs)
    Key += " " + utostr(Arg);
  return Key;
}

SmallVector<CallShape, 2> AllocationForm::shapes() const {
  if (Zeroed || Room || SizeArgs.size() != 1)
    return {};
  if (Role == ECHO_DEVICE && Out == 0u && SizeArgs[0] == 1)
    return {CallShape::DeviceMemory};
  if (Role == ECHO_HOST && !Out && SizeArgs[0] == 0)
    return {CallShape::HostMemory};
  return {};
}

uint32_t orderOfCall(CallBase &Call, uint32_t Kind, uint32_t Flags,
                     std::optional<uint32_t> Failing) {
  auto Api = cudaApiOf(Call);
  if (Api && Api->PerThread)
    Flags |= ECHO_COPY_PER_THREAD;
  // A call reports by its result that it failed.
  bool Tells = Failing && Call.getType()->isIntegerTy();
  return Kind | Flags | (Tells ? *Failing + 1 : 0) << ECHO_COPY_FAILED_SHIFT;
}

static Value *streamArgument(IRBuilder<> &B, CallBase &Call) {
  Value *Stream = streamOf(Call);
  return Stream ? Stream : ConstantPointerNull::get(B.getPtrTy());
}

/// Calls \p Entry of echort with \p Args. Returns the result.
static Value *ask(IRBuilder<> &B, RuntimeFunction Entry,
                  ArrayRef<Value *> Args) {
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(echortFunction(M, Entry), Args);
}

Value *askToKeep(IRBuilder<> &B, CallBase &Call, Value *Group, uint32_t Order) {
  return ask(B, ECHO_FUNCTION(echort_kept_copy),
             {Group, B.getInt32(Order), streamArgument(B, Call)});
}

void buildRan(CallBase &Call, Value *Order) {
  BasicBlock::iterator Next = placeAfter(Call);
  IRBuilder<> B(Next->getParent(), Next);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Error = Call.getType()->isIntegerTy()
                     ? B.CreateZExtOrTrunc(&Call, B.getInt32Ty())
                     : B.getInt32(0);
  ask(B, ECHO_FUNCTION(echort_copy_ran),
      {Order, streamArgument(B, Call), Error});
}

/// Asks \p Entry, of a part with \p Part more, whether \p Call may run.
static void buildCopy(CallBase &Call, RuntimeFunction Entry, Value *Group,
                      Value *Order, ArrayRef<Value *> Part, bool Told) {
  Before B(Call);
  CopyOperands Copy = operandsOf(B, Call);
  // Rows that are wider than their distance are an error of CUDA's.
  Value *Dst = Copy.Fits
                   ? B.CreateSelect(Copy.Fits, Copy.Dst,
                                    ConstantPointerNull::get(B.getPtrTy()))
                   : Copy.Dst;
  SmallVector<Value *, 10> Args = {Group, Order,    streamArgument(B, Call),
                                   Dst,   Copy.Src, Copy.Bytes};
  append_range(Args, Part);
  Value *Done = ask(B, Entry, Args);
  branchAround(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) {
    return statusOf(In, Call, In.CreateSub(Done, In.getInt32(1)));
  });
  // The wait of an asynchronous copy comes between the two.
  if (Told)
    buildRan(Call, Order);
}

void buildCopy(CallBase &Call, Value *Group, Value *Order, bool Told) {
  buildCopy(Call, ECHO_FUNCTION(echort_linking_copy), Group, Order, {}, Told);
}

void buildPartCopy(CallBase &Call, Value *Group, uint32_t Order, Value *Block,
                   Value *End, Value *Host) {
  LLVMContext &C = Call.getContext();
  buildCopy(Call, ECHO_FUNCTION(echort_linking_part), Group,
            ConstantInt::get(Type::getInt32Ty(C), Order),
            {Block, End,
             Host ? Host : ConstantPointerNull::get(PointerType::get(C, 0))},
            echo_copy_is_told(Order));
}

void buildRelease(CallBase &Call, uint32_t Role) {
  Before B(Call);
  Value *Done = ask(B, ECHO_FUNCTION(echort_release),
                    {B.getInt32(Role), Call.getArgOperand(0)});
  branchAround(Call, B.CreateIsNotNull(Done), [&](IRBuilder<> &In) -> Value * {
    return Call.getType()->isVoidTy() ? nullptr
                                      : In.CreateSub(Done, In.getInt32(1));
  });
}

} // namespace echo
