//===- Operands.cpp - Which buffer an expression names --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peels an expression from outside to inside. "&" and "[]" cancel each other,
// with an offset; a "[]" or "*" that is left reads a pointer from the buffer,
// unless its element is an array, as "&x[0][0]" has.
//
//===----------------------------------------------------------------------===//
#include "facts/Operands.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace echo::survey {

static Named placeNamed(const Expr *E);

/// True if \p E is the number 0.
static bool isZero(const Expr *E) {
  const auto *Number = dyn_cast<IntegerLiteral>(plain(E));
  return Number && Number->getValue() == 0;
}

/// True for a variable that holds elements itself: an array or a container.
static bool holdsElements(QualType T) {
  return !T.isNull() && (T->isArrayType() || containerOf(T));
}

static Named named(const ValueDecl *D) {
  Named N;
  if (D && !isa<EnumConstantDecl>(D))
    N.Decl = D;
  return N;
}

/// The object that "data()" and its like are called of, or null.
static const Expr *dataOf(const CallExpr *Call) {
  static const StringRef Names[] = {"data",  "get",   "begin",  "ptr",
                                    "c_str", "front", "cbegin", "data_ptr"};
  if (!llvm::is_contained(Names, StringRef(calleeName(Call))))
    return nullptr;
  const Expr *Callee = plain(Call->getCallee());
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  return nullptr;
}

static Named ofCall(const CallExpr *Call) {
  if (const Expr *Object = dataOf(Call)) {
    Named N = placeNamed(plain(Object));
    // A method of the program's own class may return any of its members.
    if (N.Decl && containerOf(Object->getType().isNull() ? QualType()
                                                         : Object->getType()))
      return N;
    if (N.Decl && !calleeOf(Call))
      return N;
  }
  const std::string Name = calleeName(Call);
  if ((Name == "raw_pointer_cast" || Name == "device_pointer_cast" ||
       Name == "addressof" || Name == "move") &&
      Call->getNumArgs() == 1)
    return Name == "addressof" ? placeNamed(plain(Call->getArg(0)))
                               : bufferOf(Call->getArg(0));
  return named(calleeOf(Call));
}

/// "x[i]" as a place; \p Index may be null.
static Named ofSubscript(const Expr *Base, const Expr *Index,
                         QualType Element) {
  Named N = bufferOf(Base);
  N.Offset |= Index && !isZero(Index);
  // A pointer among several; an element that is an array is still the buffer.
  if (!Element.isNull() && Element->isPointerType())
    ++N.Loads;
  return N;
}

/// Names the place that \p E is: a variable, a member, an element.
static Named placeNamed(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return named(Ref->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return named(Member->getMemberDecl());
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    return ofSubscript(Sub->getBase(), Sub->getIdx(), Sub->getType());
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (Op->getOperator() == OO_Subscript && Op->getNumArgs() == 2)
      return ofSubscript(Op->getArg(0), Op->getArg(1), Op->getType());
    if (Op->getOperator() == OO_Star && Op->getNumArgs() == 1)
      return ofSubscript(Op->getArg(0), nullptr, Op->getType());
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    return ofSubscript(Op->getSubExpr(), nullptr, Op->getType());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(Call);
  if (const auto *Cast = dyn_cast<CXXConstructExpr>(E);
      Cast && Cast->getNumArgs() == 1)
    return placeNamed(plain(Cast->getArg(0)));
  return {};
}

/// "&E" as a pointer.
static Named ofAddress(const Expr *E) {
  Named N = placeNamed(E);
  const bool Element = isa<ArraySubscriptExpr, CXXOperatorCallExpr>(E) ||
                       (isa<UnaryOperator>(E) && N.Decl);
  if (Element) {
    // "&p[i]" of an array of pointers points into that array.
    if (N.Loads)
      --N.Loads;
    return N;
  }
  N.Address = N.Decl && !holdsElements(N.Decl->getType());
  return N;
}

Named bufferOf(const Expr *E) {
  E = plain(E);
  if (!E)
    return {};
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return ofAddress(plain(Op->getSubExpr()));
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp()) {
    const bool PointerFirst = !Op->getRHS()->getType()->isPointerType();
    const Expr *Base = PointerFirst ? Op->getLHS() : Op->getRHS();
    Named N = bufferOf(Base);
    N.Offset |= !isZero(PointerFirst ? Op->getRHS() : Op->getLHS());
    return N;
  }
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
      Op && Op->getOperator() == OO_Plus && Op->getNumArgs() == 2) {
    Named N = bufferOf(Op->getArg(0));
    N.Offset = true;
    return N;
  }
  return placeNamed(E);
}

Named targetOf(const Expr *E) {
  E = plain(E);
  if (!E)
    return {};
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return placeNamed(plain(Op->getSubExpr()));
  // A pointer to the pointer.
  Named N = bufferOf(E);
  if (N.Decl && !N.Address)
    ++N.Loads;
  return N;
}

std::string keyOf(const Named &N, const Keys &Names) {
  if (!N.Decl)
    return {};
  std::string Key;
  if (const auto *F = dyn_cast<FunctionDecl>(N.Decl))
    Key = Names.ofResult(F);
  else
    Key = Names.ofDeclaration(N.Decl);
  // The variable itself, not what it points to.
  if (N.Address)
    return Key + "&";
  return Key + std::string(N.Loads, '*');
}

} // namespace echo::survey
