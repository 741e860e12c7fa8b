//===- IndexBuilder.cpp - Finds statements and calls in the AST -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are those that the user wrote; the block of a macro is a part of the
// statement that uses the macro. Of a function template an instantiation is
// looked at, where Clang knows what is called and changed, if all
// instantiations are alike; else the pattern.
//
//===----------------------------------------------------------------------===//
#include "SourceIndex.h"
#include "Variables.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

/// The name of the function that \p Call calls, which a template may not know
/// yet; "": none.
static StringRef nameOf(const CallExpr &Call) {
  if (const FunctionDecl *F = Call.getDirectCallee())
    return F->getIdentifier() ? F->getName() : "";
  if (const auto *Lookup =
          dyn_cast<OverloadExpr>(Call.getCallee()->IgnoreParens()))
    if (const IdentifierInfo *Id = Lookup->getName().getAsIdentifierInfo())
      return Id->getName();
  return "";
}

namespace {
/// The calls of a function, each with the name of what it calls.
class NamedCalls : public ConstDynamicRecursiveASTVisitor {
public:
  bool VisitCallExpr(const CallExpr *Call) override {
    Found.push_back({Call->getBeginLoc(), nameOf(*Call)});
    return true;
  }
  std::vector<std::pair<SourceLocation, StringRef>> Found;
};
} // namespace

/// True if \p A and \p B, made of one template, call functions of the same
/// names and change variables at the same places.
static bool areAlike(const FunctionDecl *A, const FunctionDecl *B) {
  NamedCalls OfA, OfB;
  OfA.TraverseStmt(A->getBody());
  OfB.TraverseStmt(B->getBody());
  return OfA.Found == OfB.Found && changesIn(A) == changesIn(B);
}

/// What is looked at of \p Template.
static const FunctionDecl *bodyOf(const FunctionTemplateDecl &Template) {
  const FunctionDecl *Pattern = Template.getTemplatedDecl(), *Chosen = nullptr;
  for (const FunctionDecl *Made : Template.specializations()) {
    const FunctionDecl *Defined = nullptr;
    if (Made->getTemplateSpecializationKind() == TSK_ExplicitSpecialization ||
        !Made->hasBody(Defined))
      continue;
    if (Chosen && !areAlike(Chosen, Defined))
      return Pattern;
    Chosen = Chosen ? Chosen : Defined;
  }
  return Chosen && Template.isThisDeclarationADefinition() ? Chosen : Pattern;
}

/// Fills an index.
class IndexBuilder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit IndexBuilder(SourceIndex &Index)
      : Index(Index), SM(Index.Context.getSourceManager()) {}

  bool TraverseDecl(const Decl *D) override;
  bool TraverseCompoundStmt(const CompoundStmt *Block) override;
  bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
  bool VisitCallExpr(const CallExpr *Call) override;
  bool VisitExpr(const Expr *E) override;

private:
  Range rangeOf(const Stmt *S) const;

  SourceIndex &Index;
  const SourceManager &SM;
  const FunctionDecl *Function = nullptr;
  const Statement *Around = nullptr;
};

bool IndexBuilder::TraverseDecl(const Decl *D) {
  if (!D)
    return true;
  if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
    return true;
  const auto *F = dyn_cast<FunctionDecl>(D);
  if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
    D = F = bodyOf(*Template);
  if (!F)
    return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
  llvm::SaveAndRestore KeepFunction(Function, F);
  llvm::SaveAndRestore KeepAround(Around,
                                  static_cast<const Statement *>(nullptr));
  return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
}

Range IndexBuilder::rangeOf(const Stmt *S) const {
  const SourceLocation Begin = SM.getExpansionLoc(S->getBeginLoc());
  const SourceLocation End =
      Lexer::getLocForEndOfToken(SM.getExpansionRange(S->getEndLoc()).getEnd(),
                                 0, SM, Index.Context.getLangOpts());
  if (!SM.isWrittenInMainFile(Begin) || End.isInvalid() ||
      !SM.isWrittenInMainFile(End))
    return {};
  Range R{SM.getFileOffset(Begin), SM.getFileOffset(End)};
  const StringRef Rest = Index.Text.substr(R.End);
  const size_t Next = Rest.find_first_not_of(" \t");
  if (Next != StringRef::npos && Rest[Next] == ';' && !isa<DeclStmt>(S))
    R.End += Next + 1;
  return R;
}

bool IndexBuilder::TraverseCompoundStmt(const CompoundStmt *Block) {
  if (!SM.isWrittenInMainFile(Block->getLBracLoc()))
    return ConstDynamicRecursiveASTVisitor::TraverseCompoundStmt(Block);
  for (const Stmt *Child : Block->body()) {
    Statement S;
    static_cast<Range &>(S) = rangeOf(Child);
    S.Node = Child;
    S.Block = Block;
    S.Around = Around;
    S.Function = Function;
    const Statement *Here = Around;
    if (S.End > S.Begin)
      Here = &Index.Statements.emplace_back(S);
    llvm::SaveAndRestore Keep(Around, Here);
    if (!TraverseStmt(Child))
      return false;
  }
  return true;
}

bool IndexBuilder::VisitCallExpr(const CallExpr *Call) {
  std::optional<ApiInfo> Api = lookupCudaApi(nameOf(*Call));
  // Each device has a default stream of its own.
  Index.Streams |= Api && Api->Name == "cudaSetDevice";
  if (Api && Around && Call->getBeginLoc().isValid())
    Index.Calls.push_back({Call, std::move(*Api), Around});
  return true;
}

/// Notes any stream that is not the default one by its value.
bool IndexBuilder::VisitExpr(const Expr *E) {
  const QualType Type = E->getType();
  const auto *Record =
      Type.isNull() ? nullptr : Type->getPointeeCXXRecordDecl();
  if (Record && Record->getName() == "CUstream_st" &&
      !isa<CXXDefaultArgExpr>(E) &&
      !E->isNullPointerConstant(Index.Context,
                                Expr::NPC_ValueDependentIsNotNull))
    Index.Streams = true;
  return true;
}

SourceIndex::SourceIndex(ASTContext &Context) : Context(Context) {
  const SourceManager &SM = Context.getSourceManager();
  const FileID Main = SM.getMainFileID();
  if (const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Main))
    File = Entry->getName().str();
  Text = SM.getBufferData(Main);
  Streams = Context.getLangOpts().GPUDefaultStream ==
            LangOptions::GPUDefaultStreamKind::PerThread;
  IndexBuilder(*this).TraverseDecl(Context.getTranslationUnitDecl());
}

} // namespace echo::suggest
