//===- Variables.cpp - What an expression depends on ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A use of a variable is harmless where Clang reads its value, or where a
// function of a standard container is called that leaves the container's
// memory where it is. In the pattern of a template Clang does not know yet what
// a use is: all but constants change there.
//
//===----------------------------------------------------------------------===//
#include "Variables.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

/// The name of the standard container whose function \p Method is; "": it is
/// none of those that keep their elements in a row.
static StringRef containerOf(const FunctionDecl *F) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
  const CXXRecordDecl *Class = Method ? Method->getParent() : nullptr;
  if (!Class || !Class->isInStdNamespace() || !Class->getIdentifier())
    return "";
  const StringRef Name = Class->getName();
  return llvm::is_contained({"vector", "array", "basic_string"}, Name) ? Name
                                                                       : "";
}

/// Functions of containers after which they have the same memory.
static bool keepsMemory(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method || !Method->getIdentifier() || containerOf(Method).empty())
    return false;
  return llvm::is_contained({"data", "size", "begin", "end", "cbegin", "cend",
                             "at", "front", "back", "empty"},
                            Method->getName());
}

bool asksForMemory(const CXXMemberCallExpr *Call) {
  return keepsMemory(Call) &&
         llvm::is_contained({"data", "size", "empty"},
                            Call->getMethodDecl()->getName());
}

/// \p E without what only names a part of an object.
static const DeclRefExpr *baseOf(const Expr *E) {
  E = E->IgnoreParens();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return nullptr;
    E = Member->getBase()->IgnoreParenImpCasts();
  }
  return dyn_cast<DeclRefExpr>(E);
}

const VarDecl *variableOf(const Expr *E) {
  if (!E)
    return nullptr;
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType()
             ? V
             : nullptr;
}

const VarDecl *addressedBy(const Expr *E, const DeclRefExpr **Name) {
  if (!E)
    return nullptr;
  const auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return nullptr;
  const Expr *Of = Address->getSubExpr()->IgnoreParens();
  if (Name)
    *Name = dyn_cast<DeclRefExpr>(Of);
  return isa<DeclRefExpr>(Of) ? variableOf(Of) : nullptr;
}

namespace {
/// Collects what an expression names; Known: nothing else decides.
class Dependencies : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (const VarDecl *Local = variableOf(Ref))
      Found.insert(Local);
    else if (V ? !V->getType().isConstQualified()
               : !isa<EnumConstantDecl, CXXMethodDecl, NonTypeTemplateParmDecl>(
                     Ref->getDecl()))
      Known = false;
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    Known &= Member && asksForMemory(Member);
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    Known &= !Member->isArrow();
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Operator) override {
    Known &= !Operator->isIncrementDecrementOp() &&
             Operator->getOpcode() != UO_Deref;
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Operator) override {
    Known &= !Operator->isAssignmentOp();
    return true;
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *) override {
    return Known = false;
  }
  bool VisitLambdaExpr(const LambdaExpr *) override { return Known = false; }
  bool VisitCXXNewExpr(const CXXNewExpr *) override { return Known = false; }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true; // a size is a constant
  }

  Variables Found;
  bool Known = true;
};

/// Looks for uses of a variable that may change it; of all local ones if \p V
/// is null.
class Changes : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Changes(const VarDecl *V) : V(V) {}

  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      reads(Cast->getSubExpr());
    return true;
  }
  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    if (keepsMemory(Call))
      Harmless.insert(
          baseOf(Call->getImplicitObjectArgument()->IgnoreParenImpCasts()));
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    if (Call->getOperator() == OO_Subscript &&
        !containerOf(Call->getDirectCallee()).empty())
      Harmless.insert(baseOf(Call->getArg(0)->IgnoreParenImpCasts()));
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Operator) override {
    if (const VarDecl *Of = addressedBy(Operator); Of && Of == V)
      ++Addresses;
    return true;
  }
  bool VisitVarDecl(const VarDecl *Other) override {
    if (Other->getType()->isReferenceType() && !Other->isImplicit() &&
        Other->getInit())
      refersTo(Other->getInit());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    for (const LambdaCapture &Capture : Lambda->captures())
      Addresses += V && Capture.capturesVariable() &&
                   Capture.getCaptureKind() == LCK_ByRef &&
                   Capture.getCapturedVar() == V;
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const bool Asked = V ? Ref->getDecl() == V : variableOf(Ref) != nullptr;
    if (Asked && !Harmless.contains(Ref))
      Others.push_back(Ref);
    return true;
  }

  llvm::SmallVector<const DeclRefExpr *> Others; ///< uses that may change it
  unsigned Addresses = 0; ///< of them: its address, or a reference to it

protected:
  /// A reference is bound to \p E.
  void refersTo(const Expr *E) {
    const auto *Name = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    Addresses += V && Name && Name->getDecl() == V;
  }

  /// Clang reads the value of \p E, which may choose between two.
  void reads(const Expr *E) {
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E->IgnoreParens())) {
      reads(Choice->getTrueExpr());
      reads(Choice->getFalseExpr());
    } else {
      Harmless.insert(baseOf(E));
    }
  }

  const VarDecl *V;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> Harmless;
};

/// Counts the calls of functions of system headers that get the address.
class SystemCalls : public ConstDynamicRecursiveASTVisitor {
public:
  SystemCalls(const VarDecl *V, const SourceManager &SM) : V(V), SM(SM) {}

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !SM.isInSystemHeader(F->getLocation()))
      return true;
    for (const Expr *Argument : Call->arguments())
      Found += addressedBy(Argument) == V;
    return true;
  }

  unsigned Found = 0;

private:
  const VarDecl *V;
  const SourceManager &SM;
};
} // namespace

std::optional<Variables> dependencies(const Expr *E) {
  Dependencies Collected;
  Collected.TraverseStmt(E);
  if (!Collected.Known)
    return std::nullopt;
  return Collected.Found;
}

/// Uses of \p V in \p S that may change it.
static unsigned changesIn(const Stmt *S, const VarDecl *V) {
  if (V->getType().isConstQualified())
    return 0;
  Changes Seen(V);
  Seen.TraverseStmt(S);
  return Seen.Others.size();
}

std::vector<SourceLocation> changesIn(const FunctionDecl *F) {
  Changes Seen(nullptr);
  Seen.TraverseStmt(F->getBody());
  std::vector<SourceLocation> Places;
  for (const DeclRefExpr *Use : Seen.Others)
    Places.push_back(Use->getLocation());
  return Places;
}

bool mayChange(const Stmt *S, const VarDecl *V) { return changesIn(S, V) > 0; }

bool isSetOnlyBy(const FunctionDecl *F, const VarDecl *V, const Stmt *By,
                 const SourceManager &SM) {
  return changesIn(F->getBody(), V) == changesIn(By, V) &&
         keepsToItself(F, V, SM);
}

bool keepsToItself(const FunctionDecl *F, const VarDecl *V,
                   const SourceManager &SM) {
  if (V->getType().isConstQualified())
    return true;
  Changes Seen(V);
  SystemCalls Known(V, SM);
  Seen.TraverseStmt(F->getBody());
  Known.TraverseStmt(F->getBody());
  return Seen.Addresses == Known.Found;
}

} // namespace echo::suggest
