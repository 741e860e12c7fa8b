//===- SourceTokens.h - Tokens of a source text -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an expression ends that clang named the begin of, by tokens alone:
// nothing is looked up, so `<` is an operator here, also where it opens a list
// of template arguments.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SOURCETOKENS_H
#define ECHO_CC_SOURCETOKENS_H

#include "clang/Lex/Lexer.h"
#include <optional>

namespace echo {

/// Tokens of a text from a place on.
class Tokens {
public:
  Tokens(llvm::StringRef Text, size_t At)
      : At(At), L(clang::SourceLocation(), language(), Text.begin() + At,
                  Text.begin() + At, Text.end()),
        Begin(Text.begin() + At) {}
  /// False at the end of the text.
  bool next() {
    L.LexFromRawLexer(Tok);
    return Tok.isNot(clang::tok::eof);
  }
  size_t end() const { return At + (L.getBufferLocation() - Begin); }
  size_t begin() const { return end() - Tok.getLength(); }

  clang::Token Tok;

private:
  static const clang::LangOptions &language() {
    static const clang::LangOptions Lang = [] {
      clang::LangOptions O;
      O.CPlusPlus = true;
      return O;
    }();
    return Lang;
  }

  size_t At;
  clang::Lexer L;
  const char *Begin;
};

/// The end of an operand that begins at \p At: of a sum's, or, if \p Whole, of
/// an assignment's, which is also that of an argument. Nothing: there is none.
std::optional<size_t> operandEnd(llvm::StringRef Text, size_t At, bool Whole);

} // namespace echo

#endif
