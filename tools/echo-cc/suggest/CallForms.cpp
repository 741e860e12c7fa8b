//===- CallForms.cpp - Statements that do nothing but a CUDA call ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the syntax tree which text is one call of CUDA with the test of
// its result, so that a remedy may write it again with other arguments. The
// test must do nothing after a success, and must not say where control goes in
// a loop: it may stand in another one later.
//
//===----------------------------------------------------------------------===//
#include "ErrorChecks.h"
#include "SourceIndex.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace echo::suggest {

/// True if \p S does nothing but \p Call and what looks at its result, in a
/// macro or in the arguments of a function.
static bool isAll(const Statement &S, const CallExpr &Call,
                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (S.Node->getBeginLoc().isMacroID()) {
    const SourceLocation Macro = SM.getExpansionLoc(S.Node->getBeginLoc());
    return Macro == SM.getExpansionLoc(Call.getBeginLoc()) &&
           Macro == SM.getExpansionLoc(S.Node->getEndLoc());
  }
  const auto *E = dyn_cast<Expr>(S.Node);
  if (!E)
    return false;
  E = E->IgnoreParenCasts();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParenCasts();
  if (E == &Call)
    return true;
  const auto *Check = dyn_cast<CallExpr>(E);
  if (!Check || isa<CXXOperatorCallExpr>(Check))
    return false;
  return llvm::all_of(Check->arguments(), [&](const Expr *A) {
    return A->IgnoreParenCasts() == &Call || !A->HasSideEffects(Context);
  });
}

namespace {
/// Looks for what must not stand twice, or in another loop.
class Bound : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitStmt(const Stmt *S) override {
    return !(Any |= isa<BreakStmt, ContinueStmt, LabelStmt, SwitchStmt,
                        LambdaExpr, DeclStmt>(S));
  }
  bool Any = false;
};
} // namespace

/// The result that \p S looks at, if it is an `if` that does something only
/// where that is a failure; or null.
static const Expr *testedBy(const Stmt *S) {
  const auto *If = dyn_cast_or_null<IfStmt>(S);
  if (!If || If->getInit() || If->getConditionVariable() || If->getElse() ||
      If->isConstexpr() || If->getBeginLoc().isMacroID() ||
      If->getEndLoc().isMacroID())
    return nullptr;
  Bound Found;
  Found.TraverseStmt(If->getThen());
  return Found.Any ? nullptr : testedResult(If->getCond());
}

/// The variable that \p S gives the result of \p Call, and where its name is;
/// or null.
static const VarDecl *resultOf(const Stmt *S, const CallExpr &Call,
                               SourceLocation &Name) {
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    const auto *V = Declaration->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                        : nullptr;
    if (!V || !V->getInit() || V->getInit()->IgnoreParenCasts() != &Call ||
        V->getType().isConstQualified() || V->isStaticLocal())
      return nullptr;
    Name = V->getLocation();
    return V;
  }
  const auto *Set = dyn_cast<BinaryOperator>(S);
  if (!Set || Set->getOpcode() != BO_Assign ||
      Set->getRHS()->IgnoreParenCasts() != &Call)
    return nullptr;
  const auto *To = dyn_cast<DeclRefExpr>(Set->getLHS()->IgnoreParens());
  Name = Set->getBeginLoc();
  return To ? dyn_cast<VarDecl>(To->getDecl()) : nullptr;
}

std::optional<WholeCall> SourceIndex::wholeOf(const CudaCall &Call) const {
  const Statement &S = *Call.In;
  if (isAll(S, *Call.Call, Context))
    return WholeCall{S, S.Begin};
  if (const Expr *Tested = testedBy(S.Node)) {
    if (const auto *Set = dyn_cast<BinaryOperator>(Tested))
      Tested = Set->getRHS()->IgnoreParenCasts();
    if (Tested == Call.Call)
      return WholeCall{S, S.Begin};
  }
  // The result is kept, and tested by the next statement.
  SourceLocation Name;
  const VarDecl *Result = resultOf(S.Node, *Call.Call, Name);
  if (!Result || !Name.isFileID())
    return std::nullopt;
  for (const Statement *Next : statementsOf(S.Block)) {
    if (Next->Begin < S.End)
      continue;
    const auto *Tested = dyn_cast_or_null<DeclRefExpr>(testedBy(Next->Node));
    if (!Tested || Tested->getDecl() != Result)
      break;
    return WholeCall{{S.Begin, Next->End},
                     Context.getSourceManager().getFileOffset(Name)};
  }
  return std::nullopt;
}

bool SourceIndex::isWhole(const CudaCall &Call) const {
  return wholeOf(Call).has_value();
}

} // namespace echo::suggest
