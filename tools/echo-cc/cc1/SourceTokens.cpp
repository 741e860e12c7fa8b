//===- SourceTokens.cpp - Tokens of a source text -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SourceTokens.h. An operand ends where no token of it can follow.
//
//===----------------------------------------------------------------------===//
#include "cc1/SourceTokens.h"

using namespace clang;
using llvm::StringRef;

namespace echo {

std::optional<size_t> operandEnd(StringRef Text, size_t At, bool Whole) {
  Tokens T(Text, At);
  size_t End = At;
  int Depth = 0;
  for (bool Complete = false; T.next(); End = T.end()) {
    const Token &Tok = T.Tok;
    if (Tok.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      if (Depth == 0 && Tok.is(tok::l_brace) && !Complete)
        return std::nullopt;
      ++Depth;
      Complete = false;
      continue;
    }
    if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
      if (Depth == 0)
        return Complete ? std::optional(End) : std::nullopt;
      --Depth;
      Complete = true;
      continue;
    }
    if (Tok.is(tok::semi) || (Depth == 0 && Tok.is(tok::comma)))
      return Depth == 0 && Complete ? std::optional(End) : std::nullopt;
    if (Depth)
      continue;
    bool Operand = Tok.is(tok::raw_identifier) || Tok.isLiteral();
    bool Part = Operand || Whole || !Complete ||
                Tok.isOneOf(tok::plus, tok::minus, tok::star, tok::slash,
                            tok::percent, tok::period, tok::arrow,
                            tok::coloncolon, tok::plusplus, tok::minusminus);
    if (!Part)
      return End;
    Complete =
        Operand || (Complete && Tok.isOneOf(tok::plusplus, tok::minusminus));
  }
  return std::nullopt;
}

} // namespace echo
