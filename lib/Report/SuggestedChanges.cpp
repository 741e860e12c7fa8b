//===- SuggestedChanges.cpp - What --suggest found, for the report --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON: an object for each pair or copy, and the advice. Driver and job are the
// same binary: the form is theirs alone and may change.
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
  json::Array All, Advice;
  for (const auto &[Pair, Change] : Changes.Changes)
    All.push_back(json::Object{{"pair", Pair},
                               {"what", json::fixUTF8(Change.What)},
                               {"changes", json::Array(Change.Changes)}});
  for (const auto &[Pair, Text] : Changes.Advice)
    Advice.push_back(
        json::Object{{"pair", Pair}, {"text", json::fixUTF8(Text)}});
  return formatv("{0}",
                 json::Value(json::Object{{"changes", std::move(All)},
                                          {"advice", std::move(Advice)}}));
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

struct AdviceEntry {
  unsigned Pair = 0;
  std::string Text;
};

struct Contents {
  std::vector<Entry> Changes;
  std::vector<AdviceEntry> Advice;
};

bool fromJSON(const json::Value &Value, AdviceEntry &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("pair", E.Pair) && Map.map("text", E.Text);
}

bool fromJSON(const json::Value &Value, Entry &E, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("pair", E.Pair) && Map.map("what", E.Change.What) &&
         Map.map("changes", E.Change.Changes);
}

bool fromJSON(const json::Value &Value, Contents &C, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("changes", C.Changes) && Map.map("advice", C.Advice);
}
} // namespace

/// Puts \p Text in place of what pair or copy \p Number of \p Unit is advised.
static void advise(UnitReport &Unit, unsigned Number, const std::string &Text) {
  const size_t Pairs = Unit.Pairs.size();
  if (Number < Pairs) {
    Unit.Pairs[Number].Suggestion = Text;
    return;
  }
  std::string &Why = Unit.CopiesKept[Number - Pairs].Why;
  Why = StringRef(Why).split(IfElsewhere).first.str() + "; " + Text;
}

Error addSuggestedChanges(StringRef File, UnitReport &Unit) {
  if (File.empty())
    return Error::success();
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    return createStringError("cannot read suggestions '%s': %s",
                             File.str().c_str(),
                             Text.getError().message().c_str());
  Expected<Contents> All =
      json::parse<Contents>((*Text)->getBuffer(), "suggestions");
  if (!All)
    return All.takeError();
  const size_t Pairs = Unit.Pairs.size(), Copies = Unit.CopiesKept.size();
  const auto IsNone = [&](const auto &E) { return E.Pair >= Pairs + Copies; };
  if (any_of(All->Changes, IsNone) || any_of(All->Advice, IsNone))
    return createStringError("suggestions '%s' are not of this unit",
                             File.str().c_str());
  for (Entry &E : All->Changes)
    (E.Pair < Pairs ? Unit.Pairs[E.Pair].Suggested
                    : Unit.CopiesKept[E.Pair - Pairs].Suggested) =
        std::move(E.Change);
  for (const AdviceEntry &E : All->Advice)
    advise(Unit, E.Pair, E.Text);
  return Error::success();
}

} // namespace echo
