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

static json::Array toJson(const SourcePlace &Place) {
  return json::Array({json::fixUTF8(Place.File), Place.Line, Place.Column});
}

std::string toText(const SuggestedChanges &Changes) {
  json::Array All;
  for (const auto &[Pair, Change] : Changes) {
    json::Array Texts;
    for (const SourceChange &C : Change.Changes)
      Texts.push_back(
          json::Array{toJson(C.Begin), toJson(C.End), json::fixUTF8(C.Text)});
    All.push_back(json::Object{{"pair", Pair},
                               {"what", json::fixUTF8(Change.What)},
                               {"changes", std::move(Texts)}});
  }
  return formatv("{0}", json::Value(std::move(All)));
}

/// The place that \p Value is; false: none.
static bool read(const json::Value &Value, SourcePlace &Place) {
  const json::Array *Parts = Value.getAsArray();
  if (!Parts || Parts->size() != 3)
    return false;
  const auto File = (*Parts)[0].getAsString();
  const auto Line = (*Parts)[1].getAsInteger(),
             Column = (*Parts)[2].getAsInteger();
  if (!File || !Line || !Column)
    return false;
  Place = {File->str(), static_cast<unsigned>(*Line),
           static_cast<unsigned>(*Column)};
  return true;
}

/// The change that \p Value is; false: none.
static bool read(const json::Value &Value, SourceChange &Change) {
  const json::Array *Parts = Value.getAsArray();
  if (!Parts || Parts->size() != 3)
    return false;
  const auto Text = (*Parts)[2].getAsString();
  if (!Text)
    return false;
  Change.Text = Text->str();
  return read((*Parts)[0], Change.Begin) && read((*Parts)[1], Change.End);
}

/// Adds the entry \p Value to its pair of \p Unit; false: it is none.
static bool add(const json::Value &Value, UnitReport &Unit) {
  const json::Object *Entry = Value.getAsObject();
  if (!Entry)
    return false;
  const auto Pair = Entry->getInteger("pair");
  const auto What = Entry->getString("what");
  const json::Array *Texts = Entry->getArray("changes");
  if (!Pair || !What || !Texts || *Pair < 0 ||
      static_cast<uint64_t>(*Pair) >= Unit.Pairs.size())
    return false;
  SuggestedChange Change{What->str(), {}};
  for (const json::Value &Text : *Texts)
    if (!read(Text, Change.Changes.emplace_back()))
      return false;
  Unit.Pairs[*Pair].Suggested = std::move(Change);
  return true;
}

Error addSuggestedChanges(StringRef File, UnitReport &Unit) {
  if (File.empty())
    return Error::success();
  auto Text = MemoryBuffer::getFile(File);
  if (!Text)
    return createStringError("cannot read suggestions '%s': %s",
                             File.str().c_str(),
                             Text.getError().message().c_str());
  Expected<json::Value> Root = json::parse((*Text)->getBuffer());
  if (!Root)
    return Root.takeError();
  const json::Array *All = Root->getAsArray();
  for (const json::Value &Value : All ? *All : json::Array())
    if (!add(Value, Unit))
      return createStringError("suggestions '%s' are not of this unit",
                               File.str().c_str());
  return Error::success();
}

} // namespace echo
