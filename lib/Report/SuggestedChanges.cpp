//===- SuggestedChanges.cpp - What --suggest found, for the report --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One JSON array, an object for each pair. Driver and job are the same binary:
// the form is theirs alone and may change.
//
//===----------------------------------------------------------------------===//
#include "Report/SuggestedChanges.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace echo {

static json::Value toJSON(const SourcePlace &Place) {
  return json::Object{{"file", json::fixUTF8(Place.File)},
                      {"line", Place.Line},
                      {"column", Place.Column}};
}

static json::Value toJSON(const SourceChange &Change) {
  return json::Object{{"begin", Change.Begin},
                      {"end", Change.End},
                      {"text", json::fixUTF8(Change.Text)}};
}

std::string toText(const SuggestedChanges &Changes) {
  json::Array All;
  for (const auto &[Pair, Change] : Changes)
    All.push_back(json::Object{{"pair", Pair},
                               {"what", json::fixUTF8(Change.What)},
                               {"changes", json::Array(Change.Changes)}});
  return formatv("{0}", json::Value(std::move(All)));
}

static bool fromJSON(const json::Value &Value, SourcePlace &Place,
                     json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("file", Place.File) && Map.map("line", Place.Line) &&
         Map.map("column", Place.Column);
}

static bool fromJSON(const json::Value &Value, SourceChange &Change,
                     json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("begin", Change.Begin) && Map.map("end", Change.End) &&
         Map.map("text", Change.Text);
}

namespace {
/// The change for one pair.
struct Entry {
  unsigned Pair = 0;
  SuggestedChange Change;
};

bool fromJSON(const json::Value &Value, Entry &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("pair", E.Pair) && Map.map("what", E.Change.What) &&
         Map.map("changes", E.Change.Changes);
}
} // namespace

Error addSuggestedChanges(StringRef File, UnitReport &Unit) {
  if (File.empty())
    return Error::success();
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    return createStringError("cannot read suggestions '%s': %s",
                             File.str().c_str(),
                             Text.getError().message().c_str());
  Expected<std::vector<Entry>> All =
      json::parse<std::vector<Entry>>((*Text)->getBuffer(), "suggestions");
  if (!All)
    return All.takeError();
  const size_t Pairs = Unit.Pairs.size();
  for (Entry &E : *All) {
    if (E.Pair >= Pairs + Unit.CopiesKept.size())
      return createStringError("suggestions '%s' are not of this unit",
                               File.str().c_str());
    (E.Pair < Pairs ? Unit.Pairs[E.Pair].Suggested
                    : Unit.CopiesKept[E.Pair - Pairs].Suggested) =
        std::move(E.Change);
  }
  return Error::success();
}

} // namespace echo
