//===- VirtualCalls.cpp - Virtual calls of objects made here --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks back from where the table is read to the stores that put one there:
// constructors that were inlined. All of them must have put the same one,
// nothing but tables may ever be stored there, and nobody may keep the object's
// address. A call in between that gets the object may be a constructor, unless
// it is a virtual one of the object itself, or one of CUDA or of a library.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/VirtualCalls.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "Transform/View/LibraryMembers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

bool isVirtualTable(const GlobalVariable &GV) {
  return GV.getName().starts_with("_ZTV") && GV.isConstant();
}

/// The table that \p V is an address in, or null.
static const GlobalVariable *tableOf(const Value *V) {
  const auto *GV = dyn_cast<GlobalVariable>(getUnderlyingObject(V));
  return isa<Constant>(V) && GV && isVirtualTable(*GV) ? GV : nullptr;
}

/// True if \p V may be an address in a table: one of several, or read from a
/// table of tables, as objects with virtual bases have it.
static bool mayBeTable(const Value *V) {
  SmallVector<const Value *, 4> Bases;
  getUnderlyingObjects(V, Bases, nullptr, /*MaxLookup=*/0);
  return llvm::any_of(Bases, [](const Value *Base) {
    if (const auto *Load = dyn_cast<LoadInst>(Base))
      Base = getUnderlyingObject(Load->getPointerOperand());
    const auto *GV = dyn_cast<GlobalVariable>(Base);
    return GV && GV->getName().starts_with("_ZT");
  });
}

void forVirtualFunctions(const Function &F,
                         function_ref<void(Function &)> Visit) {
  SetVector<const Constant *> Work;
  for (const Instruction &I : instructions(F))
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      if (const GlobalVariable *Table = tableOf(Store->getValueOperand());
          Table && Table->hasInitializer())
        Work.insert(Table->getInitializer());
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const Use &U : Work[I]->operands()) {
      if (auto *Callee = dyn_cast<Function>(U))
        Visit(const_cast<Function &>(*Callee));
      else if (isa<ConstantAggregate>(U))
        Work.insert(cast<Constant>(U));
    }
}

namespace {
/// A place in an object that the function made.
struct Field {
  const Value *Object = nullptr;
  int64_t Offset = 0;
  bool operator==(const Field &) const = default;

  explicit Field(const Value *Address, const DataLayout &DL) {
    APInt Bytes(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    Object = Address->stripAndAccumulateConstantOffsets(
        DL, Bytes, /*AllowNonInbounds=*/true);
    Offset = Bytes.getSExtValue();
  }
  bool isOwn() const {
    return isa<AllocaInst>(Object) || isNoAliasCall(Object);
  }
};
} // namespace

/// The object whose virtual function \p Call calls, if it is one: where the
/// table is read.
static const LoadInst *tableLoad(const CallBase &Call, int64_t &Slot) {
  const auto *Pointer = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Pointer || !Pointer->isSimple())
    return nullptr;
  Field InTable(Pointer->getPointerOperand(), Call.getDataLayout());
  Slot = InTable.Offset;
  const auto *Load = dyn_cast<LoadInst>(InTable.Object);
  return Load && Load->isSimple() ? Load : nullptr;
}

namespace {
/// Who writes a place, and who may.
struct Writers {
  SmallPtrSet<const Instruction *, 4> Stores, Others;
};
} // namespace

/// True if \p Call, which gets the object of \p Place by \p U, makes no other
/// object there.
static bool leavesClass(const CallBase &Call, const Use &U, const Field &Place,
                        const ModelTable &Models) {
  int64_t Slot = 0;
  const LoadInst *Load = tableLoad(Call, Slot);
  if (Load && Field(Load->getPointerOperand(), Call.getDataLayout()).Object ==
                  Place.Object)
    return true;
  if (const auto *Memory = dyn_cast<MemIntrinsic>(&Call)) {
    const auto *Bytes = dyn_cast<ConstantInt>(Memory->getLength());
    Field From(U.get(), Call.getDataLayout());
    int64_t Ahead = Place.Offset - From.Offset;
    return From.Object == Place.Object && Bytes &&
           (Ahead <= -int64_t(sizeof(void *)) ||
            (Ahead >= 0 && Bytes->getValue().ule(Ahead)));
  }
  return Call.isLifetimeStartOrEnd() || cudaApiOf(Call) ||
         forgets(Call, U, Models) ||
         (Call.isArgOperand(&U) &&
          libraryUses(Call, Call.getArgOperandNo(&U), Models));
}

/// Who writes \p Place; nothing if others may know where it is, or may put
/// something there that is no table.
static std::optional<Writers>
writersOf(const Field &Place, const DataLayout &DL, const ModelTable &Models) {
  Writers W;
  SmallVector<const Value *, 8> Work = {Place.Object};
  while (!Work.empty()) {
    const Value *Address = Work.pop_back_val();
    for (const Use &U : Address->uses()) {
      const auto *I = dyn_cast<Instruction>(U.getUser());
      if (const auto *Store = dyn_cast_or_null<StoreInst>(I)) {
        if (U.getOperandNo() == 0)
          return std::nullopt;
        Field To(Address, DL);
        // By an index, it may be this object that is made anew.
        if (To.Object != Place.Object && mayBeTable(Store->getValueOperand()))
          W.Others.insert(Store);
        if (!(To == Place))
          continue;
        if (!tableOf(Store->getValueOperand()) || !Store->isSimple())
          return std::nullopt;
        W.Stores.insert(Store);
      } else if (const auto *G = dyn_cast_or_null<GetElementPtrInst>(I)) {
        // What the library does stays inside its member.
        auto Member = libraryMember(*cast<GEPOperator>(G), Models);
        int64_t Ahead = Place.Offset - Field(G, DL).Offset;
        if (!Member || (Ahead + Member->Before >= 0 &&
                        Ahead + Member->Before < int64_t(Member->Bytes)))
          Work.push_back(G);
      } else if (const auto *Call = dyn_cast_or_null<CallBase>(I)) {
        if (!leavesClass(*Call, U, Place, Models))
          W.Others.insert(Call);
      } else if (const auto *Count = dyn_cast_or_null<AtomicRMWInst>(I)) {
        if (Count->getValOperand() == Address || Field(Address, DL) == Place)
          return std::nullopt;
      } else if (!isa_and_nonnull<LoadInst, ICmpInst>(I)) {
        return std::nullopt;
      }
    }
  }
  return W;
}

/// The table that \p Load, of \p Place, reads, or null.
static Constant *tableAt(const LoadInst &Load, const Field &Place,
                         const ModelTable &Models) {
  auto W = writersOf(Place, Load.getDataLayout(), Models);
  if (!W || W->Stores.empty())
    return nullptr;
  Value *Found = nullptr;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work;
  // False if another table was found, or what may put one there.
  auto Scan = [&](const BasicBlock &BB, BasicBlock::const_reverse_iterator It) {
    for (; It != BB.rend(); ++It) {
      if (W->Stores.contains(&*It)) {
        Value *Table = It->getOperand(0);
        bool Same = !Found || Found == Table;
        Found = Table;
        return Same;
      }
      if (W->Others.contains(&*It))
        return false;
      if (&*It == Place.Object)
        return true; // nobody reads what nobody wrote
    }
    for (const BasicBlock *Pred : predecessors(&BB))
      if (Seen.insert(Pred).second)
        Work.push_back(Pred);
    return true;
  };
  if (!Scan(*Load.getParent(), std::next(Load.getReverseIterator())))
    return nullptr;
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (!Scan(*BB, BB->rbegin()))
      return nullptr;
  }
  return cast_or_null<Constant>(Found);
}

/// The function that virtual call \p Call calls, or null.
static Function *calleeOf(const CallBase &Call, const ModelTable &Models) {
  const DataLayout &DL = Call.getDataLayout();
  int64_t Slot = 0;
  const LoadInst *Load = tableLoad(Call, Slot);
  if (!Load)
    return nullptr;
  Field Place(Load->getPointerOperand(), DL);
  Constant *Table = Place.isOwn() ? tableAt(*Load, Place, Models) : nullptr;
  if (!Table)
    return nullptr;
  APInt Offset(DL.getIndexTypeSizeInBits(Table->getType()), Slot,
               /*isSigned=*/true);
  auto *Callee = dyn_cast_or_null<Function>(ConstantFoldLoadFromConstPtr(
      Table, Call.getCalledOperand()->getType(), Offset, DL));
  bool Fits = Callee && Callee->getFunctionType() == Call.getFunctionType() &&
              Callee->getName() != "__cxa_pure_virtual";
  return Fits ? Callee : nullptr;
}

bool callVirtualFunctionsDirectly(Function &F, const ModelTable &Models) {
  SmallVector<std::pair<CallBase *, Function *>, 8> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isIndirectCall())
      if (Function *Callee = calleeOf(*Call, Models))
        Found.push_back({Call, Callee});
  for (auto [Call, Callee] : Found)
    Call->setCalledFunction(Callee);
  return !Found.empty();
}

} // namespace echo
