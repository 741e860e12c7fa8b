//===- SourceIndex.cpp - Statements and calls as they are written ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are those that the user wrote; the block of a macro is a part of the
// statement that uses the macro. Of a template the pattern is looked at.
//
//===----------------------------------------------------------------------===//
#include "SourceIndex.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

bool Statement::isLoop() const {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(Node);
}

bool Statement::sharesBlockWith(const Statement &Other) const {
  for (const Statement *S = &Other; S; S = S->Around)
    if (S->Block == Block)
      return true;
  return false;
}

const Expr *CudaCall::argument(ApiRole R) const {
  const std::optional<unsigned> Number = Api.find(R);
  return Number && *Number < Call->getNumArgs() ? Call->getArg(*Number)
                                                : nullptr;
}

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

/// True if \p S does nothing but \p Call and what looks at its result.
static bool isAll(const Statement &S, const CallExpr &Call,
                  const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  if (S.Node->getBeginLoc().isMacroID()) {
    const SourceLocation Macro = SM.getExpansionLoc(S.Node->getBeginLoc());
    return Macro == SM.getExpansionLoc(Call.getBeginLoc()) &&
           Macro == SM.getExpansionLoc(S.Node->getEndLoc());
  }
  const auto *E = dyn_cast<Expr>(S.Node);
  if (!E)
    return false;
  E = E->IgnoreParenCasts();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    E = Full->getSubExpr()->IgnoreParenCasts();
  if (E == &Call)
    return true;
  const auto *Check = dyn_cast<CallExpr>(E);
  if (!Check || isa<CXXOperatorCallExpr>(Check))
    return false;
  return llvm::all_of(Check->arguments(), [&](const Expr *A) {
    return A->IgnoreParenCasts() == &Call || !A->HasSideEffects(Context);
  });
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

bool SourceIndex::isWhole(const CudaCall &Call) const {
  return isAll(*Call.In, *Call.Call, Context);
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

std::optional<unsigned> SourceIndex::offset(const SourcePlace &Place) const {
  const auto Plain = [](StringRef Name) {
    Name.consume_front("./");
    return Name;
  };
  if (!Place.Line || Plain(Place.File) != Plain(File))
    return std::nullopt;
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Loc = SM.translateLineCol(SM.getMainFileID(), Place.Line,
                                                 Place.Column + !Place.Column);
  if (Loc.isInvalid())
    return std::nullopt;
  return SM.getFileOffset(Loc);
}

const Statement *SourceIndex::statementAt(const SourcePlace &Place) const {
  const std::optional<unsigned> At = offset(Place);
  const Statement *Found = nullptr;
  for (const Statement &S : Statements)
    if (At && S.Begin <= *At && *At < S.End)
      Found = &S;
  return Found;
}

const CudaCall *SourceIndex::callAt(const SourceLoc &Place,
                                    ApiKind Kind) const {
  const std::optional<unsigned> At = offset(Place);
  if (!At || !Place.Callers.empty())
    return nullptr;
  const SourceManager &SM = Context.getSourceManager();
  const CudaCall *Found = nullptr;
  for (const CudaCall &C : Calls) {
    // A macro's argument is where the user wrote it.
    const SourceLocation Loc = SM.getFileLoc(C.Call->getBeginLoc());
    if (C.Api.Kind != Kind || !SM.isWrittenInMainFile(Loc) ||
        SM.getFileOffset(Loc) != *At)
      continue;
    if (Found || !isAll(*C.In, *C.Call, Context))
      return nullptr;
    Found = &C;
  }
  return Found;
}

std::vector<const CudaCall *> SourceIndex::callsIn(const FunctionDecl *F,
                                                   ApiKind Kind) const {
  std::vector<const CudaCall *> Found;
  for (const CudaCall &C : Calls)
    if (C.In->Function == F && C.Api.Kind == Kind)
      Found.push_back(&C);
  return Found;
}

std::vector<const Statement *>
SourceIndex::statementsOf(const CompoundStmt *Block) const {
  std::vector<const Statement *> Found;
  for (const Statement &S : Statements)
    if (S.Block == Block)
      Found.push_back(&S);
  return Found;
}

bool SourceIndex::waitsAfter(const Statement &S) const {
  const Statement *Next = nullptr;
  for (const Statement *Other : statementsOf(S.Block))
    if (Other->Begin >= S.End && (!Next || Other->Begin < Next->Begin))
      Next = Other;
  return llvm::any_of(Calls, [&](const CudaCall &C) {
    return C.In == Next && C.Api.Kind == ApiKind::SyncDevice && isWhole(C);
  });
}

std::optional<Range> SourceIndex::rangeOf(const Stmt *E) const {
  const SourceManager &SM = Context.getSourceManager();
  const CharSourceRange R = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), SM,
      Context.getLangOpts());
  if (R.isInvalid() || !SM.isWrittenInMainFile(R.getBegin()))
    return std::nullopt;
  return Range{SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd())};
}

std::string SourceIndex::indent(unsigned At) const {
  const StringRef Line = Text.substr(Text.take_front(At).rfind('\n') + 1);
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
}

unsigned SourceIndex::line(unsigned At) const {
  return 1 + Text.take_front(At).count('\n');
}

Edit SourceIndex::removal(const Range &S) const {
  const StringRef Before = Text.take_front(S.Begin).rtrim(" \t");
  const StringRef After = Text.substr(S.End).ltrim(" \t");
  if (!Before.ends_with("\n") || !After.starts_with("\n"))
    return {S.Begin, S.End - S.Begin, ""};
  const unsigned Begin = Before.size(), End = Text.size() - After.size() + 1;
  return {Begin, End - Begin, ""};
}

bool SourceIndex::isFree(StringRef Name, Range In) const {
  const StringRef Text = text(In);
  const auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos;
       At = Text.find(Name, At + 1)) {
    const size_t End = At + Name.size();
    if ((At == 0 || !IsWord(Text[At - 1])) &&
        (End == Text.size() || !IsWord(Text[End])))
      return false;
  }
  return true;
}

std::string SourceIndex::rewritten(
    const Range &S,
    std::map<unsigned, std::pair<Range, std::string>> Parts) const {
  std::string Result;
  unsigned At = S.Begin;
  for (const auto &[Begin, Part] : Parts) {
    Result += text({At, Begin});
    Result += Part.second;
    At = Part.first.End;
  }
  return Result + text({At, S.End}).str();
}

} // namespace echo::suggest
