//===- LaunchArrays.cpp - Arguments of launches by CUDA's function --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in an array shows where its only uses are launches and stores of
// whole entries, one store for each entry, that come before the launch on every
// way: the entry is then the address that the store puts there. A copy of
// the variable at that address, made right before the launch, is what the
// launch would have read.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/LaunchArrays.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/StubArguments.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace echo {

namespace {
/// An array of arguments' addresses.
struct ArgumentArray {
  explicit ArgumentArray(AllocaInst &Array) : Array(Array) {}
  /// False if something else may be in it than the entries say.
  bool collect();

  AllocaInst &Array;
  SmallMapVector<uint64_t, StoreInst *, 8> Entries; ///< by their offsets
  SmallVector<CallBase *, 2> Launches;
};
} // namespace

/// The argument of \p Call that is an array of the arguments' addresses, if it
/// is a launch by CUDA's own function; or null.
static const Use *argumentsOf(const CallBase &Call) {
  auto Api = cudaApiOf(Call);
  if (!Api || Api->Kind != ApiKind::Launch)
    return nullptr;
  return &Call.getArgOperandUse(*Api->find(ApiRole::Args));
}

bool ArgumentArray::collect() {
  // The copies are to have the size that the type says.
  if (!Array.isStaticAlloca() || Array.isArrayAllocation())
    return false;
  const DataLayout &DL = Array.getDataLayout();
  const uint64_t Bytes = DL.getTypeAllocSize(Array.getAllocatedType());
  SmallVector<Instruction *, 8> Work = {&Array};
  while (!Work.empty()) {
    Instruction *Address = Work.pop_back_val();
    APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    if (Address->stripAndAccumulateConstantOffsets(
            DL, Offset, /*AllowNonInbounds=*/false) != &Array)
      return false;
    for (Use &U : Address->uses()) {
      auto *By = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(By)) {
        Work.push_back(By);
        continue;
      }
      if (auto *Store = dyn_cast<StoreInst>(By)) {
        if (U.getOperandNo() == 0 || !Store->isSimple() ||
            !Store->getValueOperand()->getType()->isPointerTy() ||
            !Offset.isNonNegative() ||
            Offset.getZExtValue() % DL.getPointerSize() != 0 ||
            Offset.getZExtValue() + DL.getPointerSize() > Bytes ||
            !Entries.insert({Offset.getZExtValue(), Store}).second)
          return false;
        continue;
      }
      auto *Call = dyn_cast<CallBase>(By);
      if (Call && Call->isLifetimeStartOrEnd())
        continue;
      if (!Call || argumentsOf(*Call) != &U || !Offset.isZero())
        return false;
      Launches.push_back(Call);
    }
  }
  return true;
}

/// Gives \p Launch an array of its own, of the entries \p From.
static void copyArray(CallBase &Launch, const ArgumentArray &From) {
  LLVMContext &C = Launch.getContext();
  MDNode *Mark = MDNode::get(C, {});
  Type *Ptr = PointerType::get(C, 0);
  IRBuilder<> Entry(C);
  Entry.SetInsertPointPastAllocas(Launch.getFunction());
  IRBuilder<> B(&Launch);
  AllocaInst *Array =
      Entry.CreateAlloca(From.Array.getAllocatedType(), nullptr, "echo.launch");
  Array->setAlignment(From.Array.getAlign());
  Array->setMetadata("echo.launch", Mark);
  for (auto [Offset, Store] : From.Entries) {
    Value *Argument = Store->getValueOperand();
    // What holds no pointer may stay where it is.
    if (auto *Variable = dyn_cast<AllocaInst>(Argument);
        Variable && !Variable->isArrayAllocation() &&
        Variable->getAllocatedType()->isPointerTy()) {
      AllocaInst *Cell =
          Entry.CreateAlloca(Ptr, nullptr, Variable->getName() + ".launch");
      Cell->setMetadata("echo.shared", Mark);
      B.CreateStore(B.CreateLoad(Ptr, Variable), Cell);
      Argument = Cell;
    }
    B.CreateStore(Argument, B.CreatePtrAdd(Array, B.getInt64(Offset)));
  }
  const Use *Old = argumentsOf(Launch);
  Launch.setArgOperand(Launch.getArgOperandNo(Old), Array);
}

bool copyLaunchArguments(Function &F, const DominatorTree &DT) {
  SmallSetVector<AllocaInst *, 4> Arrays;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const Use *Arguments = argumentsOf(*Call))
        if (auto *Array = dyn_cast<AllocaInst>(
                Arguments->get()->stripInBoundsConstantOffsets());
            Array && !isLaunchArray(Array))
          Arrays.insert(Array);
  bool Changed = false;
  for (AllocaInst *Slot : Arrays) {
    ArgumentArray Array(*Slot);
    auto Shows = [&](const CallBase *Launch) {
      return all_of(Array.Entries, [&](const auto &Entry) {
        return DT.dominates(Entry.second, Launch);
      });
    };
    if (!Array.collect() || !all_of(Array.Launches, Shows))
      continue;
    for (CallBase *Launch : Array.Launches)
      copyArray(*Launch, Array);
    // Nobody reads it any more.
    for (auto [Offset, Store] : Array.Entries)
      Store->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace echo
