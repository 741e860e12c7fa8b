//===- Callees.cpp - Which function a call names --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call in a template or in code with errors names a set of functions, or a
// name only.
//
//===----------------------------------------------------------------------===//
#include "facts/Operands.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace echo::survey {

const Expr *plain(const Expr *E) {
  for (const Expr *Before = nullptr; E && E != Before;) {
    Before = E;
    E = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    if (const auto *List = dyn_cast<ParenListExpr>(E))
      E = List->getNumExprs() == 1 ? List->getExpr(0) : E;
    if (const auto *List = dyn_cast<InitListExpr>(E))
      E = List->getNumInits() == 1 ? List->getInit(0) : E;
    // "T(x)" of a type that depends on templates.
    if (const auto *Made = dyn_cast<CXXUnresolvedConstructExpr>(E))
      E = Made->getNumArgs() == 1 ? Made->getArg(0) : E;
    // What Clang kept of an initializer with an error.
    if (const auto *Kept = dyn_cast<RecoveryExpr>(E))
      E = Kept->subExpressions().size() == 1 ? Kept->subExpressions()[0] : E;
  }
  return E;
}

std::string calleeName(const CallExpr *Call) {
  const Expr *Callee = plain(Call->getCallee());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
    return Ref->getNameInfo().getAsString();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return Member->getMemberNameInfo().getAsString();
  if (const auto *Set = dyn_cast<OverloadExpr>(Callee))
    return Set->getName().getAsString();
  if (const auto *Name = dyn_cast<DependentScopeDeclRefExpr>(Callee))
    return Name->getDeclName().getAsString();
  if (const auto *Name = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
    return Name->getMember().getAsString();
  return {};
}

const FunctionDecl *calleeOf(const CallExpr *Call) {
  if (const FunctionDecl *F = Call->getDirectCallee())
    return F;
  const auto *Set = dyn_cast<OverloadExpr>(plain(Call->getCallee()));
  if (!Set)
    return nullptr;
  for (const NamedDecl *D : Set->decls()) {
    const FunctionDecl *F = D->getUnderlyingDecl()->getAsFunction();
    if (F && F->getNumParams() == Call->getNumArgs())
      return F;
  }
  return nullptr;
}

/// The class of \p T, also in templates, without arguments: "std::vector".
static std::string className(QualType T) {
  T = T.getNonReferenceType();
  const TemplateDecl *Template = nullptr;
  if (const auto *S = T->getAs<TemplateSpecializationType>())
    Template = S->getTemplateName().getAsTemplateDecl();
  if (Template)
    if (const auto *Class = dyn_cast_or_null<ClassTemplateDecl>(Template))
      return Class->getQualifiedNameAsString();
  if (const CXXRecordDecl *Record = T->getAsCXXRecordDecl())
    return Record->getQualifiedNameAsString();
  return {};
}

std::optional<Idiom> containerOf(QualType T) {
  if (T.isNull())
    return std::nullopt;
  std::string Name = className(T);
  // Inline namespaces of the library.
  for (const char *Inner : {"__cxx11::", "__1::"})
    if (const size_t At = Name.find(Inner); At != std::string::npos)
      Name.erase(At, std::string(Inner).size());
#define ALLOCATING_TYPE(Type, Id)                                              \
  if (Name == Type)                                                            \
    return Idiom::Id;
#include "facts/Allocators.def"
  return std::nullopt;
}

QualType elementOf(QualType T) {
  T = T.getNonReferenceType();
  ArrayRef<TemplateArgument> Arguments;
  if (const auto *S = T->getAs<TemplateSpecializationType>())
    Arguments = S->template_arguments();
  else if (const auto *Record =
               dyn_cast_or_null<ClassTemplateSpecializationDecl>(
                   T->getAsCXXRecordDecl()))
    Arguments = Record->getTemplateArgs().asArray();
  if (Arguments.empty() || Arguments[0].getKind() != TemplateArgument::Type)
    return {};
  return Arguments[0].getAsType();
}

} // namespace echo::survey
