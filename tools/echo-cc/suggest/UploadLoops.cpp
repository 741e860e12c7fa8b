//===- UploadLoops.cpp - Loops that repeat a copy -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An argument of an upload is the same before a loop if all variables that
// decide about it are there, and keep their values in the loop.
//
//===----------------------------------------------------------------------===//
#include "UploadLoops.h"
#include "HostWrites.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace echo::suggest {

/// The variable that \p S compares with a constant, if \p Copy runs only where
/// the two are equal; or null.
static const VarDecl *comparedBy(const Statement &S, const Statement &Copy,
                                 const SourceIndex &Source) {
  const auto *If = dyn_cast<IfStmt>(S.Node);
  const auto *Equal =
      If ? dyn_cast<BinaryOperator>(If->getCond()->IgnoreParenImpCasts())
         : nullptr;
  if (!Equal || Equal->getOpcode() != BO_EQ)
    return nullptr;
  const auto Then = Source.rangeOf(If->getThen()->getSourceRange());
  const Expr *A = Equal->getLHS(), *B = Equal->getRHS();
  if (!variableOf(A))
    std::swap(A, B);
  return Then && Then->holds(Copy) && !B->isValueDependent() &&
                 B->isEvaluatable(Source.context())
             ? variableOf(A)
             : nullptr;
}

bool isRepeated(const CudaCall &Copy, const DeviceBuffer &D,
                const SourceIndex &Source) {
  Variables Compared;
  for (const Statement *S = Copy.In->Around; S && !S->holds(*D.Alloc->In);
       S = S->Around) {
    if (S->isLoop() && llvm::none_of(Compared, [&](const VarDecl *V) {
          return mayChange(S->Node, V);
        }))
      return true;
    if (const VarDecl *V = comparedBy(*S, *Copy.In, Source))
      Compared.insert(V);
  }
  return false;
}

namespace {
/// Looks for uses of a variable outside of one call.
class OtherUses : public ConstDynamicRecursiveASTVisitor {
public:
  OtherUses(const VarDecl *V, const CallExpr *Call) : V(V), Call(Call) {}

  bool TraverseCallExpr(const CallExpr *Other) override {
    return Other == Call ||
           ConstDynamicRecursiveASTVisitor::TraverseCallExpr(Other);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Name) override {
    return !(Any |= Name->getDecl() == V);
  }
  bool Any = false;

private:
  const VarDecl *V;
  const CallExpr *Call;
};
} // namespace

static bool names(const Stmt *S, const VarDecl *V,
                  const CallExpr *But = nullptr) {
  OtherUses Found(V, But);
  Found.TraverseStmt(S);
  return Found.Any;
}

namespace {
/// Looks for another name of a buffer: a pointer, an object or a lambda that
/// gets the variable.
class Aliases : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Aliases(const VarDecl *V) : V(V) {}

  bool VisitVarDecl(const VarDecl *Other) override {
    return note(!Other->getType()->isArithmeticType() && Other->getInit() &&
                names(Other->getInit(), V));
  }
  bool VisitBinaryOperator(const BinaryOperator *Set) override {
    return note(Set->isAssignmentOp() &&
                !Set->getLHS()->getType()->isArithmeticType() &&
                names(Set->getRHS(), V));
  }
  bool VisitStmt(const Stmt *S) override {
    return note(isa<LambdaExpr, InitListExpr, CXXConstructExpr>(S) &&
                names(S, V));
  }
  bool Any = false;

private:
  bool note(bool Found) { return !(Any |= Found); }
  const VarDecl *V;
};
} // namespace

/// True if nothing in \p Loop but \p Upload names the host buffer, which has no
/// other name. A merge alone proves nothing of a buffer that the loop fills
/// first: what was uploaded before has no value, so that it may be anything.
static bool isOnlyUse(const CudaCall &Upload, const Statement &Loop) {
  const Expr *From = Upload.argument(ApiRole::Src);
  if (const auto *Member =
          From ? dyn_cast<CXXMemberCallExpr>(From->IgnoreParenCasts())
               : nullptr)
    From = Member->getImplicitObjectArgument();
  const VarDecl *V = variableOf(From);
  if (!V || names(Loop.Node, V, Upload.Call))
    return false;
  Aliases Others(V);
  Others.TraverseStmt(Loop.Function->getBody());
  return !Others.Any;
}

/// The variables of \p F that point to device memory and nothing else.
static Variables deviceVariables(const FunctionDecl *F,
                                 const SourceIndex &Source) {
  Variables Found;
  for (const CudaCall *Call : Source.callsIn(F, ApiKind::AllocDevice)) {
    const VarDecl *V = addressedBy(Call->argument(ApiRole::OutDev));
    if (V && isSetOnlyBy(F, V, Call->Call, Source.context().getSourceManager()))
      Found.insert(V);
  }
  return Found;
}

/// True if \p Upload does the same right before \p Loop as in it: its arguments
/// are there, and have the same values.
static bool sameBefore(const CudaCall &Upload, const OuterLoop &Loop,
                       const SourceIndex &Source) {
  const SourceManager &SM = Source.context().getSourceManager();
  const Statement &L = *Loop.At;
  for (const Expr *Argument : Upload.Call->arguments()) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    auto Needed = dependencies(Argument);
    const bool Member = !Needed && Loop.Reads;
    if (Member)
      Needed = readsOnly(Argument);
    if (!Needed)
      return false;
    for (const VarDecl *V : *Needed) {
      if (SM.getFileOffset(V->getLocation()) >= L.Begin ||
          !SM.isWrittenInMainFile(V->getLocation()))
        return false;
      // A loop that writes no memory changes variables of simple types alone.
      if (!(Member && V->getType()->isRecordType()) &&
          (mayChange(L.Node, V) || !keepsToItself(L.Function, V, SM)))
        return false;
    }
  }
  return true;
}

std::vector<OuterLoop> loopsAround(const CudaCall &Upload,
                                   const DeviceBuffer &D,
                                   const SourceIndex &Source) {
  std::vector<OuterLoop> Loops;
  const Variables Device = deviceVariables(Upload.In->Function, Source);
  for (const Statement *S = Upload.In->Around; S && !S->holds(*D.Alloc->In);
       S = S->Around) {
    const OuterLoop Loop{S,
                         !Source.hasStreams() &&
                             !mayWriteHost(S->Node, Device, Source.context())};
    if (S->isLoop() &&
        (Loop.Reads || (D.Callers.empty() && isOnlyUse(Upload, *S))) &&
        sameBefore(Upload, Loop, Source))
      Loops.insert(Loops.begin(), Loop);
  }
  return Loops;
}

} // namespace echo::suggest
