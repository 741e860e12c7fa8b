//===- MemberNames.cpp - Addresses that name a caller's members -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes from the arguments, directly or by memory that they lead to, may
// be a caller's, and so may an object of constant size that is allocated.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/MemberNames.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

namespace {
/// Which values of a function may be addresses of its callers' memory.
class CallersMemory {
public:
  explicit CallersMemory(const Function &F) {
    for (const Argument &A : F.args())
      if (A.getType()->isPointerTy())
        Addresses.insert(&A);
    do {
      Changed = false;
      for (const Instruction &I : instructions(F))
        visit(I);
    } while (Changed);
  }
  bool has(const Value *Address) const {
    const auto *Call = dyn_cast<CallBase>(getUnderlyingObject(Address));
    return Addresses.contains(Address) ||
           (Call && isNoAliasCall(Call) &&
            all_of(Call->args(),
                   [](const Use &U) { return isa<Constant>(U); }));
  }

private:
  void visit(const Instruction &I);
  void visitCall(const CallBase &Call);
  /// True if what is loaded from \p Address may be such an address.
  bool leadsOn(const Value *Address) const;
  /// Such an address is stored at \p Address.
  void store(const Value *Address);
  void add(const Value &V) { Changed |= Addresses.insert(&V).second; }

  DenseSet<const Value *> Addresses;
  DenseSet<const AllocaInst *> Holders; ///< variables that such are stored in
  bool InOther = false;                 ///< and other memory, not callers'
  bool Changed = false;
};
} // namespace

static bool mayHoldPointer(const Type *T) {
  return T->isPointerTy() || T->isAggregateType();
}

bool CallersMemory::leadsOn(const Value *Address) const {
  if (const auto *Slot = dyn_cast<AllocaInst>(getUnderlyingObject(Address)))
    return Holders.contains(Slot);
  return InOther || Addresses.contains(Address);
}

void CallersMemory::store(const Value *Address) {
  if (const auto *Slot = dyn_cast<AllocaInst>(getUnderlyingObject(Address))) {
    Changed |= Holders.insert(Slot).second;
  } else if (!Addresses.contains(Address)) {
    Changed |= !InOther;
    InOther = true;
  }
}

void CallersMemory::visitCall(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (cudaApiOf(Call) || (Callee && isKernelStub(*Callee)) ||
      none_of(Call.args(), [&](const Use &U) {
        return U->getType()->isPointerTy() &&
               (Addresses.contains(U) || leadsOn(U));
      }))
    return;
  if (mayHoldPointer(Call.getType()))
    add(Call);
  for (const Use &U : Call.args())
    if (U->getType()->isPointerTy())
      store(U);
}

void CallersMemory::visit(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (mayHoldPointer(Load->getType()) && leadsOn(Load->getPointerOperand()))
      add(I);
  } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Addresses.contains(Store->getValueOperand()))
      store(Store->getPointerOperand());
  } else if (const auto *Copy = dyn_cast<AnyMemTransferInst>(&I)) {
    if (leadsOn(Copy->getRawSource()))
      store(Copy->getRawDest());
  } else if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (!isa<IntrinsicInst>(Call))
      visitCall(*Call);
  } else if (!isa<CmpInst>(I) && any_of(I.operands(), [&](const Use &U) {
               return Addresses.contains(U);
             })) {
    add(I);
  }
}

bool namesNoMembers(const Function &F) {
  CallersMemory Callers(F);
  return none_of(instructions(F), [&](const Instruction &I) {
    if (const auto *G = dyn_cast<GetElementPtrInst>(&I))
      return (G->getNumIndices() > 1 ||
              isa<ArrayType>(G->getSourceElementType())) &&
             Callers.has(G->getPointerOperand());
    // A small one becomes a load and a store of a number.
    const auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
    const auto *Bytes =
        Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    return Bytes && Bytes->getValue().ule(8) &&
           (Callers.has(Copy->getRawDest()) ||
            Callers.has(Copy->getRawSource()));
  });
}

} // namespace echo
