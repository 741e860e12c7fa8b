//===- Extents.cpp - Sizes as the source writes them ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants are evaluated by Clang; products are spread; sums have their terms
// sorted; all else is the source's text.
//
//===----------------------------------------------------------------------===//
#include "facts/Extents.h"

#include "facts/Operands.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace echo::survey {

/// How many variables deep sizes are followed.
static constexpr unsigned MaxDepth = 6;

void Extents::enter(const Stmt *Body) {
  Changed.clear();
  const auto Variable = declRefExpr(to(valueDecl().bind("changed")));
  const auto Changes = stmt(
      anyOf(binaryOperator(isAssignmentOperator(),
                           hasLHS(ignoringParenImpCasts(Variable))),
            unaryOperator(hasAnyOperatorName("++", "--", "&"),
                          hasUnaryOperand(ignoringParenImpCasts(Variable)))));
  for (const BoundNodes &Found : match(findAll(Changes), *Body, Context))
    Changed.insert(Found.getNodeAs<ValueDecl>("changed"));
}

Extent Extents::ofType(QualType T) const {
  if (T.isNull())
    return Extent::unknown();
  T = T.getNonReferenceType();
  if (T->isDependentType() || T->isIncompleteType() || T->isVariableArrayType())
    return Extent::factor("sizeof(" + T.getAsString() + ")");
  return Extent::constant(Context.getTypeSizeInChars(T).getQuantity());
}

std::string Extents::printed(const Expr *E) const {
  // Of an expression with errors the tree has only parts.
  if (E->containsErrors()) {
    std::string Text = Lexer::getSourceText(
                           CharSourceRange::getTokenRange(E->getSourceRange()),
                           Context.getSourceManager(), Context.getLangOpts())
                           .str();
    llvm::erase_if(Text, [](char C) { return llvm::isSpace(C); });
    return Text;
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  E->printPretty(OS, nullptr, Context.getPrintingPolicy());
  return Text;
}

/// True if \p E calls a function, whose result may differ from call to call.
static bool calls(const Expr *E, ASTContext &Context) {
  return !match(findAll(callExpr(unless(cxxMemberCallExpr()),
                                 unless(cxxOperatorCallExpr()))),
                *E, Context)
              .empty();
}

Extent Extents::ofVariable(const ValueDecl *D, unsigned Depth) const {
  if (isa<ParmVarDecl>(D) && !Changed.count(D))
    return Extent::factor(Extent::parameter(Names.ofDeclaration(D)));
  const auto *V = dyn_cast<VarDecl>(D);
  const Expr *Init = V ? V->getAnyInitializer() : nullptr;
  const bool Fixed = V && Init && !Changed.count(D) &&
                     (V->isLocalVarDecl() || V->getType().isConstQualified());
  if (Fixed && Depth < MaxDepth && !calls(Init, Context))
    return of(Init, Depth + 1);
  return Extent::factor(Names.ofDeclaration(D));
}

Extent Extents::ofBinary(const BinaryOperator *Op, unsigned Depth) const {
  const Extent Left = of(Op->getLHS(), Depth), Right = of(Op->getRHS(), Depth);
  if (!Left.Known || !Right.Known)
    return Extent::unknown();
  if (Op->getOpcode() == BO_Mul)
    return Left.times(Right);
  if (Op->getOpcode() == BO_Shl && Right.isConstant() && Right.Constant >= 0 &&
      Right.Constant < 62)
    return Left.times(Extent::constant(int64_t(1) << Right.Constant));
  std::string A = Left.text(), B = Right.text();
  if (Op->getOpcode() == BO_Add && B < A)
    std::swap(A, B);
  return Extent::factor("(" + A + " " + Op->getOpcodeStr().str() + " " + B +
                        ")");
}

Extent Extents::of(const Expr *E, unsigned Depth) const {
  E = plain(E);
  if (!E || E->getType().isNull())
    return Extent::unknown();
  Expr::EvalResult Value;
  if (!E->isValueDependent() && !E->isTypeDependent() && !E->containsErrors() &&
      E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Value, Context) &&
      Value.Val.getInt().isRepresentableByInt64())
    return Extent::constant(Value.Val.getInt().getExtValue());
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return ofBinary(Op, Depth);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return ofVariable(Ref->getDecl(), Depth);
  // Of other objects the text names the object, too.
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && isa<CXXThisExpr>(plain(Member->getBase())))
    return Extent::factor(Names.ofDeclaration(Member->getMemberDecl()));
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(E);
      Size && Size->getKind() == UETT_SizeOf)
    return ofType(Size->getTypeOfArgument());
  if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
    if (calleeName(Call) == "size" && Call->getNumArgs() == 0) {
      const std::string Key =
          keyOf(bufferOf(Call->getImplicitObjectArgument()), Names);
      if (!Key.empty())
        return Extent::factor("size(" + Key + ")");
    }
  const std::string Text = printed(E);
  return Text.empty() ? Extent::unknown() : Extent::factor(Text);
}

} // namespace echo::survey
