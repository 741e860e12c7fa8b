//===- Specializations.cpp - Templates and specializations for two sides --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes go after the last `template <...>` before the name.
//
//===----------------------------------------------------------------------===//
#include "cc1/Specializations.h"
#include "cc1/SourceTokens.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using llvm::StringRef;

namespace echo {

std::optional<SourceEdit> editForBothSides(StringRef Text, size_t Name,
                                           bool OnDevice) {
  Tokens T(Text, 0);
  const Token &Tok = T.Tok;
  std::optional<size_t> Behind;
  bool Special = false, Empty = false;
  llvm::StringSet<> Words;
  int Depth = -1, Parens = 0; // -1: in no list of template parameters
  while (T.next() && T.end() <= Name) {
    if (Depth < 0) {
      if (Tok.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
        Behind.reset();
      if (!Tok.is(tok::raw_identifier))
        continue;
      if (Tok.getRawIdentifier() == "template")
        Depth = Parens = 0;
      else
        Words.insert(Tok.getRawIdentifier());
      continue;
    }
    if (Tok.is(tok::l_paren))
      ++Parens;
    else if (Tok.is(tok::r_paren))
      --Parens;
    if (Parens)
      continue;
    if (Tok.is(tok::less)) {
      Empty = Depth++ == 0;
      continue;
    }
    if (Tok.is(tok::greater))
      --Depth;
    else if (Tok.is(tok::greatergreater))
      Depth -= 2;
    else if (Depth > 0)
      Empty = false;
    if (Depth > 0)
      continue;
    Behind = T.end();
    Special = Empty;
    Words.clear();
    Depth = -1;
  }
  if (!Behind)
    return std::nullopt;
  std::string Insert = " __attribute__((host)) __attribute__((device)) ";
  // As written, and as preprocessed.
  bool ForDevice = Words.contains("__device__") || Words.contains("device");
  bool ForHost =
      Words.contains("__host__") || Words.contains("host") || !ForDevice;
  if (Special && !(OnDevice ? ForDevice : ForHost) && !Words.contains("inline"))
    Insert += "inline ";
  return SourceEdit{*Behind, 0, Insert};
}

} // namespace echo
