//===- LaunchBraces.cpp - Braces for a dim3 of a launch -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the commas between the angle brackets and the braces that are in no
// brackets. One between template arguments counts, too: then the braces may
// seem to be a later argument, and nothing is edited.
//
//===----------------------------------------------------------------------===//
#include "cc1/LaunchBraces.h"
#include "cc1/SourceTokens.h"

using namespace clang;
using llvm::StringRef;

namespace echo {

std::optional<SourceEdit> editLaunchBraces(StringRef Text, size_t At) {
  static constexpr StringRef Open = "<<<";
  const size_t Launch = Text.take_front(At).rfind(Open);
  if (Launch == StringRef::npos)
    return std::nullopt;
  Tokens T(Text, Launch + Open.size());
  const Token &Tok = T.Tok;
  int Depth = 0;
  unsigned Argument = 0;
  bool Begins = true; // an argument
  while (T.next()) {
    if (T.begin() >= At) {
      if (T.begin() > At || Tok.isNot(tok::l_brace) || !Begins || Argument > 1)
        return std::nullopt;
      return SourceEdit{At, 0, "dim3"};
    }
    if (Tok.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
      --Depth;
    if (Depth < 0 || Tok.is(tok::semi))
      return std::nullopt;
    Begins = Depth == 0 && Tok.is(tok::comma);
    Argument += Begins;
  }
  return std::nullopt;
}

} // namespace echo
