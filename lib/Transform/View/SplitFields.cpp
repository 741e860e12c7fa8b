//===- SplitFields.cpp - Fields of mixed structs as variables -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects every access to an object as a range of bytes; gives up on the
// object at the first use that is not understood.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/SplitFields.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/Models.h"
#include "Transform/View/LibraryMembers.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace echo {

namespace {

/// Bytes [Begin, End) of the object.
struct Range {
  uint64_t Begin, End;
  bool operator==(const Range &) const = default;
};

class Object {
public:
  Object(AllocaInst &Slot, const ModelTable &Models)
      : Slot(Slot), DL(Slot.getModule()->getDataLayout()), Models(Models) {}

  /// False if a use is not understood.
  bool collect() { return visit(Slot, 0, std::nullopt) && phisStayInside(); }
  bool split();

private:
  /// \p Inside: the array member that pointer \p V may not leave.
  bool visit(Value &V, uint64_t Offset, std::optional<Range> Inside);
  bool address(GEPOperator &G, uint64_t Offset, std::optional<Range> Inside);
  /// The bytes of array \p T at \p Offset, the address of which \p G is.
  Range rangeOf(const GEPOperator &G, ArrayType &T, uint64_t Offset) const;
  bool call(CallBase &Call, const Value &V, uint64_t Offset,
            std::optional<Range> Inside);
  bool access(Instruction &I, Type *T, uint64_t Offset,
              std::optional<Range> Inside);
  bool copy(MemCpyInst &I, const Value &V, uint64_t Offset);
  bool phi(PHINode &P, const Value &V, std::optional<Range> Inside);
  bool phisStayInside() const;

  AllocaInst &Slot;
  const DataLayout &DL;
  const ModelTable &Models;
  /// Loads and stores of one type at one place.
  struct Field {
    Type *T;
    SmallVector<Instruction *, 4> Uses;
  };
  std::map<uint64_t, Field> Fields;
  SmallVector<Range, 8> Others;
  /// Pointers that walk through an array member, and what was seen to lie in
  /// which.
  SmallVector<PHINode *, 4> Walks;
  DenseMap<const Value *, Range> ArrayOf;
  /// What is cleared as a whole: new Job().
  SmallVector<std::pair<MemSetInst *, Range>, 2> Clears;
  /// What is copied to or from it together: the numbers of a struct.
  struct Copy {
    MemCpyInst *I;
    Range Bytes;
    bool ToObject;
  };
  SmallVector<Copy, 2> Copies;
};

} // namespace

bool Object::access(Instruction &I, Type *T, uint64_t Offset,
                    std::optional<Range> Inside) {
  if (Inside) {
    Others.push_back(*Inside);
    return true;
  }
  auto [It, New] = Fields.try_emplace(Offset, Field{T, {}});
  if (It->second.T == T && !I.isVolatile() && !I.isAtomic())
    It->second.Uses.push_back(&I);
  else
    Others.push_back({Offset, Offset + DL.getTypeStoreSize(T)});
  return true;
}

/// True if \p G, the address of array \p T or of its elements, is that of the
/// last member of a struct after which the program may have put more elements.
static bool mayBeLonger(const GEPOperator &G, const ArrayType &T) {
  const StructType *Of = nullptr;
  bool Last = true, Nested = false;
  for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
    const StructType *S = It.getStructTypeOrNull();
    if (!S)
      continue;
    Nested |= Of != nullptr;
    Of = S;
    uint64_t Member = cast<ConstantInt>(It.getOperand())->getZExtValue();
    Last = Member + 1 == S->getNumElements();
  }
  return Last && (T.getNumElements() <= 1 || (Of && !Nested));
}

Range Object::rangeOf(const GEPOperator &G, ArrayType &T,
                      uint64_t Offset) const {
  Range Inside{Offset, Offset + DL.getTypeAllocSize(&T)};
  if (mayBeLonger(G, T))
    Inside.End = std::max<uint64_t>(
        Inside.End, DL.getTypeAllocSize(Slot.getAllocatedType()));
  return Inside;
}

bool Object::address(GEPOperator &G, uint64_t Offset,
                     std::optional<Range> Inside) {
  if (Inside)
    return visit(G, Offset, Inside);
  APInt Delta(DL.getIndexTypeSizeInBits(G.getType()), 0);
  bool Constant = G.accumulateConstantOffset(DL, Delta);
  auto *Array = dyn_cast<ArrayType>(G.getSourceElementType());
  auto *First = dyn_cast<ConstantInt>(*G.idx_begin());
  if (Array && First && First->isZero() && G.getNumIndices() == 2)
    return visit(G, Offset, rangeOf(G, *Array, Offset));
  const int64_t To = static_cast<int64_t>(Offset) + Delta.getSExtValue();
  if (!Constant || To < 0)
    return false;
  Offset = To;
  // Where its own code shows as a whole, its fields are split, too.
  if (auto Member = libraryMember(G, Models)) {
    uint64_t Begin = Offset - Member->Before;
    if (!visit(G, Offset, Inside))
      Others.push_back({Begin, Begin + Member->Bytes});
    return true;
  }
  // std::array is an array, too; but its elements may show as they are.
  if (auto *S = dyn_cast<StructType>(G.getResultElementType());
      S && S->hasName() && S->getName().starts_with("struct.std::array"))
    return visit(G, Offset, Inside) ||
           visit(G, Offset, Range{Offset, Offset + DL.getTypeAllocSize(S)});
  if (auto *Member = dyn_cast<ArrayType>(G.getResultElementType()))
    Inside = rangeOf(G, *Member, Offset);
  return visit(G, Offset, Inside);
}

/// The bytes that \p Call may touch after its argument \p A, where the model
/// says so and they are a constant.
static std::optional<uint64_t>
bytesTouched(const CallBase &Call, const FunctionModel *Model, unsigned A) {
  if (!Model || A >= Model->Args.size() ||
      Model->Args[A].What != ArgModel::Access || !Model->Args[A].HasSize)
    return std::nullopt;
  uint64_t Bytes = Model->Args[A].SizeConst;
  for (unsigned Size : Model->Args[A].SizeArgs) {
    const auto *C = Size < Call.arg_size()
                        ? dyn_cast<ConstantInt>(Call.getArgOperand(Size))
                        : nullptr;
    if (!C || C->getValue().ugt(UINT32_MAX) || Bytes > UINT32_MAX)
      return std::nullopt;
    Bytes *= C->getZExtValue();
  }
  return Bytes;
}

/// The bytes that \p Call, a copy or set, moves, if they are a constant.
static std::optional<uint64_t> bytesMoved(const CallBase &Call) {
  const Value *Length = nullptr;
  if (const auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call))
    Length = Mem->getLength();
  else if (auto Api = cudaApiOf(Call))
    if (auto Arg = Api->find(ApiRole::Bytes))
      Length = Call.getArgOperand(*Arg);
  const auto *C = dyn_cast_or_null<ConstantInt>(Length);
  return C ? std::optional(C->getZExtValue()) : std::nullopt;
}

/// A copy of a known number of bytes between the object and other memory.
bool Object::copy(MemCpyInst &I, const Value &V, uint64_t Offset) {
  const auto *Length = dyn_cast<ConstantInt>(I.getLength());
  bool ToObject = I.getRawDest() == &V;
  const Value *Other = ToObject ? I.getRawSource() : I.getRawDest();
  const Value *From = getUnderlyingObject(Other);
  if (!Length || I.isVolatile() || From == &Slot ||
      !isa<AllocaInst, GlobalVariable, Argument, LoadInst>(From))
    return false;
  Copies.push_back({&I, {Offset, Offset + Length->getZExtValue()}, ToObject});
  return true;
}

/// Calls that use an array member, or a known number of bytes, and do not keep
/// the address.
bool Object::call(CallBase &Call, const Value &V, uint64_t Offset,
                  std::optional<Range> Inside) {
  if (Call.isLifetimeStartOrEnd())
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return false;
  auto Api = cudaApiOf(Call);
  const FunctionModel *Model = Models.lookup(Callee->getName());
  if (auto *Set = dyn_cast<MemSetInst>(&Call); Set && !Inside) {
    const auto *Byte = dyn_cast<ConstantInt>(Set->getValue());
    const auto *Length = dyn_cast<ConstantInt>(Set->getLength());
    if (!Byte || !Byte->isZero() || !Length || Set->isVolatile())
      return false;
    Clears.push_back({Set, {Offset, Offset + Length->getZExtValue()}});
    return true;
  }
  if (auto *Copy = dyn_cast<MemCpyInst>(&Call); Copy && !Inside)
    return copy(*Copy, V, Offset);
  bool ResultIsFine = false;
  for (unsigned A = 0; A < Call.arg_size(); ++A) {
    if (Call.getArgOperand(A) != &V)
      continue;
    auto Bytes = libraryUses(Call, A, Models);
    ResultIsFine |= Bytes && !Inside;
    if (!Bytes)
      Bytes = bytesTouched(Call, Model, A);
    if (Bytes && !Inside) {
      Others.push_back({Offset, Offset + *Bytes});
      continue;
    }
    if (!Inside)
      return false;
    bool Known = isa<AnyMemIntrinsic>(Call);
    if (Api && A < Api->Roles.size())
      Known |= Api->Roles[A] == ApiRole::Dst || Api->Roles[A] == ApiRole::Src ||
               Api->Roles[A] == ApiRole::Out || Api->Roles[A] == ApiRole::In;
    if (Model && A < Model->Args.size())
      Known |= Model->Args[A].What == ArgModel::Access;
    // memset(s.array, 0, sizeof s) goes past the array on purpose.
    if (!Bytes)
      Bytes = bytesMoved(Call);
    Known &= !Bytes || *Bytes <= Inside->End - Inside->Begin;
    if (!Known)
      return false;
    Others.push_back(*Inside);
  }
  return !Call.getType()->isPointerTy() || Call.use_empty() || ResultIsFine;
}

/// A pointer that a loop moves on through an array member.
bool Object::phi(PHINode &P, const Value & /*V*/, std::optional<Range> Inside) {
  if (!Inside)
    return false;
  if (auto It = ArrayOf.find(&P); It != ArrayOf.end())
    return It->second == *Inside;
  Walks.push_back(&P);
  return visit(P, 0, Inside);
}

/// True if all that such pointers may be lies in the same array.
bool Object::phisStayInside() const {
  return llvm::all_of(Walks, [&](const PHINode *P) {
    return llvm::all_of(P->incoming_values(), [&](const Value *In) {
      auto It = ArrayOf.find(In);
      return isa<UndefValue>(In) ||
             (It != ArrayOf.end() && It->second == ArrayOf.at(P));
    });
  });
}

bool Object::visit(Value &V, uint64_t Offset, std::optional<Range> Inside) {
  if (Inside && !ArrayOf.try_emplace(&V, *Inside).second)
    return false;
  return llvm::all_of(V.users(), [&](User *U) {
    if (auto *Load = dyn_cast<LoadInst>(U))
      return access(*Load, Load->getType(), Offset, Inside);
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getValueOperand() != &V &&
             access(*Store, Store->getValueOperand()->getType(), Offset,
                    Inside);
    if (auto *Count = dyn_cast<AtomicRMWInst>(U)) {
      uint64_t Bytes = DL.getTypeStoreSize(Count->getType());
      Others.push_back(Inside ? *Inside : Range{Offset, Offset + Bytes});
      return Count->getValOperand() != &V;
    }
    if (auto *G = dyn_cast<GEPOperator>(U))
      return address(*G, Offset, Inside);
    if (auto *Walk = dyn_cast<PHINode>(U))
      return phi(*Walk, V, Inside);
    if (auto *Call = dyn_cast<CallBase>(U))
      return call(*Call, V, Offset, Inside);
    return isa<ICmpInst>(U); // is it another one? (x = x)
  });
}

bool Object::split() {
  bool Changed = false;
  for (auto &[Offset, Own] : Fields) {
    Range Mine{Offset, Offset + DL.getTypeStoreSize(Own.T)};
    auto Overlaps = [&](const Range &R) {
      return R.Begin < Mine.End && Mine.Begin < R.End;
    };
    bool Clash = llvm::any_of(Others, Overlaps);
    for (const auto &[At, Other] : Fields)
      Clash |=
          At != Mine.Begin && Overlaps({At, At + DL.getTypeStoreSize(Other.T)});
    for (const auto &[Set, Cleared] : Clears)
      Clash |= Overlaps(Cleared) &&
               !(Cleared.Begin <= Mine.Begin && Mine.End <= Cleared.End);
    for (const Copy &C : Copies)
      Clash |= Overlaps(C.Bytes) &&
               !(C.Bytes.Begin <= Mine.Begin && Mine.End <= C.Bytes.End);
    if (Clash)
      continue;
    IRBuilder<> B(&Slot);
    AllocaInst *Variable =
        B.CreateAlloca(Own.T, nullptr, Slot.getName() + ".field");
    for (Instruction *I : Own.Uses)
      I->setOperand(isa<LoadInst>(I) ? 0 : 1, Variable);
    for (const auto &[Set, Cleared] : Clears)
      if (Overlaps(Cleared))
        IRBuilder<>(Set).CreateStore(Constant::getNullValue(Own.T), Variable);
    for (const Copy &C : Copies) {
      if (!Overlaps(C.Bytes))
        continue;
      IRBuilder<> At(C.I);
      Value *Bytes = At.getInt64(Offset - C.Bytes.Begin);
      if (C.ToObject)
        At.CreateStore(
            At.CreateAlignedLoad(
                Own.T, At.CreatePtrAdd(C.I->getRawSource(), Bytes), Align(1)),
            Variable);
      else
        At.CreateAlignedStore(At.CreateLoad(Own.T, Variable),
                              At.CreatePtrAdd(C.I->getRawSource(), Bytes),
                              Align(1));
    }
    Changed = true;
  }
  return Changed;
}

bool splitFields(Function &F, const ModelTable &Models) {
  SmallVector<AllocaInst *, 16> Slots;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      if (isa<StructType>(Slot->getAllocatedType()) ||
          Slot->getMetadata("echo.object"))
        Slots.push_back(Slot);
  bool Changed = false;
  for (AllocaInst *Slot : Slots) {
    Object O(*Slot, Models);
    if (O.collect())
      Changed |= O.split();
  }
  return Changed;
}

} // namespace echo
