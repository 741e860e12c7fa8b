//===- SharedMemory.cpp - Where __shared__ variables live -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides the place of each shared variable. Where only kernels use it, it is
// an offset into the block's shared memory in each of them, so a kernel pays
// only for its own variables. Where a function that stays a call uses it, too,
// it is one thread-local variable for all, which is right because a block runs
// on one host thread from start to end. Dynamic shared memory starts where the
// launch says. Runs after inlining, so most variables belong to kernels. Under
// AddressSanitizer a kernel's variables have guards between them.
//
//===----------------------------------------------------------------------===//
#include "DeviceUnit.h"
#include "runtime/abi/CpuModule.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace echo::cpudevice {
namespace {

/// After each variable, under AddressSanitizer.
constexpr uint32_t GuardBytes = 64;

class Placer {
public:
  Placer(DeviceUnit &Unit, GlobalVariable &GV)
      : Unit(Unit), M(*Unit.Device), GV(GV), Dynamic(GV.isDeclaration()) {}

  void run() {
    convertUsersOfConstantsToInstructions({&GV});
    MapVector<Function *, SmallVector<Use *>> Uses;
    for (Use &U : GV.uses())
      if (auto *I = dyn_cast<Instruction>(U.getUser()))
        Uses[I->getFunction()].push_back(&U);
    InKernels = llvm::all_of(
        Uses, [&](const auto &Entry) { return kernelOf(*Entry.first); });
    for (auto &[F, List] : Uses) {
      Value *Address = addressIn(*F);
      for (Use *U : List)
        U->set(Address);
    }
    GV.removeDeadConstantUsers();
    if (GV.use_empty()) {
      GV.eraseFromParent();
      return;
    }
    Unit.fail("the address of shared variable '" + GV.getName() +
              "' is used in an initializer");
  }

private:
  Kernel *kernelOf(Function &F) {
    for (Kernel &K : Unit.Kernels)
      if (K.Body == &F)
        return &K;
    return nullptr;
  }

  Value *addressIn(Function &F) {
    IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (!Dynamic && !InKernels)
      return B.CreateThreadLocalAddress(threadLocal());
    Value *Block =
        B.CreateCall(Unit.service(BlockPlaceholder, B.getPtrTy(), {}));
    Value *Base =
        field(B, B.getPtrTy(), Block, offsetof(EchoCpuBlock, sharedMem));
    Value *Offset;
    if (Dynamic)
      Offset = B.CreateZExt(field(B, B.getInt32Ty(), Block,
                                  offsetof(EchoCpuBlock, dynamicSharedOffset)),
                            B.getInt64Ty());
    else
      Offset = B.getInt64(place(*kernelOf(F)));
    return B.CreateInBoundsGEP(B.getInt8Ty(), Base, Offset, GV.getName());
  }

  static Value *field(IRBuilder<> &B, Type *T, Value *Block, unsigned Offset) {
    LoadInst *Load = B.CreateLoad(
        T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset));
    Load->setMetadata(LLVMContext::MD_invariant_load,
                      MDNode::get(B.getContext(), {}));
    return Load;
  }

  uint32_t place(Kernel &K) {
    const DataLayout &DL = M.getDataLayout();
    uint64_t Alignment =
        std::max<uint64_t>(16, GV.getAlign().valueOrOne().value());
    uint64_t Offset = alignTo(K.StaticShared, Alignment);
    K.StaticShared = Offset + DL.getTypeAllocSize(GV.getValueType());
    if (Unit.Options.Sanitize.Address) {
      uint32_t End = K.StaticShared;
      K.StaticShared = alignTo(End, 8) + GuardBytes;
      K.SharedGaps.push_back({End, K.StaticShared - End});
    }
    return Offset;
  }

  GlobalVariable *threadLocal() {
    if (ThreadLocal)
      return ThreadLocal;
    ThreadLocal = new GlobalVariable(
        M, GV.getValueType(), false, GlobalValue::InternalLinkage,
        Constant::getNullValue(GV.getValueType()), GV.getName() + ".block",
        nullptr, GlobalValue::GeneralDynamicTLSModel);
    ThreadLocal->setAlignment(GV.getAlign());
    return ThreadLocal;
  }

  DeviceUnit &Unit;
  Module &M;
  GlobalVariable &GV;
  const bool Dynamic;
  bool InKernels = true; ///< all that use it are kernels
  GlobalVariable *ThreadLocal = nullptr;
};

} // namespace

void placeSharedMemory(DeviceUnit &Unit, ArrayRef<WeakTrackingVH> Shared) {
  for (const WeakTrackingVH &V : Shared)
    if (auto *GV = dyn_cast_or_null<GlobalVariable>(V))
      Placer(Unit, *GV).run();
}

} // namespace echo::cpudevice
