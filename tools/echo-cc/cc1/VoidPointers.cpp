//===- VoidPointers.cpp - Arithmetic on pointers to void ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang names the pointer and the operator; where the other operand ends, the
// tokens tell. A `<` ends it: where it opened a list of template arguments, the
// text that comes out is no expression, and the first error stands.
//
//===----------------------------------------------------------------------===//
#include "cc1/VoidPointers.h"
#include "cc1/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace echo {

/// The end of the operand of ++ or -- that begins at \p At, if it is one of
/// names and members, pointers to them, elements at a name or a number.
static std::optional<size_t> simpleEnd(StringRef Text, size_t At) {
  Tokens T(Text, At);
  size_t End = At;
  bool Complete = false, Inside = false;
  for (; T.next(); End = T.end()) {
    const Token &Tok = T.Tok;
    if (!Complete && Tok.is(tok::star) && !Inside)
      continue;
    if (!Complete && (Tok.is(tok::raw_identifier) ||
                      (Inside && Tok.is(tok::numeric_constant)))) {
      Complete = true;
      continue;
    }
    if (!Complete)
      return std::nullopt;
    if (Tok.isOneOf(tok::period, tok::arrow, tok::coloncolon)) {
      Complete = false;
    } else if (Tok.is(tok::l_square) && !Inside) {
      Inside = true;
      Complete = false;
    } else if (Tok.is(tok::r_square) && Inside) {
      Inside = false;
    } else {
      // A call goes on.
      return Inside || Tok.is(tok::l_paren) ? std::nullopt : std::optional(End);
    }
  }
  return std::nullopt;
}

/// The start of an expression of the type of pointer \p P, which counts bytes
/// from where P is; it evaluates P once. One text may have several types, in a
/// template: those that are no pointers to void are an error.
static std::string bytesAt(const std::string &P) {
  // What follows keeps its lines.
  std::string Type = P;
  llvm::replace(Type, '\n', ' ');
  return "(decltype(+(" + Type + ")))((char *)(" + P +
         ") + (sizeof(char[__is_same(__remove_cv(__remove_pointer(decltype(+(" +
         Type + ")))), void) ? 1 : -1]) - 1)";
}

/// True if \p Text means the same where it is written more than once.
static bool mayBeRepeated(StringRef Text) {
  return !Text.contains("__COUNTER__") &&
         !(Text.contains('\n') && (Text.contains("//") || Text.contains('#')));
}

std::optional<SourceEdit> editVoidPointer(StringRef Text, size_t Pointer,
                                          size_t Op) {
  if (Pointer >= Text.size() || Op >= Text.size())
    return std::nullopt;
  Tokens At(Text, Op);
  if (!At.next())
    return std::nullopt;
  const tok::TokenKind Kind = At.Tok.getKind();
  const bool Before = Op < Pointer;
  std::optional<size_t> Simple = simpleEnd(Text, Pointer);
  if (Before ? !Simple : Op == Pointer)
    return std::nullopt;
  std::string P =
      (Before ? Text.slice(Pointer, *Simple) : Text.slice(Pointer, Op).rtrim())
          .str();
  if (!mayBeRepeated(P))
    return std::nullopt;
  // GNU's statement expressions, not lambdas: these have numbers, which are
  // parts of kernels' names, and only one side may have the edit.
  const std::string Named = "({ auto &echo_p = " + P + "; ";
  if (Kind == tok::plusplus || Kind == tok::minusminus) {
    const std::string Step = "echo_p = " + bytesAt("echo_p") +
                             (Kind == tok::plusplus ? " + 1); " : " - 1); ");
    if (Before)
      return SourceEdit{Op, *Simple - Op, "(*" + Named + Step + "&echo_p; }))"};
    return SourceEdit{Pointer, At.end() - Pointer,
                      Named + "auto echo_old = echo_p; " + Step +
                          "echo_old; })"};
  }
  if (Before)
    return std::nullopt;
  const bool Assigned = Kind == tok::plusequal || Kind == tok::minusequal;
  std::optional<size_t> End = operandEnd(Text, At.end(), Assigned);
  if (!End)
    return std::nullopt;
  const std::string Rest = Text.slice(At.end(), *End).str();
  const size_t Length = *End - Pointer;
  // What is added is evaluated before the pointer is ([expr.ass], C++17).
  if (Assigned)
    return SourceEdit{
        Pointer, Length,
        "(*({ const long long echo_n = (" + Rest + "); auto &echo_p = " + P +
            "; echo_p = " + bytesAt("echo_p") +
            (Kind == tok::plusequal ? " + " : " - ") + "echo_n); &echo_p; }))"};
  if (Kind == tok::plus || Kind == tok::minus)
    return SourceEdit{Pointer, Length,
                      "(" + bytesAt(P) + (Kind == tok::plus ? " +" : " -") +
                          Rest + "))"};
  return std::nullopt;
}

} // namespace echo
