//===- Sanitize.cpp - Device code under the host's sanitizers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepares device code for the passes of ThreadSanitizer and
// AddressSanitizer, which run over the joined module at the end of the host's
// pipeline. ThreadSanitizer knows neither CUDA's fences nor its relaxed
// atomics, so every atomic and volatile access becomes an acquire or release:
// that may hide a race, and never invents one. The threads of a block are one
// thread to it; functions in which one may go on where another stopped keep no
// shadow stack.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace echo {
namespace cpudevice {
namespace {

/// On functions that may switch to another thread of the block.
constexpr StringLiteral SwitchesAttr = "echo-cpu-switches";

bool canBeAtomic(Type *T, Align Alignment, const DataLayout &DL) {
  if (!T->isIntOrPtrTy() && !T->isFloatingPointTy())
    return false;
  const uint64_t Bytes = DL.getTypeStoreSize(T);
  return isPowerOf2_64(Bytes) && Bytes <= 8 && Alignment >= Bytes &&
         DL.getTypeSizeInBits(T) == Bytes * 8;
}

AtomicOrdering withBoth(AtomicOrdering O) {
  return O == AtomicOrdering::SequentiallyConsistent
             ? O
             : AtomicOrdering::AcquireRelease;
}

/// Does ThreadSanitizer's pass take this operation? It leaves others as they
/// are, so that neither their order nor their access is seen.
bool isKnown(const AtomicRMWInst &RMW) {
  switch (RMW.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Nand:
    return RMW.getType()->isIntOrPtrTy();
  default:
    return false;
  }
}

/// Replaces \p RMW by a loop around a compare and exchange.
void expand(AtomicRMWInst &RMW) {
  BasicBlock *Before = RMW.getParent();
  BasicBlock *After = Before->splitBasicBlock(RMW.getIterator(), "rmw.done");
  BasicBlock *Loop =
      BasicBlock::Create(RMW.getContext(), "rmw", Before->getParent(), After);
  Before->getTerminator()->setSuccessor(0, Loop);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(RMW.getDebugLoc());
  Type *T = RMW.getType();
  Type *Bits = T->isIntOrPtrTy() ? T : B.getIntNTy(T->getPrimitiveSizeInBits());
  LoadInst *First =
      B.CreateAlignedLoad(Bits, RMW.getPointerOperand(), RMW.getAlign());
  First->setAtomic(AtomicOrdering::Acquire);
  B.SetInsertPoint(Loop);
  PHINode *Old = B.CreatePHI(Bits, 2);
  Value *Typed = B.CreateBitCast(Old, T);
  Value *New =
      buildAtomicRMWValue(RMW.getOperation(), B, Typed, RMW.getValOperand());
  AtomicCmpXchgInst *CAS = B.CreateAtomicCmpXchg(
      RMW.getPointerOperand(), Old, B.CreateBitCast(New, Bits), RMW.getAlign(),
      withBoth(RMW.getOrdering()), AtomicOrdering::Acquire);
  Value *Found = B.CreateExtractValue(CAS, 0);
  Old->addIncoming(First, Before);
  Old->addIncoming(Found, Loop);
  B.CreateCondBr(B.CreateExtractValue(CAS, 1), After, Loop);
  RMW.replaceAllUsesWith(Typed);
  RMW.eraseFromParent();
}

void order(Instruction &I, const DataLayout &DL) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    RMW->setOrdering(withBoth(RMW->getOrdering()));
  } else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I)) {
    CAS->setSuccessOrdering(withBoth(CAS->getSuccessOrdering()));
    if (CAS->getFailureOrdering() != AtomicOrdering::SequentiallyConsistent)
      CAS->setFailureOrdering(AtomicOrdering::Acquire);
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if ((Load->isAtomic() || Load->isVolatile()) &&
        canBeAtomic(Load->getType(), Load->getAlign(), DL) &&
        !isAcquireOrStronger(Load->getOrdering()))
      Load->setAtomic(AtomicOrdering::Acquire);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if ((Store->isAtomic() || Store->isVolatile()) &&
        canBeAtomic(Store->getValueOperand()->getType(), Store->getAlign(),
                    DL) &&
        !isReleaseOrStronger(Store->getOrdering()))
      Store->setAtomic(AtomicOrdering::Release);
  }
}

/// Marks the functions that reach a service for which threads wait, or a
/// function that cannot be seen.
void markSwitching(Module &M) {
  SmallPtrSet<Function *, 16> Switching;
  auto Calls = [&](Function &F) {
    return any_of(instructions(F), [&](Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        return false;
      Function *Callee = Call->getCalledFunction();
      if (!Callee)
        return true;
      if (!Callee->isDeclaration())
        return Switching.contains(Callee);
      return Callee->getName().starts_with(DevicePrefix) ||
             isSwitchingService(Callee->getName());
    });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : M)
      if (!F.isDeclaration() && !Switching.contains(&F) && Calls(F)) {
        Switching.insert(&F);
        F.addFnAttr(SwitchesAttr);
        Changed = true;
      }
  }
}

/// Takes ThreadSanitizer's frames out of switching functions.
struct DropFrames : PassInfoMixin<DropFrames> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool Changed = false;
    for (StringRef Name : {"__tsan_func_entry", "__tsan_func_exit"}) {
      Function *Mark = M.getFunction(Name);
      if (!Mark)
        continue;
      for (User *U : make_early_inc_range(Mark->users())) {
        auto *Call = dyn_cast<CallBase>(U);
        if (!Call || !Call->getFunction()->hasFnAttribute(SwitchesAttr))
          continue;
        Call->eraseFromParent();
        Changed = true;
      }
    }
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// Adds the sanitizers' attributes to a device module, which has none.
struct MarkDevice : PassInfoMixin<MarkDevice> {
  explicit MarkDevice(Sanitizers Kinds) : Kinds(Kinds) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (!F.isDeclaration())
        addSanitizerAttributes(F, Kinds);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
  Sanitizers Kinds;
};

} // namespace

void addSanitizerAttributes(Function &F, Sanitizers Kinds) {
  if (Kinds.Thread)
    F.addFnAttr(Attribute::SanitizeThread);
  if (Kinds.Address)
    F.addFnAttr(Attribute::SanitizeAddress);
}

void prepareForSanitizers(DeviceUnit &Unit) {
  if (!Unit.Options.Sanitize.Thread || Unit.Failed)
    return;
  Module &M = *Unit.Device;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    SmallVector<AtomicRMWInst *> Unknown;
    for (Instruction &I : instructions(F)) {
      order(I, M.getDataLayout());
      if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && !isKnown(*RMW))
        Unknown.push_back(RMW);
    }
    for (AtomicRMWInst *RMW : Unknown)
      expand(*RMW);
    // It ignores accesses of more than 16 bytes, which vectorizers make.
    F.addFnAttr(Attribute::NoImplicitFloat);
  }
  markSwitching(M);
}

void addDropFramesPass(PassBuilder &PB) {
  // Registered last, when the pipeline is being built, to come after
  // ThreadSanitizer's own pass.
  PB.registerPipelineStartEPCallback(
      [&PB](ModulePassManager &, OptimizationLevel) {
        PB.registerOptimizerLastEPCallback(
            [](ModulePassManager &PM, OptimizationLevel, ThinOrFullLTOPhase) {
              PM.addPass(DropFrames());
            });
      });
}

} // namespace cpudevice

void addSanitizerMarks(PassBuilder &PB, Sanitizers Kinds) {
  PB.registerPipelineStartEPCallback(
      [=](ModulePassManager &PM, OptimizationLevel) {
        PM.addPass(cpudevice::MarkDevice(Kinds));
      });
}

} // namespace echo
