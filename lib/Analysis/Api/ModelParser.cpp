//===- ModelParser.cpp - Reads the text of model files --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/ModelParser.h"
#include "Analysis/Api/ModelLine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace echo;
using namespace llvm;

namespace {
/// Parses one file, line by line.
class FileParser {
public:
  explicit FileParser(StringRef File) : File(File) {}
  /// Line \p Number, without its comment and not empty.
  Error line(StringRef Line, unsigned Number);
  ParsedModels Parsed;

private:
  Error wrong(const Twine &Reason) const {
    return createStringError(File + ":" + Twine(Number) + ": " + Reason);
  }
  /// A line that describes functions or their attributes.
  Error description(StringRef Line);
  Error add(const std::string &Name, FunctionModel Model, unsigned Traits);

  StringRef File;
  unsigned Number = 0;
  StringSet<> Known;
  std::optional<StringRef> Prefix;
  FunctionModel Defaults;
  StringMap<FunctionModel> Groups;
  bool OfSystem = false;
};
} // namespace

Error FileParser::line(StringRef Line, unsigned LineNumber) {
  Number = LineNumber;
  if (Line.consume_front("names ")) {
    if (Prefix || !Parsed.Functions.empty() || !Parsed.Traits.empty())
      return wrong("'names' comes once, before all functions");
    Prefix = Line.trim();
    return Error::success();
  }
  if (Line == "system") {
    OfSystem = true;
    return Error::success();
  }
  if (Line.consume_front("group ")) {
    ModelLine Parser(Line, Groups);
    FunctionModel Group;
    std::string Name;
    if (!Parser.parseGroup(Group, Name))
      return wrong(Parser.reason());
    Groups[Name] = Group;
    return Error::success();
  }
  return description(Line);
}

Error FileParser::description(StringRef Line) {
  FunctionModel Model = Defaults;
  unsigned Traits = 0;
  std::vector<std::string> Names;
  bool IsTraits = Line.contains(" is ");
  bool IsDefaults = Line == "attributes" || Line.starts_with("attributes ");
  ModelLine Parser(IsDefaults ? Line.substr(strlen("attributes")) : Line,
                   Groups);
  if (IsDefaults ? !Parser.parseDefaults(Defaults)
      : IsTraits ? !Parser.parseTraits(Traits, Names)
                 : !Parser.parse(Model, Names))
    return wrong(Parser.reason());
  for (const std::string &Name : Names)
    if (Error E = add(Name, Model, Traits))
      return E;
  return Error::success();
}

Error FileParser::add(const std::string &Name, FunctionModel Model,
                      unsigned Traits) {
  if (Prefix && !StringRef(Name).starts_with(*Prefix))
    return wrong("'" + Name + "' does not begin with '" + *Prefix +
                 "', as all names of this file");
  if (Traits) {
    Parsed.Traits.push_back({Name, Traits});
    return Error::success();
  }
  if (!Known.insert(Name).second)
    return wrong("'" + Name + "' is described twice in this file");
  Model.Name = Name;
  Model.OfSystem = OfSystem;
  Parsed.Functions.push_back(std::move(Model));
  return Error::success();
}

Expected<ParsedModels> echo::parseModels(StringRef Text, StringRef File) {
  FileParser Parser(File);
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.split('#').first.trim();
    if (Line.empty())
      continue;
    if (Error E = Parser.line(Line, Number))
      return std::move(E);
  }
  return std::move(Parser.Parsed);
}

std::optional<StringRef> echo::modelPrefix(StringRef Text) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.split('#').first.trim();
    if (Line.consume_front("names "))
      return Line.trim();
    if (!Line.empty())
      break;
  }
  return std::nullopt;
}
