//===- ClearBefore.cpp - A member is cleared before its allocation --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure is a copy of another one, and a member of it gets device memory.
// Where that allocation fails, the member still points to the host buffer of
// the other structure. One line before the allocation clears it.
//
// Nothing reads the member between that line and the allocation, which has to
// run, and to write the member, whenever the line runs. So the line must never
// stand before a statement that may leave the allocation out.
//
//===----------------------------------------------------------------------===//
#include "Remedy.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace echo::suggest {

/// True if running \p S runs \p Call, before all else that has an effect.
static bool runsFirst(const Stmt *S, const CallExpr *Call) {
  if (!S || S == Call)
    return S == Call;
  if (const auto *If = dyn_cast<IfStmt>(S))
    return !If->getInit() && !If->getConditionVariable() &&
           runsFirst(If->getCond(), Call);
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return !Block->body_empty() && runsFirst(Block->body_front(), Call);
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return runsFirst(Do->getBody(), Call);
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    const auto *V = Declaration->isSingleDecl()
                        ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                        : nullptr;
    return V && runsFirst(V->getInit(), Call);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(S))
    return runsFirst(Cast->getSubExpr(), Call);
  if (const auto *Paren = dyn_cast<ParenExpr>(S))
    return runsFirst(Paren->getSubExpr(), Call);
  if (const auto *Full = dyn_cast<FullExpr>(S))
    return runsFirst(Full->getSubExpr(), Call);
  if (const auto *Operator = dyn_cast<BinaryOperator>(S))
    return runsFirst(Operator->getLHS(), Call) ||
           (!Operator->isLogicalOp() && runsFirst(Operator->getRHS(), Call));
  if (const auto *Check = dyn_cast<CallExpr>(S))
    return llvm::any_of(Check->arguments(), [&](const Expr *Argument) {
      return runsFirst(Argument, Call);
    });
  return false;
}

namespace {
/// A member of a local variable, or a member of such a member.
struct Part {
  const VarDecl *Of = nullptr;
  std::vector<const ValueDecl *> Path; ///< the innermost member first

  bool operator==(const Part &) const = default;
};
} // namespace

/// The part that \p E names; without a variable: it is none.
static Part partOf(const Expr *E) {
  Part P;
  E = E->IgnoreParenCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (Member->isArrow())
      return {};
    P.Path.push_back(Member->getMemberDecl());
    E = Member->getBase()->IgnoreParenCasts();
  }
  const auto *Name = dyn_cast<DeclRefExpr>(E);
  P.Of = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  if (P.Of && (!P.Of->hasLocalStorage() || P.Of->getType()->isReferenceType()))
    P.Of = nullptr;
  return P;
}

/// The local variable that \p V is a plain copy of, or null.
static const VarDecl *copiedFrom(const VarDecl &V) {
  const Expr *Init = V.getInit();
  const auto *Made =
      Init ? dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit()) : nullptr;
  if (!Made || !Made->getConstructor()->isCopyConstructor() ||
      !Made->getConstructor()->isTrivial() || Made->getNumArgs() != 1)
    return nullptr;
  const auto *From = dyn_cast<DeclRefExpr>(Made->getArg(0)->IgnoreParenCasts());
  return From ? dyn_cast<VarDecl>(From->getDecl()) : nullptr;
}

namespace {
/// Counts the uses of a part up to the end of a statement: of the part itself,
/// and of all that holds it. Labels: a jump may lead back.
class Uses : public ConstDynamicRecursiveASTVisitor {
public:
  Uses(Part P, unsigned End, const SourceManager &SM)
      : P(std::move(P)), End(End), SM(SM) {}

  bool TraverseMemberExpr(const MemberExpr *Member) override {
    const Part Other = partOf(Member);
    if (Other.Of != P.Of)
      return ConstDynamicRecursiveASTVisitor::TraverseMemberExpr(Member);
    const size_t Both = std::min(Other.Path.size(), P.Path.size());
    if (ArrayRef(Other.Path).take_back(Both) ==
        ArrayRef(P.Path).take_back(Both))
      note(Member);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Name) override {
    if (Name->getDecl() == P.Of)
      note(Name);
    return true;
  }
  bool VisitLabelStmt(const LabelStmt *) override { return Labels = true; }

  unsigned Found = 0;
  bool Labels = false;

private:
  void note(const Expr *E) {
    Found += SM.getFileOffset(SM.getExpansionLoc(E->getBeginLoc())) < End;
  }

  Part P;
  unsigned End;
  const SourceManager &SM;
};
} // namespace

/// True if \p V is declared by a statement of the block of \p S.
static bool isDeclaredBeside(const VarDecl *V, const Statement &S,
                             const SourceIndex &Source) {
  return llvm::any_of(
      Source.statementsOf(S.Block), [&](const Statement *Other) {
        const auto *Declaration = dyn_cast<DeclStmt>(Other->Node);
        return Declaration && Other->End <= S.Begin &&
               llvm::is_contained(Declaration->decls(), V);
      });
}

/// True if a linking copy fills \p Device from the same part of \p From.
static bool isFilledFrom(const PairReport &Pair, const Part &Device,
                         const VarDecl *From, const SourceIndex &Source) {
  return llvm::any_of(Pair.Links, [&](const LinkCopy &Link) {
    const CudaCall *Copy = Source.writtenAt(Link.Loc, ApiKind::Copy);
    const Expr *To = Copy ? Copy->argument(ApiRole::Dst) : nullptr;
    const Expr *Host = Copy ? Copy->argument(ApiRole::Src) : nullptr;
    return Link.HostToDevice && To && Host && partOf(To) == Device &&
           partOf(Host) == Part{From, Device.Path};
  });
}

std::vector<Proposal> ClearBefore::propose(const PairReport &Pair,
                                           const UnitReport &,
                                           const SourceIndex &Source) const {
  if (Pair.Because.size() != 1)
    return {};
  const CudaCall *Alloc =
      Source.writtenAt(Pair.Because[0].Loc, ApiKind::AllocDevice);
  const Expr *Out = Alloc ? Alloc->argument(ApiRole::OutDev) : nullptr;
  const auto *Address =
      Out ? dyn_cast<UnaryOperator>(Out->IgnoreParenCasts()) : nullptr;
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return {};
  const Statement &S = *Alloc->In;
  const Expr *Member = Address->getSubExpr();
  const Part Device = partOf(Member);
  const auto At = Source.rangeOf(Member->getSourceRange());
  const VarDecl *From = Device.Of ? copiedFrom(*Device.Of) : nullptr;
  if (!At || !From || Device.Path.empty() ||
      !Member->getType()->isPointerType() || !S.holds(*At) ||
      !runsFirst(S.Node, Alloc->Call) ||
      !isDeclaredBeside(Device.Of, S, Source) ||
      !isFilledFrom(Pair, Device, From, Source))
    return {};
  Uses Seen(Device, S.End, Source.context().getSourceManager());
  Seen.TraverseStmt(S.Function->getBody());
  if (Seen.Found != 1 || Seen.Labels)
    return {};
  const std::string Name = Source.text(*At).str();
  return {{"clear '" + Name + "' before line " +
               std::to_string(Source.line(S.Begin)) +
               ", where device memory is allocated for it",
           Outcome::Merges,
           {{S.Begin, 0, Name + " = nullptr;\n" + Source.indent(S.Begin)}}}};
}

} // namespace echo::suggest
