//===- UnknownNames.cpp - Declares names that headers would ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the text around a name: "X *p;" at the begin of a statement, "(X
// *)", "sizeof(X)", "new X[" and "<X>" are types. A name before "(" is left to
// Clang, which keeps calls of unknown functions, and one before "::" or "<", of
// which nothing can be declared.
//
//===----------------------------------------------------------------------===//
#include "facts/UnknownNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Scope.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace echo::survey {

static bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

/// The word that ends \p Text, or its last character, or "".
static StringRef lastToken(StringRef Text) {
  Text = Text.rtrim();
  size_t N = 0;
  while (N < Text.size() && isWord(Text[Text.size() - 1 - N]))
    ++N;
  return Text.take_back(N ? N : 1);
}

/// True if a statement or declaration begins after \p Token.
static bool startsStatement(StringRef Token) {
  static const StringRef Words[] = {"const", "static", "extern",  "volatile",
                                    "else",  "do",     "register"};
  return Token.empty() || StringRef(";{}):").contains(Token) ||
         llvm::is_contained(Words, Token);
}

/// The same, for "X *p" and "X &p": \p After begins behind the "*"s.
static NameGuess guessPointer(StringRef Previous, StringRef After,
                              bool InBody) {
  for (bool More = true; More;) {
    After = After.ltrim(" \t\r\n*&");
    More = After.consume_front("const ") ||
           After.consume_front("__restrict__ ") ||
           After.consume_front("restrict ");
  }
  if (After.empty() || StringRef("),>").contains(After[0]))
    return NameGuess::Type;
  if (!isWord(After[0]) || llvm::isDigit(After[0]))
    return NameGuess::Variable;
  const StringRef Rest = After.drop_while(isWord).ltrim();
  const bool Declares = !Rest.empty() && StringRef("=;,)[({").contains(Rest[0]);
  return Declares && (startsStatement(Previous) || !InBody)
             ? NameGuess::Type
             : NameGuess::Variable;
}

NameGuess guessName(StringRef Before, StringRef After, bool InBody) {
  const StringRef Previous = lastToken(Before);
  After = After.ltrim();
  if (After.empty() || After.starts_with("(") || After.starts_with("::"))
    return Previous == "new" ? NameGuess::Type : NameGuess::Nothing;
  if (Previous == "." || Before.rtrim().ends_with("->"))
    return NameGuess::Nothing;
  if (isWord(After[0]))
    return NameGuess::Type;
  if (Previous == "new")
    return NameGuess::Type;
  if (After[0] == '*' || (After[0] == '&' && !After.starts_with("&&")))
    return guessPointer(Previous, After, InBody);
  if (Previous == "<" && (After[0] == '>' || After[0] == ','))
    return NameGuess::Type;
  if (After[0] == '<')
    return InBody && !After.starts_with("<<") && !After.starts_with("<=") &&
                   startsStatement(Previous)
               ? NameGuess::Nothing
               : NameGuess::Variable;
  if (Previous == "(" && After[0] == ')') {
    const StringRef Outer = lastToken(Before.rtrim().drop_back());
    if (Outer == "sizeof")
      return NameGuess::Type;
    const StringRef Next = After.drop_front().ltrim();
    const bool Casts = !Next.empty() && (isWord(Next[0]) || Next[0] == '(');
    return Casts && !(Outer.size() && isWord(Outer[0])) ? NameGuess::Type
                                                        : NameGuess::Variable;
  }
  return InBody ? NameGuess::Variable : NameGuess::Nothing;
}

NamedDecl *UnknownNames::declare(LookupResult &R, Scope *In) {
  SourceManager &SM = S->getSourceManager();
  const SourceLocation At = SM.getSpellingLoc(R.getNameLoc());
  if (At.isInvalid() || SM.isInSystemHeader(At))
    return nullptr;
  auto [File, Offset] = SM.getDecomposedLoc(At);
  const StringRef Text = SM.getBufferData(File);
  auto *II = R.getLookupName().getAsIdentifierInfo();
  if (!Text.substr(Offset).starts_with(II->getName()))
    return nullptr;
  const NameGuess Guess = guessName(Text.take_front(Offset),
                                    Text.drop_front(Offset + II->getLength()),
                                    In && In->getFnParent());
  ASTContext &Context = S->getASTContext();
  DeclContext *Unit = Context.getTranslationUnitDecl();
  if (Guess == NameGuess::Nothing)
    return nullptr;
  if (Guess == NameGuess::Variable) {
    auto *Variable =
        VarDecl::Create(Context, Unit, R.getNameLoc(), R.getNameLoc(), II,
                        Context.IntTy, nullptr, SC_Extern);
    Variable->setInvalidDecl();
    return Variable;
  }
  if (!S->getLangOpts().CPlusPlus)
    return TypedefDecl::Create(Context, Unit, R.getNameLoc(), R.getNameLoc(),
                               II,
                               Context.getTrivialTypeSourceInfo(Context.IntTy));
  auto *Record = CXXRecordDecl::Create(Context, TagTypeKind::Struct, Unit,
                                       R.getNameLoc(), R.getNameLoc(), II);
  Record->startDefinition();
  Record->completeDefinition();
  return Record;
}

bool UnknownNames::LookupUnqualified(LookupResult &R, Scope *In) {
  if (!S || R.getLookupKind() != Sema::LookupOrdinaryName ||
      R.isForRedeclaration() || !R.empty() ||
      !R.getLookupName().getAsIdentifierInfo())
    return false;
  NamedDecl *&Known = Declared[R.getLookupName().getAsIdentifierInfo()];
  // One use may show no type, and a later one that it is.
  if (!Known || isa<VarDecl>(Known))
    if (NamedDecl *Found = declare(R, In))
      Known = Found;
  if (!Known)
    return false;
  R.addDecl(Known);
  R.resolveKind();
  return true;
}

} // namespace echo::survey
