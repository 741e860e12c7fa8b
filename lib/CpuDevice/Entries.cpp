//===- Entries.cpp - What the runtime calls for a kernel ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds, for each kernel, one function of EchoCpuBlock: with fibers it runs
// the calling thread, otherwise a loop over all threads of the block. Decides
// how parameters are packed and that parameters and dimensions are loaded once
// per block. A by-value struct that the kernel only reads is copied once per
// block, one that it may write once per thread.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "KernelBody.h"
#include "StrideLoop.h"
#include "ThreadLoop.h"
#include "runtime/abi/CpuModule.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// True if nothing is written through \p Pointer and it goes nowhere.
bool isOnlyRead(const Value &Pointer) {
  for (const User *U : Pointer.users()) {
    if (isa<LoadInst>(U))
      continue;
    if (isa<GetElementPtrInst>(U) && isOnlyRead(*U))
      continue;
    if (auto *Copy = dyn_cast<MemTransferInst>(U))
      if (Copy->getRawSource() == &Pointer && Copy->getRawDest() != &Pointer)
        continue;
    return false;
  }
  return true;
}

/// Fills an entry function.
class EntryBuilder {
public:
  EntryBuilder(DeviceUnit &Unit, Kernel &K)
      : Unit(Unit), K(K), M(*Unit.Device), DL(M.getDataLayout()),
        B(M.getContext()) {}

  void run() {
    create();
    guardSharedMemory();
    loadParameters();
    for (unsigned R = 3; R != NumGeometry; ++R)
      Geometry[R] = loadGeometry(B, Block, R);
    if (K.NeedsFibers)
      runOneThread();
    else
      runAllThreads();
    if (Unit.Options.Optimize)
      inlineBody();
  }

private:
  void create() {
    LLVMContext &Context = M.getContext();
    auto *T = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
    K.Entry = Function::Create(T, GlobalValue::InternalLinkage,
                               "echo_cpu.kernel." + K.Name, M);
    AttributeList Body = K.Body->getAttributes();
    for (Attribute A : Body.getFnAttrs())
      if (A.isStringAttribute() || A.getKindAsEnum() == Attribute::UWTable ||
          A.getKindAsEnum() == Attribute::OptimizeNone ||
          A.getKindAsEnum() == Attribute::NoInline)
        K.Entry->addFnAttr(A);
    addSanitizerAttributes(*K.Entry, Unit.Options.Sanitize);
    K.Entry->addFnAttr(Attribute::NoUnwind);
    Block = K.Entry->getArg(0);
    Block->setName("block");
    K.Entry->addParamAttr(0, Attribute::NonNull);
    K.Entry->addDereferenceableParamAttr(0, sizeof(EchoCpuBlock));
    K.Entry->addParamAttr(
        0, Attribute::getWithAlignment(Context, Align(alignof(EchoCpuBlock))));
    addSubprogram();
    B.SetInsertPoint(BasicBlock::Create(Context, "entry", K.Entry));
    B.SetCurrentDebugLocation(Location);
  }

  /// The entry is compiler-made code at the kernel's line.
  void addSubprogram() {
    DISubprogram *SP = K.Body->getSubprogram();
    if (!SP)
      return;
    DIBuilder DI(M, false, SP->getUnit());
    auto *Type = DI.createSubroutineType(DI.getOrCreateTypeArray({}));
    DISubprogram *New = DI.createFunction(
        SP->getUnit(), K.Entry->getName(), K.Entry->getName(), SP->getFile(),
        SP->getLine(), Type, SP->getLine(), DINode::FlagArtificial,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
            (Unit.Options.Optimize ? DISubprogram::SPFlagOptimized
                                   : DISubprogram::SPFlagZero));
    DI.finalizeSubprogram(New);
    K.Entry->setSubprogram(New);
    Location = DILocation::get(M.getContext(), SP->getLine(), 0, New);
  }

  /// Tells AddressSanitizer what lies between shared variables. The runtime
  /// has undone what another kernel told.
  void guardSharedMemory() {
    if (K.SharedGaps.empty())
      return;
    Value *Base = loadInvariant(B, B.getPtrTy(), Block,
                                offsetof(EchoCpuBlock, sharedMem));
    FunctionCallee Poison =
        Unit.service("__asan_poison_memory_region", B.getVoidTy(),
                     {B.getPtrTy(), B.getInt64Ty()});
    for (auto [Offset, Bytes] : K.SharedGaps)
      B.CreateCall(Poison,
                   {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset),
                    B.getInt64(Bytes)});
  }

  void loadParameters() {
    Value *Packed =
        loadInvariant(B, B.getPtrTy(), Block, offsetof(EchoCpuBlock, params));
    uint32_t Offset = 0;
    for (Argument &A : declaredArguments()) {
      Type *T = A.hasByValAttr() ? A.getParamByValType() : A.getType();
      Align Alignment = DL.getABITypeAlign(T);
      if (A.hasByValAttr())
        Alignment = A.getParamAlign().value_or(Alignment);
      Offset = alignTo(Offset, Alignment);
      uint32_t Bytes = DL.getTypeAllocSize(T);
      K.Params.push_back({Offset, Bytes});
      Value *Address =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Packed, Offset);
      Arguments.push_back(A.hasByValAttr() ? copyStruct(A, T, Address, Bytes)
                                           : loadScalar(T, Address));
      Offset += Bytes;
    }
    K.ParamBytes = Offset;
  }

  MutableArrayRef<Argument> declaredArguments() {
    return {K.Body->arg_begin(), K.Body->arg_size() - NumHidden};
  }

  Value *loadScalar(Type *T, Value *Address) {
    if (T->isIntegerTy(1))
      return B.CreateTrunc(B.CreateLoad(B.getInt8Ty(), Address), T);
    return B.CreateLoad(T, Address);
  }

  /// byval means a copy at each call; the block function makes the copies
  /// itself, as rarely as is right.
  Value *copyStruct(Argument &A, Type *T, Value *Address, uint32_t Bytes) {
    const bool Shared = isOnlyRead(A);
    Align Alignment = A.getParamAlign().value_or(DL.getABITypeAlign(T));
    AttributeMask ByVal;
    ByVal.addAttribute(Attribute::ByVal);
    A.removeAttrs(ByVal);
    A.addAttr(Attribute::NoAlias);
    AllocaInst *Copy = B.CreateAlloca(T);
    Copy->setAlignment(Alignment);
    if (Shared || K.NeedsFibers)
      B.CreateMemCpy(Copy, Alignment, Address, Alignment, Bytes);
    else
      PerThread.push_back({Copy, Address, Bytes});
    return Copy;
  }

  void callBody(ArrayRef<Value *> Tid) {
    for (auto &[Copy, Address, Bytes] : PerThread)
      B.CreateMemCpy(Copy, Copy->getAlign(), Address, Copy->getAlign(), Bytes);
    Calls.push_back(
        B.CreateCall(K.Body, bodyArguments(Tid[0], Tid[1], Tid[2])));
  }

  void runOneThread() {
    Self = loadSelf(M, B);
    SmallVector<Value *, 3> Tid;
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      Tid.push_back(
          loadField(B, B.getInt32Ty(), Self,
                    offsetof(EchoCpuThread, tid) + Axis * sizeof(uint32_t)));
    callBody(Tid);
    B.CreateRetVoid();
  }

  /// One loop from \p First to \p End, at least once; \p Body emits what runs
  /// for an index.
  void loop(Value *First, Value *End, function_ref<void(Value *)> Body) {
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *Header = BasicBlock::Create(M.getContext(), "thread", K.Entry);
    B.CreateBr(Header);
    B.SetInsertPoint(Header);
    PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2, "tid");
    Index->addIncoming(First, Before);
    Body(Index);
    Value *Next = B.CreateAdd(Index, B.getInt32(1), "", true, true);
    Index->addIncoming(Next, B.GetInsertBlock());
    BasicBlock *Exit = BasicBlock::Create(M.getContext(), "done", K.Entry);
    Latch = B.CreateCondBr(B.CreateICmpULT(Next, End), Header, Exit);
    B.SetInsertPoint(Exit);
  }

  void allRows(function_ref<void(Value *, Value *)> Row) {
    Value *Zero = B.getInt32(0);
    loop(Zero, Geometry[5], [&](Value *Z) {
      loop(Zero, Geometry[4], [&](Value *Y) { Row(Y, Z); });
    });
  }

  /// Every thread of one row.
  void fullRow(Value *Y, Value *Z) {
    loop(B.getInt32(0), Geometry[3], [&](Value *X) { thread({X, Y, Z}); });
  }

  void thread(ArrayRef<Value *> Tid) {
    if (Self)
      storeSelf(Tid);
    callBody(Tid);
  }

  void runAllThreads() {
    if (K.NeedsSelf)
      Self = loadSelf(M, B);
    // Sanitizers see a plain loop: the versions gain nothing with them.
    if (Unit.Options.Optimize && !Unit.Options.Sanitize.any())
      runVersions();
    else
      allRows([&](Value *Y, Value *Z) { fullRow(Y, Z); });
    B.CreateRetVoid();
  }

  SmallVector<Value *> bodyArguments(Value *X, Value *Y, Value *Z) {
    SmallVector<Value *> Result;
    if (Advance)
      Result.push_back(Advance);
    Result.append(Arguments);
    Result.append({Block, X, Y, Z});
    for (unsigned R = 3; R != NumGeometry; ++R)
      Result.push_back(Geometry[R]);
    return Result;
  }

  /// The fast version where no index wraps, else the plain one.
  void runVersions() {
    if (auto Stride = matchStrideLoop(*K.Body)) {
      Rounds = Stride->Round;
      if (runRounds(*Stride))
        return;
    }
    ThreadLoop Row(*K.Body);
    Value *Zero = B.getInt32(0);
    Value *NoWrap = Row.emitNoWrap(B, bodyArguments(Zero, Zero, Zero));
    if (!NoWrap) {
      allRows([&](Value *Y, Value *Z) {
        fullRow(Y, Z);
        Row.annotate(*Latch, false);
      });
      return;
    }
    FastBody = Row.makeFastBody();
    choose(
        NoWrap,
        [&] { allRows([&](Value *Y, Value *Z) { fastRow(Row, Y, Z); }); },
        [&] {
          allRows([&](Value *Y, Value *Z) {
            fullRow(Y, Z);
            Row.annotate(*Latch, true);
          });
        });
  }

  /// A grid-stride loop: iterations outside, threads inside. False if its parts
  /// are not of the needed kind; nothing is emitted then.
  bool runRounds(const StrideLoop &S) {
    ThreadLoop Row(*S.Round);
    if (!Row.growsWithThread(S.Start) || !Row.isSameForBlock(S.Step) ||
        !Row.isSameForBlock(S.Limit))
      return false;
    Value *Zero = B.getInt32(0);
    Function *Whole = K.Body;
    K.Body = S.Round;
    Advance = ConstantInt::get(S.type(), 0);
    SmallVector<Value *> First = bodyArguments(Zero, Zero, Zero);
    // The index must stay in range for one more iteration than any thread runs,
    // and for the last thread of the row where the first just passes.
    Type *Wide = B.getInt128Ty();
    Value *Step = Row.emitFirst(B, S.Step, First);
    Value *Limit = Row.emitFirst(B, S.Limit, First);
    const unsigned Bits = S.type()->getIntegerBitWidth();
    Value *End =
        B.CreateAdd(B.CreateSExt(Limit, Wide), B.CreateSExt(Step, Wide));
    End = B.CreateAdd(End, ConstantInt::get(Wide, 1u << 20));
    Value *Ok = B.CreateAnd(
        {Row.emitNoWrap(B, First),
         B.CreateICmpSGT(Step, ConstantInt::get(S.type(), 0)),
         B.CreateICmpSGE(Limit, ConstantInt::get(S.type(), 0)),
         B.CreateICmpSLE(
             End, ConstantInt::get(B.getContext(),
                                   APInt::getSignedMaxValue(Bits).sext(128)))});
    FastBody = Row.makeFastBody();
    choose(
        Ok,
        [&] {
          allRows([&](Value *Y, Value *Z) { rowRounds(Row, S, Step, Y, Z); });
        },
        [&] {
          Function *Round = std::exchange(K.Body, Whole);
          Value *Kept = std::exchange(Advance, nullptr);
          allRows([&](Value *Y, Value *Z) { fullRow(Y, Z); });
          K.Body = Round;
          Advance = Kept;
        });
    K.Body = Whole;
    Advance = nullptr;
    return true;
  }

  /// All iterations of one row, until its first thread has none left.
  void rowRounds(ThreadLoop &Row, const StrideLoop &S, Value *Step, Value *Y,
                 Value *Z) {
    LLVMContext &Context = M.getContext();
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *Header = BasicBlock::Create(Context, "iteration", K.Entry);
    BasicBlock *Run = BasicBlock::Create(Context, "run", K.Entry);
    BasicBlock *Exit = BasicBlock::Create(Context, "iterations.done", K.Entry);
    B.CreateBr(Header);
    B.SetInsertPoint(Header);
    PHINode *Phi = B.CreatePHI(S.type(), 2, "advance");
    Phi->addIncoming(ConstantInt::get(S.type(), 0), Before);
    Advance = Phi;
    Value *Zero = B.getInt32(0);
    SmallVector<Value *> Here = bodyArguments(Zero, Y, Z);
    Value *Index = B.CreateAdd(Row.emitFirst(B, S.Start, Here), Phi);
    Value *Limit = Row.emitFirst(B, S.Limit, Here);
    B.CreateCondBr(S.IsSigned ? B.CreateICmpSLT(Index, Limit)
                              : B.CreateICmpULT(Index, Limit),
                   Run, Exit);
    B.SetInsertPoint(Run);
    choose(
        Row.emitNoWrap(B, Here), [&] { fastRow(Row, Y, Z); },
        [&] {
          fullRow(Y, Z);
          Row.annotate(*Latch, true);
        });
    Phi->addIncoming(B.CreateAdd(Phi, Step), B.GetInsertBlock());
    B.CreateBr(Header);
    B.SetInsertPoint(Exit);
  }

  /// The threads of a row that pass the guards, without the guards.
  void fastRow(ThreadLoop &Row, Value *Y, Value *Z) {
    LLVMContext &Context = M.getContext();
    auto [Low, High] = Row.emitRange(B, bodyArguments(B.getInt32(0), Y, Z));
    BasicBlock *Some = BasicBlock::Create(Context, "some", K.Entry);
    BasicBlock *Next = BasicBlock::Create(Context, "row.done", K.Entry);
    B.CreateCondBr(B.CreateICmpULT(Low, High), Some, Next);
    B.SetInsertPoint(Some);
    Function *Plain = std::exchange(K.Body, FastBody);
    loop(Low, High, [&](Value *X) { thread({X, Y, Z}); });
    K.Body = Plain;
    Row.annotate(*Latch, false);
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
  }

  /// if (Condition) Fast else Slow.
  void choose(Value *Condition, function_ref<void()> Fast,
              function_ref<void()> Slow) {
    LLVMContext &Context = M.getContext();
    BasicBlock *FastBlock = BasicBlock::Create(Context, "fast", K.Entry);
    BasicBlock *SlowBlock = BasicBlock::Create(Context, "wraps", K.Entry);
    BasicBlock *Join = BasicBlock::Create(Context, "joined", K.Entry);
    B.CreateCondBr(Condition, FastBlock, SlowBlock,
                   MDBuilder(Context).createLikelyBranchWeights());
    B.SetInsertPoint(FastBlock);
    Fast();
    B.CreateBr(Join);
    B.SetInsertPoint(SlowBlock);
    Slow();
    B.CreateBr(Join);
    B.SetInsertPoint(Join);
  }

  void storeSelf(ArrayRef<Value *> Tid) {
    auto Store = [&](Value *V, unsigned Offset) {
      B.CreateStore(V,
                    B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Self, Offset));
    };
    for (unsigned Axis = 0; Axis != 3; ++Axis)
      Store(Tid[Axis], offsetof(EchoCpuThread, tid) + Axis * sizeof(uint32_t));
    Value *YZ = B.CreateAdd(Tid[1], B.CreateMul(Geometry[4], Tid[2]));
    Store(B.CreateAdd(Tid[0], B.CreateMul(Geometry[3], YZ)),
          offsetof(EchoCpuThread, linear));
  }

  void inlineBody() {
    for (CallInst *Call : Calls) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
    for (Function *F : {FastBody, Rounds})
      if (F)
        F->eraseFromParent();
    if (K.Body->use_empty()) {
      K.Body->eraseFromParent();
      K.Body = nullptr;
    }
  }

  DeviceUnit &Unit;
  Kernel &K;
  Module &M;
  const DataLayout &DL;
  IRBuilder<> B;
  DebugLoc Location;
  Argument *Block = nullptr;
  Value *Geometry[NumGeometry] = {};
  struct ThreadCopy {
    AllocaInst *Copy;
    Value *Address;
    uint32_t Bytes;
  };
  SmallVector<Value *> Arguments;
  SmallVector<ThreadCopy> PerThread;
  SmallVector<CallInst *> Calls;
  Value *Self = nullptr; ///< echo_cpu_self, where needed
  Function *FastBody = nullptr;
  Function *Rounds = nullptr; ///< one iteration of a grid-stride loop
  Value *Advance = nullptr;   ///< its first argument, while in use
  BranchInst *Latch = nullptr;
};

} // namespace

void buildEntries(DeviceUnit &Unit) {
  for (Kernel &K : Unit.Kernels)
    EntryBuilder(Unit, K).run();
}

} // namespace echo::cpudevice
