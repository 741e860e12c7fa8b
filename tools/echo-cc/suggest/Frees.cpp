//===- Frees.cpp - Frees of a second buffer -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a free is that of the first buffer, with another name.
//
//===----------------------------------------------------------------------===//
#include "Frees.h"
#include "Variables.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace echo::suggest {

namespace {
/// Looks for labels after a place.
class Labels : public ConstDynamicRecursiveASTVisitor {
public:
  Labels(unsigned At, const SourceManager &SM) : At(At), SM(SM) {}

  bool VisitLabelStmt(const LabelStmt *Label) override {
    Any |= SM.getFileOffset(SM.getExpansionLoc(Label->getBeginLoc())) >= At;
    return !Any;
  }
  bool Any = false;

private:
  unsigned At;
  const SourceManager &SM;
};
} // namespace

std::optional<FreeText> freeText(const CudaCall &Free, const VarDecl *V,
                                 const std::string &Name,
                                 const SourceIndex &Source) {
  if (const auto Whole = Source.wholeOf(Free)) {
    const auto Text = withArguments(Free, {{ApiRole::Dev, Name}}, Source);
    return Text ? std::optional(FreeText{*Whole, *Text}) : std::nullopt;
  }
  const auto *If = dyn_cast<IfStmt>(Free.In->Node);
  if (!If || If->getElse() || If->getInit() || If->getConditionVariable() ||
      If->getThen() != Free.Call)
    return std::nullopt;
  const Expr *Cond = If->getCond()->IgnoreParenImpCasts();
  if (const auto *Compared = dyn_cast<BinaryOperator>(Cond)) {
    if (Compared->getOpcode() != BO_NE ||
        !Compared->getRHS()->isNullPointerConstant(
            Source.context(), Expr::NPC_ValueDependentIsNotNull))
      return std::nullopt;
    Cond = Compared->getLHS()->IgnoreParenImpCasts();
  }
  const Expr *Freed = Free.argument(ApiRole::Dev)->IgnoreParenCasts();
  const auto Asked = Source.rangeOf(Cond->getSourceRange());
  const auto Given = Source.rangeOf(Freed->getSourceRange());
  if (!Asked || !Given || variableOf(Cond) != V || variableOf(Freed) != V ||
      !Free.In->holds(*Asked) || !Free.In->holds(*Given))
    return std::nullopt;
  return FreeText{*Free.In,
                  Source.rewritten(*Free.In, {{Asked->Begin, {*Asked, Name}},
                                              {Given->Begin, {*Given, Name}}})};
}

bool hasEntriesAfter(const Statement &S, const SourceIndex &Source) {
  Labels Found(S.End, Source.context().getSourceManager());
  Found.TraverseStmt(S.Function->getBody());
  return Found.Any || llvm::any_of(Source.statementsOf(S.Block),
                                   [&](const Statement *Other) {
                                     return Other->Begin >= S.End &&
                                            isa<SwitchCase>(Other->Node);
                                   });
}

} // namespace echo::suggest
