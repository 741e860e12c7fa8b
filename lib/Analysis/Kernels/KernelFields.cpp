//===- KernelFields.cpp - Pointers inside a kernel's structs --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the address of the parameter to its loads, and each loaded pointer to
// what is done with it, both also into functions in sight. LLVM's capture
// tracking says whether it is kept.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/KernelFields.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

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
  const auto *Op = dyn_cast<BinaryOperator>(U);
  const auto *By = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
  if (!By)
    return false;
  if (Op->getOpcode() == Instruction::URem)
    return By->getValue().isPowerOf2() && By->getValue().ule(Alignment);
  return Op->getOpcode() == Instruction::And && By->getValue().ult(Alignment);
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

bool takesLowBits(const User &U, uint64_t Alignment) {
  return isLowBits(&U, Alignment) ||
         (keepsLowBits(&U) && onlyLowBitsOf(&U, Alignment));
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

/// True if \p U is the place of a load or store: LLVM takes that of a volatile
/// one to be seen by others, who cannot keep it.
static bool isPlaceOnly(const Use &U) {
  const auto *Store = dyn_cast<StoreInst>(U.getUser());
  return isa<LoadInst>(U.getUser()) ||
         (Store && U.getOperandNo() == StoreInst::getPointerOperandIndex());
}

namespace {
/// Where an address comes from.
struct Origin {
  SmallPtrSet<const Value *, 4> Bases;
  bool InBounds = true; ///< all arithmetic stays inside the buffer
  bool Chosen = false;  ///< it may be one of an earlier iteration of a loop
};
} // namespace

static Origin originOf(const Value *Address) {
  Origin From;
  SetVector<const Value *> Work;
  Work.insert(Address);
  for (unsigned I = 0; I != Work.size(); ++I) {
    if (const auto *G = dyn_cast<GEPOperator>(Work[I])) {
      From.InBounds &= G->isInBounds();
      Work.insert(G->getPointerOperand());
    } else if (const auto *Phi = dyn_cast<PHINode>(Work[I])) {
      From.Chosen = true;
      Work.insert_range(Phi->incoming_values());
    } else if (const auto *Select = dyn_cast<SelectInst>(Work[I])) {
      Work.insert(Select->getTrueValue());
      Work.insert(Select->getFalseValue());
    } else {
      From.Bases.insert(Work[I]);
    }
  }
  return From;
}

/// True if \p U asks whether an address inside a buffer is null: that of any
/// buffer that exists is not, and a null one has no other inside of it.
static bool isNullTest(const Use &U) {
  const auto *Cmp = dyn_cast<ICmpInst>(U.getUser());
  if (!Cmp || !Cmp->isEquality() ||
      !isa<ConstantPointerNull>(Cmp->getOperand(1 - U.getOperandNo())))
    return false;
  Origin From = originOf(U.get());
  return From.InBounds && all_of(From.Bases, [](const Value *Base) {
           return isa<Argument, LoadInst, Constant>(Base);
         });
}

/// True if addresses \p A and \p B are in one buffer, as far as either exists,
/// so that where it lies makes no difference to how far they are apart.
static bool inOneBuffer(const Value *A, const Value *B, bool InBounds) {
  Origin One = originOf(A), Two = originOf(B);
  if (One.Bases.size() != 1 || Two.Bases.size() != 1 ||
      *One.Bases.begin() != *Two.Bases.begin() ||
      (InBounds && !(One.InBounds && Two.InBounds)))
    return false;
  // A value that is read again in each iteration may be another buffer's each
  // time.
  const Value *Base = *One.Bases.begin();
  const auto *I = dyn_cast<Instruction>(Base);
  return isa<Argument>(Base) || !(One.Chosen || Two.Chosen) ||
         (I && I->getParent()->isEntryBlock());
}

bool comparesInOneBuffer(const Value *V) {
  const auto *Cmp = dyn_cast<ICmpInst>(V);
  return Cmp && Cmp->getOperand(0)->getType()->isPointerTy() &&
         (Cmp->isEquality() || Cmp->isUnsigned()) &&
         inOneBuffer(Cmp->getOperand(0), Cmp->getOperand(1),
                     /*InBounds=*/!Cmp->isEquality());
}

/// True if \p V is the difference of two addresses in one buffer.
static bool isDifference(const Value *V) {
  const auto *Sub = dyn_cast<BinaryOperator>(V);
  if (!Sub || Sub->getOpcode() != Instruction::Sub)
    return false;
  const auto *A = dyn_cast<PtrToIntInst>(Sub->getOperand(0));
  const auto *B = dyn_cast<PtrToIntInst>(Sub->getOperand(1));
  return A && B && A->getType()->isIntegerTy(64) &&
         inOneBuffer(A->getPointerOperand(), B->getPointerOperand(),
                     /*InBounds=*/false);
}

/// True if \p U, of an address that comes from \p Pointer, is a comparison
/// among the threads of a warp, all of which are in the buffer of one parameter
/// of the kernel.
static bool comparesAmongThreads(const Use &U, const Value *Pointer) {
  const auto *Match = dyn_cast<IntrinsicInst>(U.getUser());
  if (!Match || U.getOperandNo() != 1 ||
      (Match->getIntrinsicID() != Intrinsic::nvvm_match_any_sync_i64 &&
       Match->getIntrinsicID() != Intrinsic::nvvm_match_all_sync_i64p))
    return false;
  Origin From = originOf(Pointer);
  return Match->getFunction()->getCallingConv() == CallingConv::PTX_Kernel &&
         From.Bases.size() == 1 && isa<Argument>(*From.Bases.begin());
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
      } else if (!isDifference(By) && !takesLowBits(*By, DeviceAlignment) &&
                 !comparesAmongThreads(U, I.getOperand(0))) {
        return std::nullopt;
      }
    }
  return All;
}

/// The argument of a function in sight that \p U is, or null.
static const Argument *argumentInCallee(const Use &U) {
  const auto *Call = dyn_cast<CallBase>(U.getUser());
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || Callee->isDeclaration() || !Callee->isDefinitionExact() ||
      !Call->isArgOperand(&U) ||
      Call->getFunctionType() != Callee->getFunctionType())
    return nullptr;
  unsigned N = Call->getArgOperandNo(&U);
  return N < Callee->arg_size() && !Call->isByValArgument(N) ? Callee->getArg(N)
                                                             : nullptr;
}

/// The pointers that may be loaded where \p Store put one: a variable of one
/// thread or one block whose address nothing gets, and that holds nothing else.
/// Nothing if it is none.
static std::optional<SmallVector<const Value *, 4>>
loadsOfStored(const StoreInst &Store) {
  const Value *Home = getUnderlyingObject(Store.getPointerOperand(), 0);
  const auto *Shared = dyn_cast<GlobalVariable>(Home);
  if (!isa<AllocaInst>(Home) &&
      !(Shared && Shared->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
        Shared->hasLocalLinkage() && !Shared->isDeclaration()))
    return std::nullopt;
  SmallVector<const Value *, 4> Loads;
  SetVector<const Value *> Work;
  Work.insert(Home);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const Use &U : Work[I]->uses()) {
      const User *By = U.getUser();
      const auto *Set = dyn_cast<StoreInst>(By);
      const auto *Call = dyn_cast<IntrinsicInst>(By);
      if (isa<GEPOperator, AddrSpaceCastOperator, BitCastOperator>(By))
        Work.insert(By);
      else if (isa<LoadInst>(By) && By->getType()->isPointerTy())
        Loads.push_back(By);
      else if (!(Set && isPlaceOnly(U) &&
                 Set->getValueOperand()->getType()->isPointerTy()) &&
               !(Call && Call->isLifetimeStartOrEnd()))
        return std::nullopt;
    }
  return Loads;
}

namespace {
/// What is done with pointers, also in functions that get them. A function that
/// calls itself is taken to keep what it gets.
class Uses {
public:
  FieldFacts of(const Value &Pointer);
  /// Nothing if \p U gives no function in sight an argument.
  std::optional<FieldFacts> byCallee(const Use &U);

private:
  void join(const Use &U, SetVector<const Value *> &Work, FieldFacts &F);

  DenseMap<const Argument *, FieldFacts> Arguments;
};

/// Is an address kept, but for its low bits?
class KeptAddress : public CaptureTracker {
public:
  explicit KeptAddress(Uses &All) : All(All) {}
  bool Kept = false;
  /// Pointers that were made of it again, or loaded where it was put.
  SmallVector<const Value *, 2> Again;
  void tooManyUses() override { Kept = true; }
  Action captured(const Use *U, UseCaptureInfo CI) override {
    if (capturesNothing(CI.UseCC) || capturesAddressIsNullOnly(CI.UseCC))
      return Continue;
    if (usesOfNumber(*U->getUser(), Again) || isPlaceOnly(*U) ||
        ptxAccess(*U) || isNullTest(*U) || comparesInOneBuffer(U->getUser()))
      return ContinueIgnoringReturn;
    const auto *Store = dyn_cast<StoreInst>(U->getUser());
    if (auto Loads = Store ? loadsOfStored(*Store) : std::nullopt) {
      Again.append(*Loads);
      return ContinueIgnoringReturn;
    }
    // A pointer that it returns it keeps.
    if (auto Callee = All.byCallee(*U); Callee && !Callee->Captured)
      return ContinueIgnoringReturn;
    Kept = true;
    return Stop;
  }

private:
  Uses &All;
};
} // namespace

/// What is done by use \p U of a pointer that nothing keeps; pointers made of
/// it go to \p Work.
void Uses::join(const Use &U, SetVector<const Value *> &Work, FieldFacts &F) {
  const User *By = U.getUser();
  SmallVector<const Value *, 2> Again;
  auto Access = ptxAccess(U);
  if (!Access)
    Access = usesOfNumber(*By, Again);
  if (Access) {
    F.Read |= Access->Read;
    F.Written |= Access->Written;
    F.Captured |= any_of(
        Again, [&](const Value *Known) { return !Work.contains(Known); });
  } else if (isa<LoadInst>(By)) {
    F.Read = true;
  } else if (isa<StoreInst>(By)) {
    F.Written |= isPlaceOnly(U); // where it is kept, loads are followed
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(By)) {
    F.Read = F.Written = true;
  } else if (const auto *Call = dyn_cast<CallBase>(By)) {
    if (auto Callee = byCallee(U); Callee && !Callee->Captured) {
      F.Read |= Callee->Read;
      F.Written |= Callee->Written;
    } else {
      joinCall(*Call, U, F);
      if (Call->getType()->isPointerTy())
        Work.insert(Call);
    }
  } else if (isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator, PHINode,
                 SelectInst, FreezeInst>(By)) {
    Work.insert(By);
  } else if (!isa<ICmpInst>(By)) {
    F.Captured = true;
  }
}

FieldFacts Uses::of(const Value &Pointer) {
  FieldFacts F{0, 0, false, false, false};
  SetVector<const Value *> Work;
  Work.insert(&Pointer);
  for (unsigned I = 0; I != Work.size() && !F.Captured; ++I) {
    KeptAddress Tracker(*this);
    PointerMayBeCaptured(Work[I], &Tracker, MaxUses);
    F.Captured = Tracker.Kept;
    Work.insert_range(Tracker.Again);
  }
  for (unsigned I = 0; I != Work.size() && !F.Captured; ++I)
    for (const Use &U : Work[I]->uses())
      join(U, Work, F);
  return F;
}

std::optional<FieldFacts> Uses::byCallee(const Use &U) {
  const Argument *A = argumentInCallee(U);
  if (!A)
    return std::nullopt;
  FieldFacts Kept{0, 0, true, true, true};
  auto [It, New] = Arguments.try_emplace(A, Kept);
  if (!New)
    return It->second;
  FieldFacts F = of(*A);
  return Arguments[A] = F;
}

FieldFacts usesOf(const Value &Pointer) { return Uses().of(Pointer); }

bool keepsArgument(const Use &U) {
  auto Callee = Uses().byCallee(U);
  return !Callee || Callee->Captured;
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

/// True if \p Load, too few bits for an address, may become part of one: what
/// is computed from it is stored or given away, or is one. Not followed are
/// comparisons, and what lies where it is an index.
static bool mayBePartOfAddress(const LoadInst &Load) {
  SetVector<const Value *> Work;
  Work.insert(&Load);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (const User *U : Work[I]->users()) {
      if (const auto *G = dyn_cast<GetElementPtrInst>(U)) {
        if (isa<ConstantPointerNull>(getUnderlyingObject(G)))
          return true;
        continue;
      }
      const auto *Call = dyn_cast<IntrinsicInst>(U);
      bool Follows =
          Call ? !Call->getType()->isVoidTy() || Call->isAssumeLikeIntrinsic()
               : isa<BinaryOperator, UnaryOperator, CastInst, FreezeInst,
                     PHINode, SelectInst, InsertElementInst, ExtractElementInst,
                     ShuffleVectorInst>(U) &&
                     !isa<IntToPtrInst>(U);
      if (Follows)
        Work.insert(U);
      else if (!isa<CmpInst, BranchInst, SwitchInst>(U))
        return true;
    }
  return false;
}

namespace {
class FieldCollector {
public:
  explicit FieldCollector(const Argument &A)
      : DL(A.getParent()->getDataLayout()),
        Whole(DL.getTypeAllocSize(A.getParamByValType())) {
    add(A, 0);
  }
  std::optional<std::vector<FieldFacts>> run();

private:
  void add(const Value &Address, std::optional<uint64_t> Offset) {
    if (Seen.insert({&Address, Offset.value_or(~0ull)}).second)
      Work.push_back({&Address, Offset});
  }
  void addBytes(FieldFacts F, const Place &At, std::optional<uint64_t> Size) {
    bool Known = At.Offset && Size;
    F.Begin = Known ? *At.Offset : 0;
    F.End = Known ? F.Begin + *Size : Whole;
    if (F.Begin != F.End)
      Fields.push_back(F);
  }
  void addLoad(const LoadInst &Load, const Place &At);
  /// What was added last is taken as if it were the words around it.
  void widen();
  bool use(const Use &U, const Place &At);

  const DataLayout &DL;
  uint64_t Whole;
  SmallVector<Place, 16> Work;
  DenseSet<std::pair<const Value *, uint64_t>> Seen;
  std::vector<FieldFacts> Fields;
};
} // namespace

void FieldCollector::addLoad(const LoadInst &Load, const Place &At) {
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  addBytes(usesOfLoaded(Load), At, Size);
  if (Size < sizeof(uint64_t) && mayBePartOfAddress(Load))
    widen();
}

void FieldCollector::widen() {
  constexpr uint64_t Word = sizeof(uint64_t);
  if (Fields.empty())
    return;
  Fields.back().Begin = alignDown(Fields.back().Begin, Word);
  Fields.back().End = alignTo(Fields.back().End, Word);
}

/// What use \p U of the address of \p At loads; false: it may do anything.
bool FieldCollector::use(const Use &U, const Place &At) {
  const User *By = U.getUser();
  if (const auto *Load = dyn_cast<LoadInst>(By)) {
    addLoad(*Load, At);
  } else if (isa<AddrSpaceCastInst, BitCastInst>(By)) {
    add(*By, At.Offset);
  } else if (isa<PHINode, SelectInst>(By)) {
    add(*By, std::nullopt); // of this parameter or of other memory
  } else if (const auto *G = dyn_cast<GetElementPtrInst>(By)) {
    APInt Offset(DL.getIndexTypeSizeInBits(G->getType()), 0);
    bool Known = At.Offset && G->accumulateConstantOffset(DL, Offset) &&
                 !Offset.isNegative() && Offset.ule(Whole);
    add(*By, Known ? std::optional(*At.Offset + Offset.getZExtValue())
                   : std::nullopt);
  } else if (const auto *Copy = dyn_cast<AnyMemTransferInst>(By)) {
    if (U.getOperandNo() != 1)
      return false;
    const auto *Size = dyn_cast<ConstantInt>(Copy->getLength());
    addBytes({0, 0, true, true, true}, At,
             Size ? std::optional(Size->getZExtValue()) : std::nullopt);
    widen();
  } else if (const Argument *A = argumentInCallee(U)) {
    add(*A, At.Offset);
  } else {
    const auto *I = dyn_cast<IntrinsicInst>(By);
    return I && I->isLifetimeStartOrEnd();
  }
  return true;
}

std::optional<std::vector<FieldFacts>> FieldCollector::run() {
  while (!Work.empty()) {
    Place At = Work.pop_back_val();
    for (const Use &U : At.Address->uses())
      if (!use(U, At))
        return std::nullopt;
  }
  return std::move(Fields);
}

std::optional<std::vector<FieldFacts>> collectFields(const Argument &A) {
  return FieldCollector(A).run();
}

} // namespace echo
