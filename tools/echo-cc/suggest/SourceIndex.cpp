//===- SourceIndex.cpp - Statements and calls as they are written ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers from what IndexBuilder.cpp found.
//
//===----------------------------------------------------------------------===//
#include "SourceIndex.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace echo::suggest {

bool Statement::isLoop() const {
  if (const auto *Do = dyn_cast<DoStmt>(Node)) {
    const Expr *Again = Do->getCond()->IgnoreParenCasts();
    if (const auto *Number = dyn_cast<IntegerLiteral>(Again))
      return Number->getValue() != 0;
    const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(Again);
    return !Bool || Bool->getValue();
  }
  return isa<ForStmt, WhileStmt, CXXForRangeStmt>(Node);
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

const CudaCall *SourceIndex::writtenAt(const SourcePlace &Place,
                                       ApiKind Kind) const {
  const std::optional<unsigned> At = offset(Place);
  if (!At)
    return nullptr;
  const SourceManager &SM = Context.getSourceManager();
  const CudaCall *Found = nullptr;
  for (const CudaCall &C : Calls) {
    // A macro's argument is where the user wrote it.
    const SourceLocation Loc = SM.getFileLoc(C.Call->getBeginLoc());
    if (C.Api.Kind != Kind || !SM.isWrittenInMainFile(Loc) ||
        SM.getFileOffset(Loc) != *At)
      continue;
    if (Found)
      return nullptr;
    Found = &C;
  }
  return Found;
}

const CudaCall *SourceIndex::callAt(const SourceLoc &Place,
                                    ApiKind Kind) const {
  const CudaCall *Found =
      Place.Callers.empty() ? writtenAt(Place, Kind) : nullptr;
  return Found && isWhole(*Found) ? Found : nullptr;
}

std::vector<const CudaCall *> SourceIndex::calls() const {
  std::vector<const CudaCall *> All;
  for (const CudaCall &C : Calls)
    All.push_back(&C);
  return All;
}

std::vector<const CudaCall *>
SourceIndex::callsIn(const FunctionDecl *F) const {
  std::vector<const CudaCall *> Found;
  for (const CudaCall &C : Calls)
    if (C.In->Function == F)
      Found.push_back(&C);
  return Found;
}

std::vector<const CudaCall *> SourceIndex::callsIn(const FunctionDecl *F,
                                                   ApiKind Kind) const {
  std::vector<const CudaCall *> Found = callsIn(F);
  llvm::erase_if(Found, [&](const CudaCall *C) { return C->Api.Kind != Kind; });
  return Found;
}

std::vector<const Statement *> SourceIndex::statements() const {
  std::vector<const Statement *> All;
  for (const Statement &S : Statements)
    All.push_back(&S);
  return All;
}

std::vector<const Statement *>
SourceIndex::statementsOf(const CompoundStmt *Block) const {
  std::vector<const Statement *> Found;
  for (const Statement &S : Statements)
    if (S.Block == Block)
      Found.push_back(&S);
  return Found;
}

bool SourceIndex::waitsAfter(const CudaCall &Call) const {
  const auto Whole = wholeOf(Call);
  unsigned End = Whole ? Whole->End : Call.In->End;
  for (const Statement *Next : statementsOf(Call.In->Block)) {
    if (Next->Begin < End)
      continue;
    const auto Other = llvm::find_if(
        Calls, [&](const CudaCall &C) { return C.In == Next && isWhole(C); });
    if (Other == Calls.end() || Other->Api.Kind != ApiKind::Copy ||
        Other->Api.isAsync())
      return Other != Calls.end() && Other->Api.Kind == ApiKind::SyncDevice;
    End = wholeOf(*Other)->End;
  }
  return false;
}

std::optional<Range> SourceIndex::rangeOf(SourceRange Tokens) const {
  const SourceManager &SM = Context.getSourceManager();
  const CharSourceRange R = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Tokens), SM, Context.getLangOpts());
  if (R.isInvalid() || !SM.isWrittenInMainFile(R.getBegin()))
    return std::nullopt;
  return Range{SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd())};
}

std::string SourceIndex::indent(unsigned At) const {
  const StringRef Line = Text.substr(Text.take_front(At).rfind('\n') + 1);
  return Line.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
}

/// True if a line of \p Text ends at \p At.
static bool isLineEnd(StringRef Text, size_t At) {
  return Text.substr(At).starts_with("\n") ||
         Text.substr(At).starts_with("\r\n");
}

unsigned SourceIndex::after(const Range &S) const {
  const SourceManager &SM = Context.getSourceManager();
  Lexer Tokens(SM.getLocForStartOfFile(SM.getMainFileID()),
               Context.getLangOpts(), Text.begin(), Text.data() + S.End,
               Text.end());
  Tokens.SetCommentRetentionState(true);
  for (unsigned End = S.End;;) {
    const size_t Next = Text.find_first_not_of(" \t", End);
    if (Next == StringRef::npos)
      return End;
    if (isLineEnd(Text, Next))
      return Next;
    Token T;
    Tokens.LexFromRawLexer(T);
    if (T.isNot(tok::comment) || SM.getFileOffset(T.getLocation()) != Next)
      return S.End;
    End = Next + T.getLength();
  }
}

bool SourceIndex::endsLine(unsigned At) const {
  const size_t Next = Text.find_first_not_of(" \t", At);
  return Next == StringRef::npos || isLineEnd(Text, Next);
}

void SourceIndex::useLineEnds(Edit &E) const {
  size_t End = Text.find('\n', E.Offset);
  if (End == StringRef::npos)
    End = Text.rfind('\n');
  if (End == StringRef::npos || End == 0 || Text[End - 1] != '\r')
    return;
  std::string New;
  for (const char C : E.Text) {
    if (C == '\n' && !StringRef(New).ends_with("\r"))
      New += '\r';
    New += C;
  }
  E.Text = std::move(New);
}

unsigned SourceIndex::line(unsigned At) const {
  return 1 + Text.take_front(At).count('\n');
}

Edit SourceIndex::removal(const Range &S) const {
  const StringRef Before = Text.take_front(S.Begin).rtrim(" \t");
  const StringRef After = Text.substr(S.End).ltrim(" \t");
  const size_t Rest = Text.size() - After.size();
  if (!Before.ends_with("\n") || !isLineEnd(Text, Rest))
    return {S.Begin, S.End - S.Begin, ""};
  const unsigned Begin = Before.size(), End = Text.find('\n', Rest) + 1;
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

std::string SourceIndex::rewritten(const Range &S,
                                   const NewParts &Parts) const {
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
