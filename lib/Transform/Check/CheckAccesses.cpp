//===- CheckAccesses.cpp - Reports every access to the check library ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After the optimizer, before each load, store, atomic operation and memory
// intrinsic of host code and of the CPU device's kernels, calls the library
// that follows candidate pairs. Variables of functions and of the module are no
// buffers of pairs: their accesses are left alone. Atomic operations order
// threads, as far as the library knows: that may hide a missing order, and
// never invents one.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Names.h"
#include "Support/Checks.h"
#include "Support/DeviceCode.h"
#include "Transform/Check/Check.h"
#include "Transform/Check/CheckPlaces.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace echo {

namespace {
/// The instrumentation of one module.
class Accesses {
public:
  explicit Accesses(Module &M) : M(M), Places(M) {}
  void run(Function &F);

private:
  void access(IRBuilder<> &B, Value *Pointer, Value *Bytes, bool Write,
              Constant *Place);
  void access(IRBuilder<> &B, Value *Pointer, Type *T, bool Write,
              Constant *Place);
  void look(Instruction &I, StringRef Who);
  void order(Instruction &I, Value *Pointer);

  Module &M;
  CheckPlaces Places;
};

struct CheckAccesses : PassInfoMixin<CheckAccesses> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Accesses A(M);
    for (Function &F : M)
      if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage())
        A.run(F);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

void Accesses::access(IRBuilder<> &B, Value *Pointer, Value *Bytes, bool Write,
                      Constant *Place) {
  if (isVariable(Pointer))
    return;
  B.CreateCall(Places.entry(Write ? ECHO_FUNCTION(echo_check_write)
                                  : ECHO_FUNCTION(echo_check_read)),
               {Pointer, B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()), Place});
}

void Accesses::access(IRBuilder<> &B, Value *Pointer, Type *T, bool Write,
                      Constant *Place) {
  if (isVariable(Pointer))
    return;
  const TypeSize Size = M.getDataLayout().getTypeStoreSize(T);
  if (Size.isScalable())
    return access(B, Pointer, B.CreateTypeSize(B.getInt64Ty(), Size), Write,
                  Place);
  const uint64_t Bytes = Size;
  if (Bytes != 4 && Bytes != 8)
    return access(B, Pointer, B.getInt64(Bytes), Write, Place);
  const RuntimeFunction Entry =
      Write ? (Bytes == 4 ? ECHO_FUNCTION(echo_check_write4)
                          : ECHO_FUNCTION(echo_check_write8))
            : (Bytes == 4 ? ECHO_FUNCTION(echo_check_read4)
                          : ECHO_FUNCTION(echo_check_read8));
  B.CreateCall(Places.entry(Entry), {Pointer, Place});
}

/// Atomic operation \p I publishes what came before and sees what others did.
void Accesses::order(Instruction &I, Value *Pointer) {
  if (Pointer->getType()->getPointerAddressSpace() != 0)
    return;
  IRBuilder<> B(&I);
  if (!isa<LoadInst>(I))
    B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_publish)), {Pointer});
  if (isa<StoreInst>(I))
    return;
  B.SetInsertPoint(I.getNextNode());
  B.CreateCall(Places.entry(ECHO_FUNCTION(echo_check_see)), {Pointer});
}

void Accesses::look(Instruction &I, StringRef Who) {
  IRBuilder<> B(&I);
  auto Here = [&] { return Places.get(I, Who); };
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    access(B, Load->getPointerOperand(), Load->getType(), false, Here());
    if (Load->isAtomic())
      order(I, Load->getPointerOperand());
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    access(B, Store->getPointerOperand(), Store->getValueOperand()->getType(),
           true, Here());
    if (Store->isAtomic())
      order(I, Store->getPointerOperand());
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    Value *P = RMW->getPointerOperand();
    access(B, P, RMW->getType(), false, Here());
    access(B, P, RMW->getType(), true, Here());
    order(I, P);
  } else if (auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Value *P = CAS->getPointerOperand();
    access(B, P, CAS->getNewValOperand()->getType(), false, Here());
    access(B, P, CAS->getNewValOperand()->getType(), true, Here());
    order(I, P);
  } else if (isa<AnyMemIntrinsic>(I) && isOff(Check::CheckedIntrinsics)) {
    return;
  } else if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I)) {
    access(B, Copy->getRawSource(), Copy->getLength(), false, Here());
    access(B, Copy->getRawDest(), Copy->getLength(), true, Here());
  } else if (auto *Set = dyn_cast<AnyMemSetInst>(&I)) {
    access(B, Set->getRawDest(), Set->getLength(), true, Here());
  } else if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    switch (Call->getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      // Which lanes are touched no call here can say; nothing vectorizes where
      // NoImplicitFloat forbids it.
      M.getContext().diagnose(DiagnosticInfoGeneric(
          "echo: --check does not follow masked vector accesses", DS_Warning));
      break;
    default:
      break;
    }
  }
}

void Accesses::run(Function &F) {
  const bool Device = isDeviceCode(F);
  SmallVector<Instruction *, 64> All;
  for (Instruction &I : instructions(F))
    if (I.mayReadOrWriteMemory() && !I.hasMetadata("echo.check"))
      All.push_back(&I);
  for (Instruction *I : All)
    look(*I,
         Device ? "kernel '" + shortName(sourceFunction(*I)) + "'" : "host");
}

void addCheckAccesses(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback(
      [&PB](ModulePassManager &, OptimizationLevel) {
        PB.registerOptimizerLastEPCallback(
            [](ModulePassManager &PM, OptimizationLevel, ThinOrFullLTOPhase) {
              PM.addPass(CheckAccesses());
            });
      });
}

} // namespace echo
