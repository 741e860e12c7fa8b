//===- HostWrites.cpp - Code that writes no memory of the host ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the program are looked into. Those of system headers write where
// a pointer or a reference of their arguments leads, no more: into device
// memory, variables, streams and times. So does a kernel.
//
//===----------------------------------------------------------------------===//
#include "HostWrites.h"
#include "Analysis/Api/CudaApi.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

/// Functions in functions that are looked into.
static constexpr unsigned MaxDepth = 3;

/// The expression that \p F returns, if it does nothing else; or null.
static const Expr *returnedBy(const FunctionDecl *F) {
  const FunctionDecl *Defined = nullptr;
  if (!F || !F->hasBody(Defined))
    return nullptr;
  const auto *Body = dyn_cast<CompoundStmt>(Defined->getBody());
  const auto *Return = Body && Body->size() == 1
                           ? dyn_cast<ReturnStmt>(Body->body_front())
                           : nullptr;
  return Return ? Return->getRetValue() : nullptr;
}

namespace {
/// Collects what an expression names; Pure: it only reads.
class Reads : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Reads(unsigned Depth = 0) : Depth(Depth) {}

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const VarDecl *V = variableOf(Ref))
      Found.insert(V);
    else if (const auto *Other = dyn_cast<VarDecl>(Ref->getDecl()))
      Pure &= !Other->getType()->isReferenceType();
    return Pure;
  }
  // A pointer may lead to a local variable that changes.
  bool VisitMemberExpr(const MemberExpr *Member) override {
    return Pure &= !Member->isArrow() ||
                   isa<CXXThisExpr>(Member->getBase()->IgnoreParenCasts());
  }
  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *) override {
    return Pure = false;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
    if (Member && asksForMemory(Member))
      return true;
    const Expr *Returned = Method && !Method->isVirtual() &&
                                   Method->param_empty() && Depth < MaxDepth
                               ? returnedBy(Method)
                               : nullptr;
    Reads Inner(Depth + 1);
    if (Returned)
      Inner.TraverseStmt(Returned);
    return Pure &= Returned && Inner.Pure;
  }
  bool VisitUnaryOperator(const UnaryOperator *Operator) override {
    return Pure &= !Operator->isIncrementDecrementOp() &&
                   Operator->getOpcode() != UO_Deref;
  }
  bool VisitBinaryOperator(const BinaryOperator *Operator) override {
    return Pure &= !Operator->isAssignmentOp();
  }
  bool VisitStmt(const Stmt *S) override {
    return Pure &= !isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr,
                        StmtExpr, CXXConstructExpr, AtomicExpr>(S);
  }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true; // a size is a constant
  }

  Variables Found;
  bool Pure = true;

private:
  unsigned Depth;
};
} // namespace

/// True for types whose objects hold no memory of the program: numbers, sizes
/// of a grid, times, output streams.
static bool isSimple(QualType Type) {
  Type = Type.getNonReferenceType();
  if (Type->isArithmeticType() || Type->isEnumeralType())
    return true;
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->getIdentifier())
    return false;
  const auto *In = dyn_cast<NamespaceDecl>(
      Class->getDeclContext()->getEnclosingNamespaceContext());
  const bool Time =
      In && (In->getName() == "chrono" ||
             (isa_and_nonnull<NamespaceDecl>(In->getParent()) &&
              cast<NamespaceDecl>(In->getParent())->getName() == "chrono"));
  return Time || Class->getName() == "dim3" ||
         Class->getName() == "basic_ostream";
}

namespace {
/// Looks for what may write memory of the host.
class Writes : public ConstDynamicRecursiveASTVisitor {
public:
  Writes(const Variables &Device, const ASTContext &Context, unsigned Depth = 0)
      : Device(Device), Context(Context), Depth(Depth) {}

  bool VisitCallExpr(const CallExpr *Call) override {
    return !(Any |= !isHarmless(*Call));
  }
  bool VisitBinaryOperator(const BinaryOperator *Operator) override {
    return !(Any |= Operator->isAssignmentOp() && !isOwn(Operator->getLHS()));
  }
  bool VisitUnaryOperator(const UnaryOperator *Operator) override {
    return !(Any |= Operator->isIncrementDecrementOp() &&
                    !isOwn(Operator->getSubExpr()));
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Made) override {
    return !(Any |= !Made->getConstructor()->isTrivial() &&
                    !isSimple(Made->getType()));
  }
  bool VisitVarDecl(const VarDecl *V) override {
    return !(Any |= V->isStaticLocal() ||
                    (V->needsDestruction(Context) && !isSimple(V->getType())));
  }
  bool VisitStmt(const Stmt *S) override {
    return !(Any |= isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr,
                        CXXTryStmt, StmtExpr, AtomicExpr, AsmStmt, LabelStmt,
                        GotoStmt, IndirectGotoStmt, CXXForRangeStmt,
                        CXXBindTemporaryExpr, OMPExecutableDirective>(S));
  }

  bool Any = false;

private:
  bool isOwn(const Expr *E) const {
    const VarDecl *V = variableOf(E);
    return V && isa<DeclRefExpr>(E->IgnoreParens()) &&
           V->getType()->isScalarType();
  }
  bool isHarmless(const CallExpr &Call) const;
  bool isHarmlessCuda(const CallExpr &Call, const ApiInfo &Api) const;
  bool mayBeGiven(const Expr *Argument) const;

  const Variables &Device;
  const ASTContext &Context;
  unsigned Depth;
};
} // namespace

/// True for calls that wait or copy to the device, and the like.
bool Writes::isHarmlessCuda(const CallExpr &Call, const ApiInfo &Api) const {
  switch (Api.Kind) {
  case ApiKind::SyncDevice:
  case ApiKind::SyncStream:
  case ApiKind::SyncEvent:
  case ApiKind::QueryStream:
  case ApiKind::EventRecord:
  case ApiKind::StreamWaitEvent:
    return true;
  case ApiKind::Neutral:
    return llvm::all_of(Call.arguments(),
                        [&](const Expr *A) { return mayBeGiven(A); });
  case ApiKind::Copy: {
    const std::optional<unsigned> Number = Api.find(ApiRole::CopyKind);
    const auto *Kind =
        Number && *Number < Call.getNumArgs()
            ? dyn_cast<DeclRefExpr>(Call.getArg(*Number)->IgnoreParenCasts())
            : nullptr;
    if (!Kind || !isa<EnumConstantDecl>(Kind->getDecl()))
      return false;
    const StringRef Name = Kind->getDecl()->getName();
    return Name == "cudaMemcpyHostToDevice" ||
           Name == "cudaMemcpyDeviceToDevice";
  }
  default:
    return false;
  }
}

/// True if a library function that gets \p Argument writes by it no memory that
/// a copy may read.
bool Writes::mayBeGiven(const Expr *Argument) const {
  const Expr *E = Argument->IgnoreParenCasts();
  const QualType Type = E->getType(), Taken = Argument->getType();
  // By reference: only a variable of the function, or a stream.
  if (Argument->isLValue() && Type->isScalarType() && !Taken.isConstQualified())
    return variableOf(Argument) && Type->isArithmeticType();
  if (isa<CXXDefaultArgExpr>(E) || isa<StringLiteral>(E) ||
      (isSimple(Type) && !Taken->isPointerType()) ||
      E->isNullPointerConstant(const_cast<ASTContext &>(Context),
                               Expr::NPC_ValueDependentIsNotNull))
    return true;
  if (const VarDecl *V = addressedBy(E))
    return V->getType()->isArithmeticType();
  if (!Taken->isPointerType())
    return false;
  // A file is no buffer, nor is what a handle leads to, whose members no header
  // declares.
  const CXXRecordDecl *Class = Type->getPointeeCXXRecordDecl();
  return Taken->getPointeeType().isConstQualified() ||
         (Class &&
          (!Class->hasDefinition() || Class->getName() == "_IO_FILE")) ||
         Device.contains(variableOf(E));
}

bool Writes::isHarmless(const CallExpr &Call) const {
  const auto IsGiven = [&](const Expr *A) { return mayBeGiven(A); };
  if (isa<CUDAKernelCallExpr>(Call))
    return llvm::all_of(Call.arguments(), IsGiven);
  const FunctionDecl *F = Call.getDirectCallee(), *Defined = nullptr;
  if (!F)
    return false;
  if (F->getIdentifier() && F->getName() == "__cudaPushCallConfiguration")
    return true;
  if (F->getIdentifier())
    if (const std::optional<ApiInfo> Api = lookupCudaApi(F->getName()))
      return isHarmlessCuda(Call, *Api);
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (Member && asksForMemory(Member))
    return true;
  if (Context.getSourceManager().isInSystemHeader(F->getLocation()))
    return (!Member || isSimple(Member->getObjectType())) &&
           llvm::all_of(Call.arguments(), IsGiven);
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (Depth == MaxDepth || !F->hasBody(Defined) ||
      (Method && Method->isVirtual()) || (Member && !returnedBy(F)))
    return false;
  const Variables None;
  Writes Inner(None, Context, Depth + 1);
  Inner.TraverseStmt(Defined->getBody());
  return !Inner.Any;
}

bool mayWriteHost(const Stmt *S, const Variables &Device,
                  const ASTContext &Context) {
  Writes Found(Device, Context);
  Found.TraverseStmt(S);
  return Found.Any;
}

std::optional<Variables> readsOnly(const Expr *E) {
  Reads Found;
  Found.TraverseStmt(E);
  if (!Found.Pure)
    return std::nullopt;
  return Found.Found;
}

} // namespace echo::suggest
