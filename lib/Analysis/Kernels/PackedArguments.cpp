//===- PackedArguments.cpp - Pointers in numbers given to kernels ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array is put together by insertvalue, one element of eight bytes after the
// other, once its variable is gone.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/PackedArguments.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

/// Adds what \p Load takes out of a view. False if that is not all in sight.
static bool addLoaded(const LoadInst &Load, const KernelViews &Views,
                      SmallVectorImpl<KernelViews::Content> &Found) {
  if (!Views.readsOnlyStored(Load))
    return false;
  const DataLayout &DL = Load.getDataLayout();
  const int64_t Loaded = DL.getTypeStoreSize(Load.getType());
  for (const KernelViews::Content &C :
       Views.contents(Load.getPointerOperand())) {
    const int64_t Bytes = DL.getTypeStoreSize(C.Pointer->getType());
    if (!C.Offset || (*C.Offset < Loaded && *C.Offset + Bytes > 0))
      Found.push_back(C);
  }
  return true;
}

PackedPointers packedPointers(const Value &Arg, const KernelViews &Views) {
  PackedPointers P;
  const Value *Rest = &Arg;
  auto Add = [&P](const Value *V, std::optional<int64_t> Offset) {
    const auto *Cast = dyn_cast<PtrToIntOperator>(V);
    P.Found.push_back({Cast ? Cast->getPointerOperand() : V, Offset});
    return Cast || V->getType()->isPointerTy() || isa<Constant>(V);
  };
  while (const auto *Insert = dyn_cast<InsertValueInst>(Rest)) {
    const Value *Part = Insert->getInsertedValueOperand();
    const int64_t Bytes =
        Insert->getDataLayout().getTypeAllocSize(Part->getType());
    const bool Placed =
        Insert->getNumIndices() == 1 && Insert->getType()->isArrayTy();
    // A number that is no pointer's is the program's own, and not followed.
    Add(Part,
        Placed ? std::optional(Bytes * Insert->getIndices()[0]) : std::nullopt);
    Rest = Insert->getAggregateOperand();
  }
  if (const auto *Load = dyn_cast<LoadInst>(Rest);
      Load && addLoaded(*Load, Views, P.Found))
    return P;
  P.Complete = Add(Rest, 0);
  return P;
}

/// True if \p U gives a part of a struct to a kernel.
static bool isPartForKernel(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !isKernelStub(*Callee) || !Call->isArgOperand(&U))
    return false;
  const unsigned A = Call->getArgOperandNo(&U);
  auto Map = stubArgumentMap(*Callee);
  return A < Map.size() && Map[A] && Map[A]->Packed;
}

bool onlyPacked(const Instruction &Number) {
  return all_of(Number.uses(), [](const Use &U) {
    if (isPartForKernel(U))
      return true;
    const auto *Insert = dyn_cast<InsertValueInst>(U.getUser());
    return Insert && Insert->getNumIndices() == 1 &&
           Insert->getType()->isArrayTy() && onlyPacked(*Insert);
  });
}

} // namespace echo
