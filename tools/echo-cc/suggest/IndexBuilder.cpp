//===- IndexBuilder.cpp - Finds statements and calls in the AST -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are those that the user wrote; the block of a macro is a part of the
// statement that uses the macro. Of a template the pattern is looked at.
//
//===----------------------------------------------------------------------===//
#include "SourceIndex.h"
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
