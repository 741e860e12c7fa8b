//===- PtxParser.cpp - Parses inline PTX ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits an inline assembly string into statements. It decides nothing about
// meaning; any form outside the small grammar makes the whole string unknown.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Kernels/PtxParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace echo {

namespace {

/// Inline assembly without comments, line breaks and LLVM's dollar escapes.
std::string normalize(StringRef Text) {
  std::string Result;
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.substr(I);
    if (Rest.starts_with("//")) {
      I = std::min(Text.find('\n', I), Text.size()) - 1;
    } else if (Rest.starts_with("/*")) {
      I = std::min(Text.find("*/", I + 2), Text.size() - 2) + 1;
    } else if (Rest.starts_with("$$")) {
      Result += '_'; // a dollar inside a register's name
      ++I;
    } else {
      Result += isSpace(Text[I]) ? ' ' : Text[I];
    }
  }
  return Result;
}

/// Splits at commas outside of braces and brackets.
SmallVector<StringRef> splitOperands(StringRef Text) {
  SmallVector<StringRef> Result;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I <= Text.size(); ++I) {
    char C = I < Text.size() ? Text[I] : ',';
    Depth += C == '{' || C == '[';
    Depth -= C == '}' || C == ']';
    if (C == ',' && Depth == 0) {
      Result.push_back(Text.slice(Start, I).trim());
      Start = I + 1;
    }
  }
  return Result;
}

/// The names in `{a,b}`.
bool parseVector(StringRef Text, PtxOperand &Operand) {
  if (!Text.consume_front("{") || !Text.consume_back("}"))
    return false;
  SmallVector<StringRef> Parts;
  Text.split(Parts, ',');
  for (StringRef Part : Parts)
    Operand.Parts.push_back(Part.trim().str());
  return true;
}

bool parseOperand(StringRef Text, PtxOperand &Operand) {
  if (Text.starts_with("{")) {
    Operand.IsVector = true;
    return parseVector(Text, Operand);
  }
  if (Text.consume_front("[")) {
    if (!Text.consume_back("]"))
      return false;
    Operand.IsAddress = true;
    if (auto [Object, Place] = Text.split(','); !Place.empty()) {
      Operand.Parts.push_back(Object.trim().str());
      return parseVector(Place.trim(), Operand);
    }
    auto [Base, Offset] = Text.split('+');
    if (!Offset.empty() && Offset.trim().getAsInteger(0, Operand.Offset))
      return false;
    Text = Base.trim();
  }
  // `value|predicate`, the two results of a shuffle.
  auto [First, Second] = Text.split('|');
  Operand.Parts.push_back(First.str());
  if (!Second.empty())
    Operand.Parts.push_back(Second.str());
  return !Text.empty() && !Text.contains(' ');
}

} // namespace

std::optional<std::vector<PtxStatement>> parsePtx(StringRef Text) {
  const std::string Clean = normalize(Text);
  std::vector<PtxStatement> Result;
  SmallVector<StringRef> Lines;
  StringRef(Clean).split(Lines, ';');
  for (StringRef Line : Lines) {
    // Scopes: a brace at a statement's start opens or closes one.
    while (Line = Line.trim(),
           !Line.empty() && (Line[0] == '{' || Line[0] == '}'))
      Line = Line.drop_front();
    if (Line.empty() || Line.starts_with(".reg"))
      continue;
    PtxStatement Statement;
    if (Line.consume_front("@")) {
      Statement.Negated = Line.consume_front("!");
      auto [Predicate, Rest] = Line.split(' ');
      Statement.Predicate = Predicate.str();
      Line = Rest.trim();
    }
    auto [Mnemonic, Operands] = Line.split(' ');
    if (Mnemonic.count(':') != 2 * Mnemonic.count("::"))
      return std::nullopt; // labels
    SmallVector<StringRef> Dots;
    Mnemonic.split(Dots, '.');
    for (StringRef Part : Dots)
      Statement.Mnemonic.push_back(Part.str());
    if (!Operands.trim().empty())
      for (StringRef Operand : splitOperands(Operands.trim()))
        if (!parseOperand(Operand, Statement.Operands.emplace_back()))
          return std::nullopt;
    Result.push_back(std::move(Statement));
  }
  return Result;
}

} // namespace echo
