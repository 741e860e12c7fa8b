//===- Prototypes.cpp - Does a model fit a declaration? -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of arguments say which are pointers, and a line may name the types
// of the others and of the result. A definition that the compiler has only to
// inline it is a copy of the library's.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Prototypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace echo {

static bool isOfType(const Type &T, ValueType Wanted) {
  switch (Wanted) {
  case ValueType::Any:
    return true;
  case ValueType::Void:
    return T.isVoidTy();
  case ValueType::Pointer:
    return T.isPointerTy();
  case ValueType::I1:
    return T.isIntegerTy(1);
  case ValueType::I8:
    return T.isIntegerTy(8);
  case ValueType::I16:
    return T.isIntegerTy(16);
  case ValueType::I32:
    return T.isIntegerTy(32);
  case ValueType::I64:
    return T.isIntegerTy(64);
  case ValueType::Float:
    return T.isFloatTy();
  case ValueType::Double:
    return T.isDoubleTy();
  case ValueType::LongDouble:
    return T.isX86_FP80Ty() || T.isFP128Ty();
  }
  llvm_unreachable("unknown type of a value");
}

static bool fitsArgument(const Type &T, const ArgModel &Arg) {
  return Arg.What == ArgModel::Value ? isOfType(T, Arg.Type) : T.isPointerTy();
}

bool fits(const Function &F, const FunctionModel &Model) {
  const FunctionType &T = *F.getFunctionType();
  if (!isOfType(*T.getReturnType(), Model.Returns))
    return false;
  bool ReturnsPointer = Model.ReturnsArg || Model.returnsNewBlock();
  if (ReturnsPointer && !T.getReturnType()->isPointerTy())
    return false;
  // A declaration of C without parameters says nothing of them.
  if (T.isVarArg() && T.getNumParams() == 0 && !Model.Args.empty())
    return true;
  // Where the result is said, so is the rest of the prototype.
  bool Exact = Model.Returns != ValueType::Any;
  if (Exact && T.isVarArg() != Model.VarArgs.has_value())
    return false;
  unsigned Named = Model.Args.size();
  bool More = Model.VarArgs && !Exact;
  if (More ? T.getNumParams() < Named : T.getNumParams() != Named)
    return false;
  for (unsigned A = 0; A != Named; ++A)
    if (!fitsArgument(*T.getParamType(A), Model.Args[A]))
      return false;
  return true;
}

/// True if \p G is a definition; one that the compiler has only to inline is a
/// copy of the library's.
static bool isOwn(const GlobalValue &G) {
  return !G.isDeclaration() && !G.hasAvailableExternallyLinkage();
}

static bool isOperatorNew(StringRef Name) {
  return Name.starts_with("_Zn") || Name.starts_with("_Zd");
}

void forgetOwnFunctions(const Module &M, ModelTable &Models) {
  // What allocates may run code of the program: operator new a new handler, a
  // function of C a hook. What the program replaces runs where the library
  // calls it: an operator below others, a function of C below those of C++.
  bool HookedNew = false, Hooked = false;
  bool OwnNew = false, OwnMalloc = false, OwnC = false;
  for (const GlobalValue &G : M.global_values()) {
    const StringRef Name = G.getName();
    const unsigned Traits = Models.traits(Name);
    if (Traits & HooksAllocation)
      (Name.starts_with("_Z") ? HookedNew : Hooked) = true;
    if (!isOwn(G) || G.hasLocalLinkage())
      continue;
    const FunctionModel *Model = Models.lookup(Name);
    if (Model && Model->usesHeap())
      (isOperatorNew(Name) ? OwnNew : OwnMalloc) = true;
    OwnC |= (Traits & CalledByCxx) != 0;
  }
  bool OwnAllocators = HookedNew || Hooked || OwnNew || OwnMalloc;
  Models.forget([&](StringRef Name) {
    const GlobalValue *Own = M.getNamedValue(Name);
    const auto *F = dyn_cast_or_null<Function>(Own);
    const FunctionModel &Model = *Models.lookup(Name);
    const bool Replaced = Own && (!F || isOwn(*F));
    OwnAllocators |= Replaced && Model.usesHeap();
    const bool OfCxx = Name.starts_with("_Z");
    const bool RunsHook = Hooked || (HookedNew && OfCxx);
    return Replaced || (F && !fits(*F, Model)) ||
           ((RunsHook || OwnMalloc) && Model.usesHeap()) ||
           (OwnNew && isOperatorNew(Name)) ||
           (OwnC && (OfCxx || Name.starts_with("gz"))); // zlib's files
  });
  if (OwnAllocators)
    Models.setOwnAllocators();
}

} // namespace echo
