//===- NvccLanguage.cpp - Shared variables with a constructor -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang checks a variable's initializer right after it has made it. What it
// must not see is taken away before: a variable of known type is a local one
// until its function is complete; one of a template's type gets no initializer
// at instantiation, as a range-based for's variable. Both are shared variables
// when code is generated. What depends on the difference (a capture by copy)
// is an error.
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccLanguage.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/MangleNumberingContext.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;

namespace echo {
namespace {

/// Left on a variable between its declaration and code generation.
constexpr llvm::StringLiteral Mark = "echo.shared";

/// Set once a variable has been marked: other compilations pay nothing.
bool SomeMarked = false;

const AnnotateAttr *findMark(const VarDecl &V) {
  for (const auto *A : V.specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == Mark)
      return A;
  return nullptr;
}

/// True if clang would not take variables of \p V's type without initializer.
bool hasConstructor(Sema &S, const VarDecl &V) {
  QualType Type = S.Context.getBaseElementType(V.getType());
  if (!S.isCompleteType(V.getLocation(), Type))
    return false;
  CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class)
    return false;
  CXXConstructorDecl *Constructor = S.LookupDefaultConstructor(Class);
  return Constructor &&
         (!S.CUDA().isEmptyConstructor(V.getLocation(), Constructor) ||
          !S.CUDA().isEmptyDestructor(V.getLocation(),
                                      S.LookupDestructor(Class)));
}

struct SharedAttrInfo : ParsedAttrInfo {
  SharedAttrInfo() {
    static constexpr Spelling Names[] = {
        {ParsedAttr::AS_GNU, "echo_shared"},
    };
    Spellings = Names;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &) const override {
    auto *V = dyn_cast<VarDecl>(D);
    if (!V || !V->hasAttr<CUDASharedAttr>() || !V->hasLocalStorage())
      return AttributeApplied;
    bool Dependent = V->getType()->isDependentType();
    if (!Dependent && !hasConstructor(S, *V))
      return AttributeApplied;
    if (Dependent)
      V->setCXXForRangeDecl(true);
    else
      V->dropAttr<CUDASharedAttr>();
    V->addAttr(AnnotateAttr::CreateImplicit(S.Context, Mark, nullptr, 0));
    SomeMarked = true;
    return AttributeApplied;
  }
};

/// Turns the marked variables of what it visits into shared ones.
class Finish : public DynamicRecursiveASTVisitor {
public:
  Finish(ASTContext &Context, DiagnosticsEngine &Diags)
      : Context(Context), Diags(Diags) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitLambdaBody = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitVarDecl(VarDecl *V) override;
  bool VisitLambdaExpr(LambdaExpr *E) override;

private:
  ASTContext &Context;
  DiagnosticsEngine &Diags;
};

/// An initializer that clang made for `T X;`, or none.
bool isImplicit(const VarDecl &V) {
  if (!V.hasInit())
    return true;
  const Expr *Init = V.getInit()->IgnoreImplicit();
  const auto *Construct = dyn_cast<CXXConstructExpr>(Init);
  return Construct && V.getInitStyle() == VarDecl::CallInit &&
         !Construct->isListInitialization() &&
         Construct->getConstructor()->isDefaultConstructor() &&
         Construct->getParenOrBraceRange().isInvalid();
}

bool Finish::VisitVarDecl(VarDecl *V) {
  if (!findMark(*V) || V->isInvalidDecl() ||
      V->getDeclContext()->isDependentContext())
    return true;
  if (!isImplicit(*V)) {
    Diags.Report(V->getLocation(), diag::err_shared_var_init)
        << V->getInit()->getSourceRange();
    return true;
  }
  V->dropAttr<AnnotateAttr>();
  V->setInit(nullptr);
  V->setCXXForRangeDecl(false);
  if (V->hasAttr<CUDASharedAttr>())
    return true;
  V->setStorageClass(SC_Static);
  V->addAttr(CUDASharedAttr::CreateImplicit(Context));
  // Variables of one name in one function that several units may hold.
  Context.setManglingNumber(
      V, Context.getManglingNumberContext(V->getDeclContext())
             .getManglingNumber(V, 0));
  return true;
}

bool Finish::VisitLambdaExpr(LambdaExpr *E) {
  for (const LambdaCapture &Capture : E->captures()) {
    if (!Capture.capturesVariable() || Capture.getCaptureKind() != LCK_ByCopy)
      continue;
    const auto *V = dyn_cast<VarDecl>(Capture.getCapturedVar());
    if (V && V->hasAttr<CUDASharedAttr>())
      Diags.Report(
          Capture.getLocation(),
          Diags.getCustomDiagID(
              DiagnosticsEngine::Error,
              "'%0' is a __shared__ variable with a constructor, which "
              "echo-cc cannot use in a lambda that copies its "
              "captures; capture it by reference"))
          << V->getName();
  }
  return true;
}

class Consumer : public ASTConsumer {
public:
  explicit Consumer(CompilerInstance &Clang) : Clang(Clang) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      finish(D);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *F) override { finish(F); }

private:
  void finish(Decl *D) {
    if (SomeMarked)
      Finish(Clang.getASTContext(), Clang.getDiagnostics()).TraverseDecl(D);
  }

  CompilerInstance &Clang;
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Clang,
                                                 StringRef) override {
    return std::make_unique<Consumer>(Clang);
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

} // namespace

void addNvccLanguage() {
  static ParsedAttrInfoRegistry::Add<SharedAttrInfo> Attribute("echo_shared",
                                                               "");
  static FrontendPluginRegistry::Add<Action> Finisher(
      "echo-nvcc-language", "nvcc's language in clang");
}

} // namespace echo
