//===- Proposal.cpp - Changes that may let a pair merge -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON between two processes of one binary: the form is theirs alone.
//
//===----------------------------------------------------------------------===//
#include "Proposal.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace echo::suggest {

static json::Value toJSON(const Edit &E) {
  return json::Object{
      {"offset", E.Offset}, {"length", E.Length}, {"text", E.Text}};
}

static json::Value toJSON(const Proposal &P) {
  return json::Object{{"what", P.What},
                      {"result", static_cast<unsigned>(P.Result)},
                      {"host", json::fixUTF8(P.Host)},
                      {"edits", json::Array(P.Edits)}};
}

static json::Value toJSON(const PairState &P) {
  return json::Object{{"host", json::fixUTF8(P.Host)},
                      {"device", json::fixUTF8(P.Device)},
                      {"verdict", static_cast<unsigned>(P.Result)},
                      {"proposals", json::Array(P.Proposals)}};
}

static json::Value toJSON(const Symbol &S) {
  return json::Object{{"linked", json::fixUTF8(S.Linked)},
                      {"name", json::fixUTF8(S.Name)}};
}

static json::Value toJSON(const OutOfSight &O) {
  return json::Object{{"needed", json::Array(O.Needed)},
                      {"own", json::Array(O.Own)},
                      {"otherwise", json::fixUTF8(O.Otherwise)}};
}

static bool fromJSON(const json::Value &Value, Symbol &S, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("linked", S.Linked) && Map.map("name", S.Name);
}

static bool fromJSON(const json::Value &Value, OutOfSight &O, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("needed", O.Needed) && Map.map("own", O.Own) &&
         Map.map("otherwise", O.Otherwise);
}

static bool fromJSON(const json::Value &Value, Edit &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("offset", E.Offset) && Map.map("length", E.Length) &&
         Map.map("text", E.Text);
}

static bool fromJSON(const json::Value &Value, Proposal &P, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  unsigned Result = 0;
  const bool Fits = Map && Map.map("what", P.What) &&
                    Map.map("result", Result) && Map.map("host", P.Host) &&
                    Map.map("edits", P.Edits);
  P.Result = static_cast<Outcome>(Result);
  return Fits;
}

static bool fromJSON(const json::Value &Value, PairState &P, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  unsigned Result = 0;
  const bool Fits = Map && Map.map("host", P.Host) &&
                    Map.map("device", P.Device) && Map.map("verdict", Result) &&
                    Map.map("proposals", P.Proposals);
  P.Result = static_cast<Verdict>(Result);
  return Fits;
}

static bool fromJSON(const json::Value &Value, UnitState &U, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("file", U.File) && Map.map("pairs", U.Pairs) &&
         Map.map("copies", U.Copies) && Map.map("missing", U.Missing) &&
         Map.map("defined", U.Defined) && Map.map("called", U.Called);
}

std::string toText(const UnitState &Unit) {
  json::Array Copies;
  for (const std::vector<Proposal> &Proposals : Unit.Copies)
    Copies.push_back(json::Array(Proposals));
  return formatv(
      "{0}", json::Value(json::Object{{"file", json::fixUTF8(Unit.File)},
                                      {"pairs", json::Array(Unit.Pairs)},
                                      {"copies", std::move(Copies)},
                                      {"missing", json::Array(Unit.Missing)},
                                      {"defined", json::Array(Unit.Defined)},
                                      {"called", json::Array(Unit.Called)}}));
}

llvm::Expected<UnitState> readUnitState(StringRef Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read proposals '%s': %s",
                             Path.str().c_str(),
                             Text.getError().message().c_str());
  return json::parse<UnitState>((*Text)->getBuffer(), "proposals");
}

} // namespace echo::suggest
