//===- DeclareEarlier.cpp - A host buffer before its device buffer --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declaration of a host buffer writes it: a vector with values, a calloc.
// It moves up in its own block, past statements that change nothing that it
// names. Nothing can use the buffer before it is declared, so that the program
// only gets its memory earlier.
//
//===----------------------------------------------------------------------===//
#include "Remedy.h"
#include "Variables.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace echo::suggest {

/// The variable that \p S declares alone, or null.
static const VarDecl *declaredBy(const Statement &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(S.Node);
  return Declaration && Declaration->isSingleDecl()
             ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
             : nullptr;
}

/// True for a vector of the standard library whose elements have no
/// constructors: nothing of the program runs when it is made.
static bool isPlainVector(QualType Type) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Type->getAsCXXRecordDecl());
  return Class && Class->isInStdNamespace() && Class->getName() == "vector" &&
         Class->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
         Class->getTemplateArgs()[0].getAsType()->isScalarType();
}

namespace {
/// Finds what must not lie between two places of a declaration.
class Obstacles : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitReturnStmt(const ReturnStmt *) override { return !(Leaves = true); }
  bool VisitGotoStmt(const GotoStmt *) override { return !(Jumps = true); }
  bool VisitLabelStmt(const LabelStmt *) override { return !(Jumps = true); }

  bool Leaves = false, Jumps = false;
};
} // namespace

/// The arguments that decide about the buffer that \p V is declared with;
/// nothing: its making may do more than get and clear memory.
static std::optional<Variables> argumentsOf(const VarDecl &V) {
  const Expr *Init = V.getInit();
  if (!Init)
    return std::nullopt;
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    Init = Full->getSubExpr();
  SmallVector<const Expr *, 4> Arguments;
  if (const auto *Made = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit())) {
    if (!isPlainVector(V.getType()))
      return std::nullopt;
    Arguments.append(Made->arg_begin(), Made->arg_end());
  } else if (const auto *Call = dyn_cast<CallExpr>(Init->IgnoreParenCasts())) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->isExternC() || !F->getIdentifier() ||
        F->getName() != "calloc")
      return std::nullopt;
    Arguments.append(Call->arg_begin(), Call->arg_end());
  }
  if (Arguments.empty())
    return std::nullopt;
  Variables All;
  for (const Expr *Argument : Arguments) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    const auto Some = dependencies(Argument);
    if (!Some || Argument->getType()->isPointerType())
      return std::nullopt;
    All.insert_range(*Some);
  }
  return All;
}

/// True if the declaration \p From, which needs \p Needed, can stand right
/// before \p To.
static bool canMove(const SourceIndex &Source, const Statement &From,
                    const Statement &To, const Variables &Needed,
                    bool IsVector) {
  const SourceManager &SM = Source.context().getSourceManager();
  for (const VarDecl *V : Needed)
    if (SM.getFileOffset(V->getLocation()) >= To.Begin ||
        !keepsToItself(From.Function, V, SM))
      return false;
  for (const Statement *S : Source.statementsOf(From.Block)) {
    if (S->Begin < To.Begin || S->Begin >= From.Begin)
      continue;
    Obstacles Found;
    Found.TraverseStmt(S->Node);
    // A vector is freed wherever the function is left.
    if (Found.Jumps || (Found.Leaves && !IsVector) || isa<SwitchCase>(S->Node))
      return false;
    if (llvm::any_of(Needed,
                     [&](const VarDecl *V) { return mayChange(S->Node, V); }))
      return false;
  }
  return true;
}

std::vector<Proposal> DeclareEarlier::propose(const PairReport &Pair,
                                              const UnitReport &,
                                              const SourceIndex &Source) const {
  if (Pair.Because.empty())
    return {};
  const Statement *From = Source.statementAt(Pair.Host.Loc.own());
  const Statement *To = Source.statementAt(Pair.Device.Loc.own());
  if (!From || !To || From->Block != To->Block || From->Begin <= To->Begin ||
      Source.statementAt(Pair.Because[0].Loc.own()) != From)
    return {};
  const VarDecl *V = declaredBy(*From);
  const auto Needed = V ? argumentsOf(*V) : std::nullopt;
  // Before its declaration the name may be another variable's.
  if (!Needed || !Source.isFree(V->getName(), {To->Begin, From->Begin}) ||
      !canMove(Source, *From, *To, *Needed, !V->getType()->isPointerType()))
    return {};
  // Its trailing comment moves with the declaration.
  const Range Whole{From->Begin, Source.after(*From)};
  const std::string Text =
      Source.text(Whole).rtrim(" \t").str() + "\n" + Source.indent(To->Begin);
  return {{"declare '" + V->getNameAsString() + "' before line " +
               std::to_string(Source.line(To->Begin)) +
               ", where the device buffer is allocated",
           Outcome::Merges,
           {{To->Begin, 0, Text}, Source.removal(Whole)}}};
}

} // namespace echo::suggest
