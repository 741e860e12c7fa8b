//===- ReportSarif.cpp - A unit's report for code hosts and editors -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a UnitReport into results of SARIF 2.1.0 (OASIS): a declined pair is a
// note of the rule that its reason is, at the place where the user's function
// makes the pair; what conflicts are related locations. A merged or skipped
// pair is a result that passed. The rules are all reasons of Blockers.def.
//
//===----------------------------------------------------------------------===//
#include "Report/Report.h"
#include "Report/ReportText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace echo;
using namespace llvm;

static json::Object message(const Twine &Text) {
  return json::Object{{"text", json::fixUTF8(Text.str())}};
}

/// \p File as a URI reference: RFC 3986's reserved characters but '/' and ':'
/// are escaped.
static std::string uriOf(StringRef File) {
  std::string Uri = sys::path::is_absolute(File) ? "file://" : "";
  for (const char C : File)
    if (isAlnum(C) || StringRef("-._~/:").contains(C))
      Uri += C;
    else
      Uri += "%" + utohexstr(static_cast<unsigned char>(C), /*LowerCase=*/false,
                             /*Width=*/2);
  return Uri;
}

static json::Object location(const SourcePlace &Place) {
  json::Object Physical{
      {"artifactLocation", json::Object{{"uri", uriOf(Place.File)}}}};
  if (Place.Line)
    Physical["region"] =
        json::Object{{"startLine", Place.Line},
                     {"startColumn", Place.Column + !Place.Column}};
  return json::Object{{"physicalLocation", std::move(Physical)}};
}

static json::Value resultOf(const UnitReport &Unit, const PairReport &Pair) {
  json::Array Related;
  const auto Add = [&](json::Object Where, const Twine &What) {
    Where["id"] = int64_t(Related.size());
    Where["message"] = message(What);
    Related.push_back(std::move(Where));
  };
  Add(location(Pair.Device.Loc.own()), "the device buffer");
  for (const Cause &C : Pair.Because)
    Add(location(C.Loc), C.What);
  for (const LinkCopy &Link : Pair.Links)
    Add(location(Link.Loc.own()),
        Link.HostToDevice ? "copy to the device" : "copy to the host");
  const bool Declined = Pair.Result == Verdict::Declined && Pair.Reason;
  return json::Object{
      {"ruleId",
       Declined ? blockerInfo(*Pair.Reason).Id : verdictName(Pair.Result)},
      {"kind", Declined ? "fail" : "pass"},
      {"level", Declined ? "note" : "none"},
      {"message", message(pairMessage(Unit, Pair))},
      {"locations", json::Array{location(Pair.Host.Loc.own())}},
      {"relatedLocations", std::move(Related)},
      {"properties", json::Object{{"unit", json::fixUTF8(Unit.Source)}}}};
}

static json::Array rules() {
  json::Array Rules;
  for (const BlockerInfo *B : allBlockers())
    Rules.push_back(json::Object{{"id", B->Id},
                                 {"shortDescription", message(B->Summary)},
                                 {"fullDescription", message(B->Explanation)},
                                 {"help", message(B->Suggestion)}});
  for (auto [V, Text] :
       {std::pair(Verdict::Unified, "one buffer for both"),
        std::pair(Verdict::Guarded, "one buffer for both if the sizes match"),
        std::pair(Verdict::Skipped, "too small to be merged")})
    Rules.push_back(json::Object{{"id", verdictName(V)},
                                 {"shortDescription", message(Text)}});
  return Rules;
}

json::Array echo::sarifResults(const UnitReport &Unit) {
  json::Array Results;
  for (const PairReport &Pair : Unit.Pairs)
    Results.push_back(resultOf(Unit, Pair));
  return Results;
}

json::Object echo::sarifLog(json::Array Results) {
  json::Object Driver{
      {"name", "echo-cc"}, {"version", ECHO_VERSION}, {"rules", rules()}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}},
                   {"results", std::move(Results)}};
  return json::Object{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{std::move(Run)}}};
}
