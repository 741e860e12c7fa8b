//===- KernelFields.cpp - Pointers inside a kernel's structs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the address of the parameter to its loads, and each loaded pointer to
// what is done with it. LLVM's capture tracking says whether it is kept.
//
//===----------------------------------------------------------------------===//
#include "Analysis/KernelFields.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace echo {

/// Uses of one pointer that are looked at: kernels of CUB's unroll their loops
/// into hundreds, and LLVM's own attributes stop at 100.
static constexpr unsigned MaxUses = 10000;

namespace {

/// An address in the parameter. Without an offset it may be any.
struct Place {
  const Value *Address;
  std::optional<uint64_t> Offset;
};

} // namespace

/// Does call \p By, which gets a pointer by use \p U, read or write there?
static void joinCall(const CallBase &By, const Use &U, FieldFacts &F) {
  bool IsArg = By.isArgOperand(&U);
  unsigned Arg = IsArg ? By.getArgOperandNo(&U) : 0;
  F.Read |=
      !IsArg || !(By.onlyWritesMemory(Arg) || By.doesNotAccessMemory(Arg));
  F.Written |= !IsArg || !By.onlyReadsMemory(Arg);
}

/// Arithmetic whose low bits depend on no others of its operands.
static bool keepsLowBits(const User *U) {
  if (isa<TruncInst>(U))
    return true;
  const auto *Op = dyn_cast<BinaryOperator>(U);
  return Op &&
         is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul,
                       Instruction::And, Instruction::Or, Instruction::Xor},
                      Op->getOpcode());
}

/// True if \p U, arithmetic on an address in a block of alignment \p Alignment,
/// is the same for all such blocks.
static bool isLowBits(const User *U, uint64_t Alignment) {
  if (isa<TruncInst>(U))
    return U->getType()->getScalarSizeInBits() <= Log2_64(Alignment);
  const auto *And = dyn_cast<BinaryOperator>(U);
  const auto *Mask = And && And->getOpcode() == Instruction::And
                         ? dyn_cast<ConstantInt>(And->getOperand(1))
                         : nullptr;
  return Mask && Mask->getValue().ult(Alignment);
}

/// True if of number \p From nothing but low bits is used.
static bool onlyLowBitsOf(const Value *From, uint64_t Alignment) {
  SetVector<const Value *> Work;
  Work.insert(From);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const User *U : Work[I]->users()) {
      if (isLowBits(U, Alignment))
        continue;
      if (!keepsLowBits(U))
        return false;
      Work.insert(U);
    }
  return true;
}

bool onlyLowBits(const User &I, uint64_t Alignment) {
  return isa<PtrToIntInst>(I) && onlyLowBitsOf(&I, Alignment);
}

/// True if \p U is the address \p Of moved a little, or aligned: it has the
/// same place in all blocks, and is null in none.
static bool staysInPlace(const User *U, const Value *Of) {
  const auto *Op = dyn_cast<BinaryOperator>(U);
  const auto *By = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
  if (!By || Op->getOperand(0) != Of)
    return false;
  return (Op->getOpcode() == Instruction::Add &&
          By->getValue().abs().ult(DeviceAlignment)) ||
         (Op->getOpcode() == Instruction::And &&
          (~By->getValue()).ult(DeviceAlignment));
}

std::optional<PtxAccess>
usesOfNumber(const User &I, SmallVectorImpl<const Value *> &Pointers) {
  if (!isa<PtrToIntInst>(I) || !I.getType()->isIntegerTy(64))
    return std::nullopt;
  PtxAccess All;
  SetVector<const Value *> Work;
  Work.insert(&I);
  for (unsigned N = 0; N != Work.size(); ++N)
    for (const Use &U : Work[N]->uses()) {
      const User *By = U.getUser();
      if (auto Access = ptxAccess(U)) {
        All.Read |= Access->Read;
        All.Written |= Access->Written;
      } else if (isa<IntToPtrInst>(By)) {
        Pointers.push_back(By);
      } else if (staysInPlace(By, Work[N])) {
        Work.insert(By);
      } else if (!isLowBits(By, DeviceAlignment) &&
                 !(keepsLowBits(By) && onlyLowBitsOf(By, DeviceAlignment))) {
        return std::nullopt;
      }
    }
  return All;
}

/// True if \p U is the place of a load or store: LLVM takes that of a volatile
/// one to be seen by others, who cannot keep it.
static bool isPlaceOnly(const Use &U) {
  const auto *Store = dyn_cast<StoreInst>(U.getUser());
  return isa<LoadInst>(U.getUser()) ||
         (Store && U.getOperandNo() == StoreInst::getPointerOperandIndex());
}

/// True if \p U asks whether an address inside a buffer is null: that of any
/// buffer that exists is not, and a null one has no other inside of it.
static bool isNullTest(const Use &U) {
  const auto *Cmp = dyn_cast<ICmpInst>(U.getUser());
  if (!Cmp || !Cmp->isEquality() ||
      !isa<ConstantPointerNull>(Cmp->getOperand(1 - U.getOperandNo())))
    return false;
  SetVector<const Value *> Work;
  Work.insert(U.get());
  for (unsigned I = 0; I != Work.size(); ++I) {
    if (const auto *G = dyn_cast<GEPOperator>(Work[I])) {
      if (!G->isInBounds())
        return false;
      Work.insert(G->getPointerOperand());
    } else if (const auto *Phi = dyn_cast<PHINode>(Work[I])) {
      Work.insert_range(Phi->incoming_values());
    } else if (const auto *Select = dyn_cast<SelectInst>(Work[I])) {
      Work.insert(Select->getTrueValue());
      Work.insert(Select->getFalseValue());
    } else if (isa<Operator>(Work[I]) && !isa<LoadInst>(Work[I])) {
      return false;
    }
  }
  return true;
}

namespace {
/// Is an address kept, but for its low bits?
class KeptAddress : public CaptureTracker {
public:
  bool Kept = false;
  /// Pointers that were made of it again.
  SmallVector<const Value *, 2> Again;
  void tooManyUses() override { Kept = true; }
  Action captured(const Use *U, UseCaptureInfo CI) override {
    if (capturesNothing(CI.UseCC) || capturesAddressIsNullOnly(CI.UseCC))
      return Continue;
    if (usesOfNumber(*U->getUser(), Again) || isPlaceOnly(*U) ||
        ptxAccess(*U) || isNullTest(*U))
      return ContinueIgnoringReturn;
    Kept = true;
    return Stop;
  }
};
} // namespace

FieldFacts usesOf(const Value &Pointer) {
  FieldFacts F;
  F.Read = F.Written = F.Captured = false;
  SetVector<const Value *> Starts, Work;
  Starts.insert(&Pointer);
  for (unsigned I = 0; I != Starts.size() && !F.Captured; ++I) {
    KeptAddress Tracker;
    PointerMayBeCaptured(Starts[I], &Tracker, MaxUses);
    F.Captured = Tracker.Kept;
    Starts.insert_range(Tracker.Again);
  }
  Work.insert_range(Starts);
  for (unsigned I = 0; I != Work.size() && !F.Captured; ++I)
    for (const Use &U : Work[I]->uses()) {
      const User *By = U.getUser();
      SmallVector<const Value *, 2> Again;
      auto Access = ptxAccess(U);
      if (!Access)
        Access = usesOfNumber(*By, Again);
      if (Access) {
        F.Read |= Access->Read;
        F.Written |= Access->Written;
        F.Captured |=
            !all_of(Again, [&](const Value *V) { return Starts.contains(V); });
      } else if (isa<LoadInst>(By)) {
        F.Read = true;
      } else if (isa<StoreInst>(By)) {
        F.Written = true; // captured if it were the value
      } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(By)) {
        F.Read = F.Written = true;
      } else if (const auto *Call = dyn_cast<CallBase>(By)) {
        joinCall(*Call, U, F);
        if (Call->getType()->isPointerTy())
          Work.insert(Call);
      } else if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator,
                     PHINode, SelectInst, FreezeInst>(By)) {
        Work.insert(By);
      } else if (!isa<ICmpInst>(By)) {
        F.Captured = true;
      }
    }
  return F;
}

/// What is done with the pointer that \p Load loads, also as a number that only
/// becomes a pointer again (a class around a pointer that was copied).
static FieldFacts usesOfLoaded(const LoadInst &Load) {
  FieldFacts Captured{0, 0, false, false, true};
  if (Load.getType()->isPointerTy())
    return usesOf(Load);
  if (!Load.getType()->isIntegerTy(64))
    return Captured;
  FieldFacts F{0, 0, false, false, false};
  for (const User *U : Load.users()) {
    if (!isa<IntToPtrInst>(U))
      return Captured;
    FieldFacts Of = usesOf(*U);
    F.Read |= Of.Read;
    F.Written |= Of.Written;
    F.Captured |= Of.Captured;
  }
  return F;
}

/// True if the bits of \p Load, too few for an address, may become part of one:
/// here, or where they are stored or given away as they are.
static bool mayBePartOfAddress(const LoadInst &Load) {
  SetVector<PointerIntPair<const Value *, 1, bool>> Work; // bool: as they are
  Work.insert({&Load, true});
  for (unsigned I = 0; I != Work.size(); ++I) {
    bool Same = Work[I].getInt();
    for (const User *U : Work[I].getPointer()->users()) {
      const auto *Op = dyn_cast<BinaryOperator>(U);
      bool IsPlace = isa<GetElementPtrInst>(U);
      if (isa<IntToPtrInst>(U) ||
          (IsPlace && isa<ConstantPointerNull>(getUnderlyingObject(U))))
        return true;
      if (Op)
        Work.insert({U, Same && (Op->isShift() || Op->isBitwiseLogicOp())});
      else if (isa<ZExtInst, SExtInst, TruncInst, BitCastInst, FreezeInst,
                   PHINode, SelectInst, InsertElementInst, ExtractElementInst,
                   ShuffleVectorInst, IntrinsicInst>(U))
        Work.insert({U, Same});
      else if (Same && !IsPlace &&
               !isa<CmpInst, BranchInst, SwitchInst, CastInst, UnaryOperator>(
                   U))
        return true;
    }
  }
  return false;
}

std::optional<std::vector<FieldFacts>> collectFields(const Argument &A) {
  const DataLayout &DL = A.getParent()->getDataLayout();
  uint64_t Whole = DL.getTypeAllocSize(A.getParamByValType());
  std::vector<FieldFacts> Fields;
  SmallVector<Place, 16> Work = {{&A, 0}};
  while (!Work.empty()) {
    Place At = Work.pop_back_val();
    for (const User *By : At.Address->users()) {
      if (const auto *Load = dyn_cast<LoadInst>(By)) {
        uint64_t Size = DL.getTypeStoreSize(Load->getType());
        FieldFacts F = usesOfLoaded(*Load);
        F.Begin = At.Offset.value_or(0);
        F.End = At.Offset ? F.Begin + Size : Whole;
        // As if it loaded the word around it.
        constexpr uint64_t Word = sizeof(uint64_t);
        if (At.Offset && Size < Word && mayBePartOfAddress(*Load)) {
          F.Begin = alignDown(F.Begin, Word);
          F.End = alignTo(F.End, Word);
        }
        Fields.push_back(F);
      } else if (isa<AddrSpaceCastInst, BitCastInst>(By)) {
        Work.push_back({By, At.Offset});
      } else if (const auto *G = dyn_cast<GetElementPtrInst>(By)) {
        APInt Offset(DL.getIndexTypeSizeInBits(G->getType()), 0);
        bool Known = At.Offset && G->accumulateConstantOffset(DL, Offset) &&
                     !Offset.isNegative() && Offset.ule(Whole);
        Work.push_back(
            {By, Known ? std::optional(*At.Offset + Offset.getZExtValue())
                       : std::nullopt});
      } else if (const auto *I = dyn_cast<IntrinsicInst>(By);
                 !I || !I->isLifetimeStartOrEnd()) {
        return std::nullopt;
      }
    }
  }
  return Fields;
}

} // namespace echo
