//===- ReportJson.cpp - The JSON form of a unit's report ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a UnitReport into the JSON object that programs read, key by key as in
// docs/guide/report-format.md. Names and files that are no valid UTF-8 are
// repaired, never dropped.
//
//===----------------------------------------------------------------------===//
#include "Report/Estimates.h"
#include "Report/MeasuredCopies.h"
#include "Report/Report.h"
#include "Report/ReportText.h"

using namespace echo;
using namespace llvm;

static json::Value text(StringRef S) { return json::fixUTF8(S); }

static json::Value textOrNull(const std::optional<std::string> &S) {
  return S ? text(*S) : json::Value(nullptr);
}

/// Adds file, line and column to \p O, and where helpers make the call, from
/// where they are called; an unknown place is null.
static json::Object place(json::Object O, const SourceLoc &Loc) {
  if (!Loc.Callers.empty()) {
    json::Array Callers;
    for (const CallPlace &Call : Loc.Callers)
      Callers.push_back(json::Object{{"file", text(Call.File)},
                                     {"line", Call.Line},
                                     {"column", Call.Column},
                                     {"function", text(Call.Function)}});
    O["callers"] = std::move(Callers);
  }
  O["file"] = Loc.File.empty() ? json::Value(nullptr) : text(Loc.File);
  O["line"] = Loc.Line ? json::Value(Loc.Line) : json::Value(nullptr);
  O["column"] = Loc.Line ? json::Value(Loc.Column) : json::Value(nullptr);
  return O;
}

static json::Object site(const AllocSite &Site) {
  return place(json::Object{{"name", textOrNull(Site.Name)},
                            {"function", text(Site.Function)}},
               Site.Loc);
}

static json::Array links(const PairReport &Pair) {
  json::Array Array;
  for (const LinkCopy &Link : Pair.Links) {
    json::Object O{{"direction", Link.HostToDevice ? "H2D" : "D2H"},
                   {"full", Link.Full}};
    if (Link.Chosen)
      O["chosen"] = true;
    if (Pair.Estimate)
      O["bytes"] = Link.Bytes && !Link.Chosen ? json::Value(*Link.Bytes)
                                              : json::Value(nullptr);
    Array.push_back(place(std::move(O), Link.Loc));
  }
  return Array;
}

/// The change that --suggest found.
static json::Object suggested(const SuggestedChange &Change) {
  json::Array Changes;
  for (const SourceChange &C : Change.Changes)
    Changes.push_back(place(json::Object{{"end_line", C.End.Line},
                                         {"end_column", C.End.Column},
                                         {"text", text(C.Text)}},
                            SourceLoc{C.Begin, {}}));
  return json::Object{{"what", text(Change.What)},
                      {"changes", std::move(Changes)}};
}

static json::Object pairToJson(const PairReport &Pair) {
  json::Array Because, Waits;
  for (const Cause &C : Pair.Because)
    Because.push_back(place(json::Object{{"what", text(C.What)}}, C.Loc));
  for (const KeptWait &Wait : Pair.Waits)
    Waits.push_back(
        json::Object{{"line", Wait.Loc.Line ? json::Value(Wait.Loc.Line)
                                            : json::Value(nullptr)},
                     {"kind", text(Wait.Kind)}});
  json::Value Condition = nullptr, Id = nullptr;
  if (Pair.Reason) {
    Id = blockerInfo(*Pair.Reason).Id;
    if (Pair.Result == Verdict::Declined || Pair.Result == Verdict::Assumed)
      Condition = blockerInfo(*Pair.Reason).Condition;
  }
  json::Object O{
      {"host", site(Pair.Host)},
      {"device", site(Pair.Device)},
      {"bytes", Pair.Bytes ? json::Value(*Pair.Bytes) : json::Value(nullptr)},
      {"links", links(Pair)},
      {"verdict", verdictName(Pair.Result)},
      {"condition", std::move(Condition)},
      {"id", std::move(Id)},
      {"because", std::move(Because)},
      {"suggestion", textOrNull(suggestionOf(Pair))},
      {"quiescent", Pair.Quiescent},
      {"waits", std::move(Waits)}};
  if (Pair.Word != Vouched::No)
    O["vouched"] = vouchedName(Pair.Word);
  if (Pair.Suggested)
    O["suggested"] = suggested(*Pair.Suggested);
  if (Pair.Estimate)
    O["estimate"] = estimateToJson(*Pair.Estimate);
  if (Pair.Measured)
    O["measured"] = measuredToJson(*Pair.Measured);
  return O;
}

json::Object echo::reportToJson(const UnitReport &Unit) {
  json::Array Pairs, Copies;
  for (const PairReport &Pair : Unit.Pairs)
    Pairs.push_back(pairToJson(Pair));
  for (const KeptCopy &Copy : Unit.CopiesKept) {
    json::Object O{{"why", text(Copy.Why)}};
    if (Copy.Suggested)
      O["suggested"] = suggested(*Copy.Suggested);
    Copies.push_back(place(std::move(O), Copy.Loc));
  }
  json::Object Entry{{"source", text(Unit.Source)},
                     {"pairs", std::move(Pairs)},
                     {"copies_kept", std::move(Copies)}};
  if (Unit.NeedsLink)
    Entry["needs_link"] = true;
  return Entry;
}
