//===- SplitBuffer.cpp - A staging buffer becomes two ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One host buffer is filled and uploaded several times, each time to another
// device buffer. What stands from one fill to the next gets a buffer of its
// own. A fill writes every element, without a look at the buffer; so nothing
// that the buffer held before counts after it, and where fills begin and end
// a part, no other part can tell. The address must be used for nothing but
// elements, copies and free().
//
//===----------------------------------------------------------------------===//
#include "ArrayUses.h"
#include "CudaText.h"
#include "Remedy.h"
#include "Variables.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMap.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace echo::suggest {

/// The call that \p E is, of the function \p Name of C; or null.
static const CallExpr *callOf(const Expr *E, llvm::StringRef Name) {
  const auto *Call = E ? dyn_cast<CallExpr>(E->IgnoreParenCasts()) : nullptr;
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->isExternC() && F->getIdentifier() && F->getName() == Name
             ? Call
             : nullptr;
}

namespace {
/// The uses of a pointer, and what no part of a function may do.
class PointerUses : public ConstDynamicRecursiveASTVisitor {
public:
  explicit PointerUses(const VarDecl &V) : V(V) {}

  bool VisitDeclRefExpr(const DeclRefExpr *Name) override {
    if (Name->getDecl() == &V)
      All.push_back(Name);
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    return !(
        Other |=
        isa<GotoStmt, IndirectGotoStmt, LabelStmt, AddrLabelExpr, SwitchStmt,
            CXXTryStmt, StmtExpr, AsmStmt, LambdaExpr, CoroutineBodyStmt>(S));
  }

  std::vector<const DeclRefExpr *> All;
  bool Other = false;

private:
  const VarDecl &V;
};

/// Looks for what may end an iteration early.
class LeavesLoop : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitStmt(const Stmt *S) override {
    return !(Any |= isa<BreakStmt, ContinueStmt, ReturnStmt>(S));
  }
  bool Any = false;
};

/// A host buffer whose parts may be told from each other.
class StagingBuffer {
public:
  /// The buffer of \p Pair; see isKnown().
  StagingBuffer(const PairReport &Pair, const SourceIndex &Source);

  /// True if nothing but the statements of one block uses it.
  bool isKnown() const { return Init && Known; }
  std::optional<Proposal> split(const PairReport &Pair) const;

private:
  bool isPlainUse(const DeclRefExpr *Name, const ParentMap &Parents) const;
  bool isInBlock(const CallExpr *Call) const;
  bool sameNumber(const Expr *A, const Expr *B) const;
  bool fillsBytes(const Expr *Bytes, const Expr *Count) const;
  bool isFill(const Statement &S) const;
  bool storesElement(const Stmt *S, const VarDecl *Index) const;
  bool keeps(const VarDecl *Number) const;
  unsigned usesIn(const Stmt *S) const;
  bool isFree(const Statement &S) const;

  const SourceIndex &Source;
  const Statement *In = nullptr; ///< declares it
  const VarDecl *V = nullptr;
  const CallExpr *Init = nullptr; ///< of malloc
  std::vector<const DeclRefExpr *> Uses;
  std::vector<const Statement *> Parts; ///< of the block, those that use it
  bool Known = false;
};
} // namespace

StagingBuffer::StagingBuffer(const PairReport &Pair, const SourceIndex &Source)
    : Source(Source), In(Source.statementAt(Pair.Host.Loc)) {
  const auto *Declaration = In ? dyn_cast<DeclStmt>(In->Node) : nullptr;
  if (!Declaration || !Pair.Host.Loc.Callers.empty() || !In->Function ||
      In->Function->isTemplateInstantiation())
    return;
  for (const Decl *D : Declaration->decls())
    if (const auto *Each = dyn_cast<VarDecl>(D);
        Each && Pair.Host.Name == Each->getNameAsString())
      V = Each;
  if (!V || !V->hasLocalStorage() || !V->getType()->isPointerType() ||
      V->getType()->getPointeeType()->isIncompleteType())
    return;
  Init = callOf(V->getInit(), "malloc");
  PointerUses All(*V);
  All.TraverseStmt(In->Function->getBody());
  Uses = std::move(All.All);
  const ParentMap Parents(const_cast<Stmt *>(In->Function->getBody()));
  for (const Statement *S : Source.statementsOf(In->Block))
    if (S->Begin > In->Begin && usesIn(S->Node) > 0)
      Parts.push_back(S);
  unsigned InParts = 0;
  for (const Statement *S : Parts)
    InParts += usesIn(S->Node);
  Known = Init && !All.Other && InParts == Uses.size() &&
          namesOnly(*V, *In, Uses, Source) &&
          llvm::all_of(Uses, [&](const DeclRefExpr *Name) {
            return isPlainUse(Name, Parents);
          });
}

/// True if \p Call is a statement of the buffer's block.
bool StagingBuffer::isInBlock(const CallExpr *Call) const {
  return llvm::any_of(Parts,
                      [&](const Statement *S) { return S->Node == Call; });
}

unsigned StagingBuffer::usesIn(const Stmt *S) const {
  PointerUses Found(*V);
  Found.TraverseStmt(S);
  return Found.All.size();
}

/// True for `h[i]` as a value or the left of an assignment, for a side of a
/// copy, and for memset(h) and free(h) as statements of the block: memset()
/// gives the address to what uses its result, and below an `if` free() may run
/// for one of the buffers only.
bool StagingBuffer::isPlainUse(const DeclRefExpr *Name,
                               const ParentMap &Parents) const {
  const Stmt *Value = Parents.getParentIgnoreParens(Name);
  if (!isa_and_nonnull<ImplicitCastExpr>(Value) ||
      cast<ImplicitCastExpr>(Value)->getCastKind() != CK_LValueToRValue)
    return false;
  const Stmt *User = Parents.getParentIgnoreParens(Value);
  const Stmt *Used = Value;
  while (isa_and_nonnull<CastExpr>(User)) {
    Used = User;
    User = Parents.getParentIgnoreParens(User);
  }
  if (const auto *Call = dyn_cast_or_null<CallExpr>(User))
    return (isInBlock(Call) && Call->getArg(0)->IgnoreParenCasts() == Name &&
            (callOf(Call, "free") || callOf(Call, "memset"))) ||
           llvm::any_of(Source.callsIn(In->Function, ApiKind::Copy),
                        [&](const CudaCall *C) {
                          return C->Call == Call && Source.isWhole(*C);
                        });
  const auto *Element = dyn_cast_or_null<ArraySubscriptExpr>(User);
  if (!Element || Used != Value || Element->getBase()->IgnoreParens() != Value)
    return false;
  const Stmt *Around = Parents.getParentIgnoreParens(Element);
  if (const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Around))
    return Cast->getCastKind() == CK_LValueToRValue;
  const auto *Assigned = dyn_cast_or_null<BinaryOperator>(Around);
  return Assigned && Assigned->isAssignmentOp() &&
         Assigned->getLHS()->IgnoreParens() == Element &&
         isa_and_nonnull<CompoundStmt, ForStmt>(
             Parents.getParentIgnoreParens(Assigned));
}

/// True if \p Number has one value as long as it lives.
bool StagingBuffer::keeps(const VarDecl *Number) const {
  return Number->hasLocalStorage() &&
         Number->getType()->isIntegralOrEnumerationType() &&
         !mayChange(In->Function->getBody(), Number) &&
         keepsToItself(In->Function, Number,
                       Source.context().getSourceManager());
}

/// True if \p A and \p B are one number, written in one form.
bool StagingBuffer::sameNumber(const Expr *A, const Expr *B) const {
  const ASTContext &Context = Source.context();
  A = A->IgnoreParenImpCasts();
  B = B->IgnoreParenImpCasts();
  Expr::EvalResult OfA, OfB;
  if (A->EvaluateAsInt(OfA, Context) && B->EvaluateAsInt(OfB, Context))
    return !OfA.Val.getInt().isNegative() && !OfB.Val.getInt().isNegative() &&
           OfA.Val.getInt().getExtValue() == OfB.Val.getInt().getExtValue();
  const VarDecl *VarA = variableOf(A);
  if (VarA && isa<DeclRefExpr>(A) && isa<DeclRefExpr>(B))
    return VarA == variableOf(B) && keeps(VarA);
  const auto *TimesA = dyn_cast<BinaryOperator>(A);
  const auto *TimesB = dyn_cast<BinaryOperator>(B);
  return TimesA && TimesB && TimesA->getOpcode() == BO_Mul &&
         TimesB->getOpcode() == BO_Mul &&
         Context.hasSameUnqualifiedType(A->getType(), B->getType()) &&
         sameNumber(TimesA->getLHS(), TimesB->getLHS()) &&
         sameNumber(TimesA->getRHS(), TimesB->getRHS());
}

/// True if \p Bytes are those of \p Count elements; null: those of malloc.
bool StagingBuffer::fillsBytes(const Expr *Bytes, const Expr *Count) const {
  const ASTContext &Context = Source.context();
  const uint64_t Size =
      Context.getTypeSizeInChars(V->getType()->getPointeeType()).getQuantity();
  Bytes = Bytes->IgnoreParenImpCasts();
  Expr::EvalResult All, Each;
  if (Bytes->EvaluateAsInt(All, Context) && Count->EvaluateAsInt(Each, Context))
    return !Each.Val.getInt().isNegative() &&
           All.Val.getInt().getZExtValue() ==
               Each.Val.getInt().getZExtValue() * Size;
  if (const VarDecl *Number = variableOf(Bytes))
    return isa<DeclRefExpr>(Bytes) && keeps(Number) && Number->getInit() &&
           fillsBytes(Number->getInit(), Count);
  const auto *Times = dyn_cast<BinaryOperator>(Bytes);
  if (!Times || Times->getOpcode() != BO_Mul)
    return false;
  const auto IsSize = [&](const Expr *E) {
    Expr::EvalResult Value;
    return E->EvaluateAsInt(Value, Context) &&
           Value.Val.getInt().getZExtValue() == Size;
  };
  return (IsSize(Times->getRHS()) && sameNumber(Times->getLHS(), Count)) ||
         (IsSize(Times->getLHS()) && sameNumber(Times->getRHS(), Count));
}

/// True for `h[Index] = ...;`.
bool StagingBuffer::storesElement(const Stmt *S, const VarDecl *Index) const {
  const auto *Set = dyn_cast<BinaryOperator>(S);
  const auto *Element =
      Set && Set->getOpcode() == BO_Assign
          ? dyn_cast<ArraySubscriptExpr>(Set->getLHS()->IgnoreParens())
          : nullptr;
  return Element && variableOf(Element->getBase()) == V &&
         variableOf(Element->getIdx()->IgnoreParenImpCasts()) == Index &&
         isa<DeclRefExpr>(Element->getIdx()->IgnoreParenImpCasts());
}

/// True if \p S writes all of the buffer, whatever it holds.
bool StagingBuffer::isFill(const Statement &S) const {
  if (usesIn(S.Node) != 1)
    return false;
  const auto *E = dyn_cast<Expr>(S.Node);
  if (const CallExpr *Set = callOf(E, "memset"))
    return sameNumber(Set->getArg(2), Init->getArg(0));
  const auto *For = dyn_cast<ForStmt>(S.Node);
  const auto *First =
      For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  const auto *Index = First && First->isSingleDecl()
                          ? dyn_cast<VarDecl>(First->getSingleDecl())
                          : nullptr;
  const auto *Until =
      For ? dyn_cast_or_null<BinaryOperator>(For->getCond()) : nullptr;
  const auto *Next =
      For ? dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
  Expr::EvalResult Start;
  if (!Index || !Until || !Next || For->getConditionVariable() ||
      !Index->getType()->isIntegerType() || !Index->getInit() ||
      !Index->getInit()->EvaluateAsInt(Start, Source.context()) ||
      !Start.Val.getInt().isZero() || Until->getOpcode() != BO_LT ||
      variableOf(Until->getLHS()->IgnoreParenImpCasts()) != Index ||
      !Next->isIncrementOp() || variableOf(Next->getSubExpr()) != Index ||
      mayChange(For->getBody(), Index) ||
      !fillsBytes(Init->getArg(0), Until->getRHS()))
    return false;
  LeavesLoop Found;
  Found.TraverseStmt(For->getBody());
  const auto *Body = dyn_cast<CompoundStmt>(For->getBody());
  return !Found.Any && (Body ? llvm::any_of(Body->body(),
                                            [&](const Stmt *Each) {
                                              return storesElement(Each, Index);
                                            })
                             : storesElement(For->getBody(), Index));
}

bool StagingBuffer::isFree(const Statement &S) const {
  return callOf(dyn_cast<Expr>(S.Node), "free");
}

/// The part of the block with the copies of \p Pair gets a buffer of its own.
std::optional<Proposal> StagingBuffer::split(const PairReport &Pair) const {
  const auto D = deviceBufferOf(Pair, Source);
  std::vector<const Statement *> Copies;
  for (const LinkCopy &Link : Pair.Links)
    if (const Statement *S = Source.statementAt(Link.Loc);
        S && S->Block == In->Block && Link.Loc.Callers.empty())
      Copies.push_back(S);
  if (!D || Copies.empty() || Copies.size() != Pair.Links.size())
    return std::nullopt;
  // From the last fill before the first copy to the first one after the last.
  const auto At = llvm::find(Parts, Copies.front());
  const auto Last = llvm::find(Parts, Copies.back());
  auto Begin = At;
  while (Begin != Parts.begin() && !isFill(**Begin))
    --Begin;
  const auto End = std::find_if(Last, Parts.end(),
                                [&](const Statement *S) { return isFill(*S); });
  const auto Body = Source.rangeOf(In->Function->getSourceRange());
  const std::string Name =
      V->getNameAsString() + "_" + D->Variable->getNameAsString();
  if (End == Parts.end() || !Body || !Source.isFree(Name, *Body) ||
      std::any_of(Parts.begin(), End,
                  [&](const Statement *S) { return isFree(*S); }))
    return std::nullopt;
  const auto Size = Source.rangeOf(V->getInit()->getSourceRange());
  const auto Decides = dependencies(Init->getArg(0));
  if (!Size || !Decides)
    return std::nullopt;
  Proposal P{"fill '" + Name + "' for '" + D->Variable->getNameAsString() +
                 "', and '" + V->getNameAsString() + "' from line " +
                 std::to_string(Source.line((*End)->Begin)),
             Outcome::Merges,
             {},
             Name + " in " + In->Function->getNameAsString()};
  const std::string Declared = declarationLike(*V, Name, Source);
  // Without a null pointer as value, it ends with the name.
  P.Edits.push_back({Source.after(*In), 0,
                     "\n" + Source.indent(In->Begin) +
                         Declared.substr(0, Declared.size() - 1) + " = " +
                         Source.text(*Size).str() + ";"});
  for (const DeclRefExpr *Use : Uses) {
    const auto R = Source.rangeOf(Use->getSourceRange());
    if (!R)
      return std::nullopt;
    if ((*Begin)->Begin <= R->Begin && R->End <= (*std::prev(End))->End)
      P.Edits.push_back({R->Begin, R->End - R->Begin, Name});
  }
  for (const Statement *S : Parts)
    if (isFree(*S))
      P.Edits.push_back(
          {Source.after(*S), 0,
           "\n" + Source.indent(S->Begin) + "free(" + Name + ");"});
  return P;
}

std::vector<Proposal> SplitBuffer::propose(const PairReport &Pair,
                                           const UnitReport &,
                                           const SourceIndex &Source) const {
  const StagingBuffer Buffer(Pair, Source);
  if (!Buffer.isKnown())
    return {};
  if (auto P = Buffer.split(Pair))
    return {std::move(*P)};
  return {};
}

} // namespace echo::suggest
