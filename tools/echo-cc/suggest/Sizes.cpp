//===- Sizes.cpp - Sizes of a pair's buffers as they are written ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A size is a product of a number and of variables, which are whole numbers.
// Where one has all variables of the other and more, the numbers decide: 8 is
// no multiple of 16.
//
//===----------------------------------------------------------------------===//
#include "Sizes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace echo::suggest {

namespace {
struct Product {
  uint64_t Number = 1;
  std::vector<const ValueDecl *> Factors; ///< sorted

  /// Multiplies with \p E; false: that is no product of such factors.
  bool add(const Expr *E, const ASTContext &Context) {
    E = E->IgnoreParenCasts();
    Expr::EvalResult Value;
    if (!E->isValueDependent() && E->EvaluateAsInt(Value, Context)) {
      if (!Value.Val.getInt().isStrictlyPositive())
        return false;
      Number *= Value.Val.getInt().getExtValue();
      return true;
    }
    if (const auto *Times = dyn_cast<BinaryOperator>(E))
      return Times->getOpcode() == BO_Mul && add(Times->getLHS(), Context) &&
             add(Times->getRHS(), Context);
    const auto *Name = dyn_cast<DeclRefExpr>(E);
    if (!Name || !E->getType()->isIntegralOrEnumerationType())
      return false;
    Factors.insert(llvm::upper_bound(Factors, Name->getDecl()),
                   Name->getDecl());
    return true;
  }
};

/// Finds the size that a call of malloc at a place asks for.
class Malloc : public ConstDynamicRecursiveASTVisitor {
public:
  Malloc(unsigned At, const SourceManager &SM) : At(At), SM(SM) {}

  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && F->getIdentifier() && F->getName() == "malloc" &&
        Call->getNumArgs() == 1 && Call->getBeginLoc().isFileID() &&
        SM.getFileOffset(Call->getBeginLoc()) == At)
      Size = Call->getArg(0);
    return true;
  }

  const Expr *Size = nullptr;

private:
  unsigned At;
  const SourceManager &SM;
};
} // namespace

static const Expr *hostSize(const PairReport &Pair, const SourceIndex &Source) {
  if (const CudaCall *Call =
          Source.writtenAt(Pair.Host.Loc, ApiKind::AllocHost))
    return Call->argument(ApiRole::Bytes);
  const Statement *S = Source.statementAt(Pair.Host.Loc);
  const auto At = Source.offset(Pair.Host.Loc);
  if (!S || !At)
    return nullptr;
  Malloc Found(*At, Source.context().getSourceManager());
  Found.TraverseStmt(S->Node);
  return Found.Size;
}

bool differInSight(const PairReport &Pair, const SourceIndex &Source) {
  const CudaCall *Device =
      Source.writtenAt(Pair.Device.Loc, ApiKind::AllocDevice);
  const Expr *OfDevice = Device ? Device->argument(ApiRole::Bytes) : nullptr;
  const Expr *OfHost = hostSize(Pair, Source);
  Product A, B;
  if (!OfDevice || !OfHost || !A.add(OfDevice, Source.context()) ||
      !B.add(OfHost, Source.context()))
    return false;
  if (A.Factors.size() < B.Factors.size())
    std::swap(A, B);
  return llvm::includes(A.Factors, B.Factors) &&
         (A.Factors.size() == B.Factors.size() ? A.Number != B.Number
                                               : B.Number % A.Number != 0);
}

} // namespace echo::suggest
