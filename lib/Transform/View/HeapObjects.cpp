//===- HeapObjects.cpp - Heap objects as local variables ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address that goes through no phi and no select is that of one object at a
// time, so that one variable serves all iterations of a loop.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/HeapObjects.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "Transform/View/LibraryMembers.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace echo {

/// Larger blocks are buffers, not objects.
static constexpr uint64_t MaxObject = 4096;

namespace {
class HeapObject {
public:
  HeapObject(CallBase &Alloc, const ModelTable &Models)
      : Alloc(Alloc), Models(Models) {}

  /// False if it is no allocation of a small object, or a use keeps its
  /// address.
  bool collect();
  void move();

private:
  bool visit(Value &V, bool AtBase);
  bool call(CallBase &Call, const Value &V, bool AtBase);

  CallBase &Alloc;
  const ModelTable &Models;
  const FunctionModel *Model = nullptr;
  uint64_t Size = 1;
  bool HoldsPointers = false;
  SmallVector<CallBase *, 2> Frees;
  SmallVector<ICmpInst *, 2> NullChecks;
};
} // namespace

bool HeapObject::call(CallBase &Call, const Value &V, bool AtBase) {
  if (isa<AnyMemIntrinsic>(Call))
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return false;
  auto Api = lookupCudaApi(Callee->getName());
  const FunctionModel *Used = Models.lookup(Callee->getName());
  for (unsigned A = 0; A < Call.arg_size(); ++A) {
    if (Call.getArgOperand(A) != &V)
      continue;
    bool IsOut = Api && A < Api->Roles.size() &&
                 is_contained({ApiRole::OutDev, ApiRole::OutHost,
                               ApiRole::OutStream, ApiRole::OutEvent},
                              Api->Roles[A]);
    IsOut |= Used && (Used->CreatesHandle == A || Used->allocOut() == A);
    bool IsFree = Used && A < Used->Args.size() &&
                  Used->Args[A].What == ArgModel::Free && AtBase &&
                  Used->Allocates == FunctionModel::NotAlloc;
    if (IsFree)
      Frees.push_back(&Call);
    HoldsPointers |= IsOut;
    bool Forgotten = modelThatForgets(Call, A, Models) ||
                     libraryUses(Call, A, Models) ||
                     (Api && A < Api->Roles.size() &&
                      is_contained({ApiRole::In, ApiRole::Out}, Api->Roles[A]));
    if (!IsOut && !IsFree && !Forgotten)
      return false;
  }
  return true;
}

bool HeapObject::visit(Value &V, bool AtBase) {
  return llvm::all_of(V.users(), [&](User *U) {
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      HoldsPointers |= Load->getType()->isPointerTy();
      return !Load->isVolatile();
    }
    // A count of references, which nobody else can see either.
    if (auto *Count = dyn_cast<AtomicRMWInst>(U))
      return Count->getValOperand() != &V;
    if (auto *Store = dyn_cast<StoreInst>(U)) {
      HoldsPointers |= Store->getValueOperand()->getType()->isPointerTy();
      return Store->getValueOperand() != &V && !Store->isVolatile();
    }
    if (auto *G = dyn_cast<GEPOperator>(U))
      return visit(*G, AtBase && G->hasAllZeroIndices()) ||
             libraryMember(*G, Models);
    if (auto *Cmp = dyn_cast<ICmpInst>(U)) {
      // Nobody else has its address: with others it is never equal.
      if (isa<ConstantPointerNull>(Cmp->getOperand(1)))
        NullChecks.push_back(Cmp);
      return Cmp->isEquality();
    }
    if (auto *Call = dyn_cast<CallBase>(U))
      return call(*Call, V, AtBase);
    return false;
  });
}

static const FunctionModel *isAllocation(const CallBase &Call,
                                         const ModelTable &Models) {
  const Function *Callee = Call.getCalledFunction();
  const FunctionModel *M = Callee && Callee->isDeclaration()
                               ? Models.lookup(Callee->getName())
                               : nullptr;
  bool Fresh = M && !M->allocOut() && !M->AllocAlignArg &&
               is_contained({FunctionModel::Malloc, FunctionModel::Calloc,
                             FunctionModel::New},
                            M->Allocates);
  return Fresh ? M : nullptr;
}

/// The constant that \p V is once what it is computed from is folded, or null.
static Constant *constantOf(Value *V, unsigned Depth = 4) {
  if (auto *C = dyn_cast<Constant>(V))
    return C;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Depth || !isa<BinaryOperator, CastInst>(I))
    return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (Value *Op : I->operands())
    if (Constant *C = constantOf(Op, Depth - 1))
      Operands.push_back(C);
    else
      return nullptr;
  return ConstantFoldInstOperands(I, Operands, I->getDataLayout());
}

bool HeapObject::collect() {
  Model = isAllocation(Alloc, Models);
  for (unsigned A : Model->AllocSizeArgs) {
    const auto *C =
        dyn_cast_or_null<ConstantInt>(constantOf(Alloc.getArgOperand(A)));
    if (!C || C->getValue().ugt(MaxObject))
      return false;
    Size *= C->getZExtValue();
  }
  return Size && Size <= MaxObject && visit(Alloc, true) && HoldsPointers;
}

void HeapObject::move() {
  Function &F = *Alloc.getFunction();
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Slot = Entry.CreateAlloca(ArrayType::get(Entry.getInt8Ty(), Size),
                                        nullptr, "echo.object");
  Slot->setAlignment(Align(16));
  Slot->setMetadata("echo.object", MDNode::get(F.getContext(), {}));
  // A loop gets a new block each time, with nothing in it.
  IRBuilder<>(&Alloc).CreateLifetimeStart(Slot);
  if (Model->Allocates == FunctionModel::Calloc)
    IRBuilder<>(&Alloc).CreateMemSet(Slot, Entry.getInt8(0), Size, Align(16));
  for (ICmpInst *Cmp : NullChecks) {
    Cmp->replaceAllUsesWith(ConstantInt::getBool(
        Cmp->getType(), Cmp->getPredicate() == ICmpInst::ICMP_NE));
    Cmp->eraseFromParent();
  }
  for (CallBase *Free : Frees) {
    if (auto *Invoke = dyn_cast<InvokeInst>(Free))
      Free = changeToCall(Invoke);
    Free->replaceAllUsesWith(PoisonValue::get(Free->getType()));
    Free->eraseFromParent();
  }
  Alloc.replaceAllUsesWith(Slot);
  CallBase *Call = &Alloc;
  if (auto *Invoke = dyn_cast<InvokeInst>(Call))
    Call = changeToCall(Invoke);
  Call->eraseFromParent();
}

bool moveHeapObjects(Function &F, const ModelTable &Models) {
  SmallVector<CallBase *, 16> Allocs;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (isAllocation(*Call, Models))
        Allocs.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Allocs) {
    HeapObject O(*Call, Models);
    if (O.collect()) {
      O.move();
      Changed = true;
    }
  }
  return Changed;
}

} // namespace echo
