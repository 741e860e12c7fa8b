//===- NvccLists.cpp - Lists in the values of nvcc's flags ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through a value once, character by character. Empty parts are dropped.
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccLists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace echo {

using Strings = std::vector<std::string>;

static Strings withoutEmpty(Strings Parts) {
  erase_if(Parts, [](const std::string &Part) { return Part.empty(); });
  return Parts;
}

/// \p Parts without blanks around them.
static Strings trimmed(Strings Parts) {
  for (std::string &Part : Parts)
    Part = StringRef(Part).trim().str();
  return withoutEmpty(std::move(Parts));
}

Strings splitList(StringRef Value) {
  Strings Parts(1);
  bool Quoted = false;
  for (size_t I = 0; I < Value.size(); ++I) {
    char C = Value[I];
    bool Escapes = C == '\\' && I + 1 < Value.size();
    if (C == ',' && !Quoted) {
      Parts.emplace_back();
      continue;
    }
    if (C == '"')
      Quoted = !Quoted;
    if (!Escapes || Value[I + 1] != ',')
      Parts.back() += C;
    if (Escapes)
      Parts.back() += Value[++I];
  }
  return withoutEmpty(std::move(Parts));
}

/// Those of -D and -U.
static Strings splitMacros(StringRef Value) {
  Strings Parts(1);
  bool Quoted = false;
  for (size_t I = 0; I < Value.size(); ++I) {
    if (Value[I] == ',' && !Quoted) {
      Parts.emplace_back();
      continue;
    }
    if (Value[I] == '\\' && I + 1 < Value.size())
      ++I;
    else if (Value[I] == '"')
      Quoted = !Quoted;
    Parts.back() += Value[I];
  }
  return trimmed(std::move(Parts));
}

/// Names of files, of folders and of libraries.
static Strings splitFiles(StringRef Value) {
  Strings Parts(1);
  bool Quoted = false;
  for (char C : Value)
    if (C == '"')
      Quoted = !Quoted;
    else if (C == ',' && !Quoted)
      Parts.emplace_back();
    else
      Parts.back() += C;
  return trimmed(std::move(Parts));
}

bool isMacro(StringRef Part) {
  const StringRef Rest = Part.drop_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '$'; });
  return Rest.size() < Part.size() && !isDigit(Part.front()) &&
         (Rest.empty() || Rest.front() == '=' || Rest.front() == '(');
}

static void joinToolLists(Strings &Parts) {
  for (size_t I = 0; I < Parts.size(); ++I) {
    if (Parts[I] != "-Wl" && Parts[I] != "-Wa" && Parts[I] != "-Wp")
      continue;
    for (size_t J = I + 1; J < Parts.size(); ++J)
      Parts[I] += "," + Parts[J];
    Parts.resize(I + 1);
  }
}

Strings splitToolWords(StringRef Value) {
  Strings Parts(1);
  char Quote = 0;
  for (size_t I = 0; I < Value.size(); ++I) {
    char C = Value[I];
    if (C == '\\' && I + 1 < Value.size() &&
        (Value[I + 1] == ',' || Value[I + 1] == '"'))
      Parts.back() += Value[++I];
    else if (Quote && C == Quote)
      Quote = 0;
    else if (!Quote && (C == '"' || C == '\''))
      Quote = C;
    else if (!Quote && (C == ',' || isSpace(C)))
      Parts.emplace_back();
    else
      Parts.back() += C;
  }
  Parts = withoutEmpty(std::move(Parts));
  joinToolLists(Parts);
  return Parts;
}

Strings splitValue(StringRef Option, StringRef Value) {
  if (Option == "-D" || Option == "-U")
    return splitMacros(Value);
  if (is_contained({"-I", "-L", "-l", "-isystem", "-include"}, Option))
    return splitFiles(Value);
  if (Option.starts_with("-X"))
    return splitToolWords(Value);
  return {Value.str()};
}

} // namespace echo
