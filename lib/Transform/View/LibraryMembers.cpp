//===- LibraryMembers.cpp - Members that the library looks after ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must see the types of address arithmetic as clang wrote them. Atomics are
// left out: programs use those as hooks from which they find the object around.
//
//===----------------------------------------------------------------------===//
#include "Transform/View/LibraryMembers.h"
#include "Analysis/Api/Models.h"
#include "Analysis/Api/PointerUses.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace echo {

/// True if \p T is a class of the C++ library.
static bool isLibraryType(const Type *T) {
  const auto *S = dyn_cast<StructType>(T);
  if (!S || !S->hasName())
    return false;
  StringRef Name = S->getName();
  if (!Name.consume_front("class.") && !Name.consume_front("struct."))
    return false;
  return Name.starts_with("std::") && !Name.contains("atomic");
}

/// True if \p Call, of a function of the C++ library, gets the address of an
/// object as argument \p Arg and keeps it nowhere but in the object: its model
/// says so. Lists and trees link what they get (_M_hook), and have none.
/// std::string keeps nothing, and its functions may be in this module, too.
static bool isLibraryUse(const CallBase &Call, unsigned Arg,
                         const ModelTable &Models) {
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : StringRef();
  if (Name.starts_with("_ZNSaIcE"))
    return true;
  StringRef Member = Name;
  bool IsMember =
      Member.consume_front("_ZNSt") || Member.consume_front("_ZNKSt");
  if (IsMember &&
      Member.starts_with("7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"))
    return true;
  bool OfLibrary = IsMember || Name.starts_with("_ZSt") ||
                   Name.starts_with("_ZNSo") || Name.starts_with("_ZNSi");
  const FunctionModel *Model =
      OfLibrary && F->isDeclaration() ? Models.lookup(Name) : nullptr;
  return Model && !Model->callsBack() && Arg < Model->Args.size() &&
         Model->Args[Arg].What == ArgModel::Access;
}

namespace {
/// Bytes [Begin, End), counted from Base.
struct Member {
  const Value *Base;
  int64_t Begin, End;

  /// True if \p Address is one of its bytes.
  bool holds(const Value *Address, const DataLayout &DL) const {
    APInt Offset(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    const Value *From = Address->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
    return From == Base && Offset.getSExtValue() >= Begin &&
           Offset.getSExtValue() < End;
  }
};
} // namespace

/// True if \p G, whose pointer is inside \p M, stays there: it is a member of a
/// member, or an element of an array.
static bool staysInside(const GEPOperator &G, const Member &M,
                        const DataLayout &DL) {
  const auto *First = dyn_cast<ConstantInt>(*G.idx_begin());
  bool Element = isa<ArrayType>(G.getSourceElementType()) && First &&
                 First->isZero() && G.getNumIndices() == 2;
  return Element || M.holds(&G, DL);
}

static bool onlyInside(const Value &, const Member &, const DataLayout &,
                       const ModelTable &);

/// True if what \p Call, of a function of the library that gets a member of
/// \p Bytes bytes, returns is used inside the member: a reference to it, or an
/// element of an array in it (c_str).
static bool resultStaysInside(const CallBase &Call, int64_t Bytes,
                              const ModelTable &Models) {
  return !Call.getType()->isPointerTy() || !Call.getRetDereferenceableBytes() ||
         onlyInside(Call, {&Call, 0, Bytes}, Call.getDataLayout(), Models);
}

/// True if all uses of \p Address stay inside \p M.
static bool onlyInside(const Value &Address, const Member &M,
                       const DataLayout &DL, const ModelTable &Models) {
  return all_of(Address.uses(), [&](const Use &U) {
    const User *By = U.getUser();
    if (const auto *G = dyn_cast<GEPOperator>(By))
      return staysInside(*G, M, DL) && onlyInside(*G, M, DL, Models);
    if (isa<LoadInst, ICmpInst>(By))
      return true;
    if (const auto *Store = dyn_cast<StoreInst>(By))
      return U.getOperandNo() == 1 || M.holds(Store->getPointerOperand(), DL);
    const auto *Call = dyn_cast<CallBase>(By);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !Call->isArgOperand(&U))
      return false;
    if (isLibraryUse(*Call, Call->getArgOperandNo(&U), Models))
      return resultStaysInside(*Call, M.End - M.Begin, Models);
    return Call->isLifetimeStartOrEnd() ||
           modelThatForgets(*Call, Call->getArgOperandNo(&U), Models);
  });
}

std::optional<LibraryMember> libraryMember(const GEPOperator &G,
                                           const ModelTable &Models) {
  const auto *I = dyn_cast<Instruction>(&G);
  // The address of a first member is that of the object.
  bool First = isLibraryType(G.getSourceElementType());
  Type *T = First ? G.getSourceElementType() : G.getResultElementType();
  if (!I || !isLibraryType(T))
    return std::nullopt;
  const DataLayout &DL = I->getDataLayout();
  auto PlaceOf = [&](const Value &V, const Value *&Base) {
    APInt Offset(DL.getIndexTypeSizeInBits(V.getType()), 0);
    Base = V.stripAndAccumulateConstantOffsets(DL, Offset,
                                               /*AllowNonInbounds=*/true);
    return Offset.getSExtValue();
  };
  Member M{nullptr, 0, 0};
  const Value *Base = nullptr;
  int64_t At = PlaceOf(G, Base);
  M.Begin = First ? PlaceOf(*G.getPointerOperand(), M.Base) : At;
  if (!First)
    M.Base = Base;
  uint64_t Bytes = DL.getTypeAllocSize(T);
  M.End = M.Begin + Bytes;
  if (M.Base != Base || Base == &G || !M.holds(&G, DL) ||
      !onlyInside(G, M, DL, Models))
    return std::nullopt;
  return LibraryMember{At - M.Begin, Bytes};
}

std::optional<uint64_t> libraryUses(const CallBase &Call, unsigned Arg,
                                    const ModelTable &Models) {
  uint64_t Bytes = Call.getParamDereferenceableBytes(Arg);
  if (!isLibraryUse(Call, Arg, Models) || !Bytes ||
      !resultStaysInside(Call, Bytes, Models))
    return std::nullopt;
  return Bytes;
}

} // namespace echo
