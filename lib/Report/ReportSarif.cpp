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
#include <map>

using namespace echo;
using namespace llvm;

static json::Object message(const Twine &Text) {
  return json::Object{{"text", json::fixUTF8(Text.str())}};
}

/// \p File as a URI reference: RFC 3986's reserved characters but '/' are
/// escaped. A ':' in the first part of a relative one would end a scheme.
static std::string uriOf(StringRef File) {
  std::string Uri = sys::path::is_absolute(File) ? "file://" : "";
  for (const char C : File)
    if (isAlnum(C) || StringRef("-._~/").contains(C))
      Uri += C;
    else
      Uri += "%" + utohexstr(static_cast<unsigned char>(C), /*LowerCase=*/false,
                             /*Width=*/2);
  return Uri;
}

namespace {
/// Makes results of the pairs of a unit.
class Results {
public:
  Results(const UnitReport &Unit, StringRef Folder)
      : Unit(Unit), Folder(Folder) {}
  json::Value of(const PairReport &Pair) const;

private:
  json::Object artifact(StringRef File) const;
  json::Object location(const SourcePlace &Place) const;
  json::Object fix(const SuggestedChange &Change) const;

  const UnitReport &Unit;
  const StringRef Folder; ///< of relative names
};
} // namespace

json::Object Results::artifact(StringRef File) const {
  json::Object Artifact{{"uri", uriOf(File)}};
  if (!Folder.empty() && !sys::path::is_absolute(File))
    Artifact["uriBaseId"] = json::fixUTF8(Folder);
  return Artifact;
}

/// A place that is not known is somewhere in the unit.
json::Object Results::location(const SourcePlace &Place) const {
  const StringRef File = Place.File.empty() ? Unit.Source : Place.File;
  json::Object Physical{{"artifactLocation", artifact(File)}};
  if (!Place.File.empty() && Place.Line)
    Physical["region"] =
        json::Object{{"startLine", Place.Line},
                     {"startColumn", Place.Column + !Place.Column}};
  return json::Object{{"physicalLocation", std::move(Physical)}};
}

/// The change that --suggest found, as editors apply it.
json::Object Results::fix(const SuggestedChange &Change) const {
  std::map<std::string, json::Array> ByFile;
  for (const SourceChange &C : Change.Changes)
    ByFile[C.Begin.File].push_back(json::Object{
        {"deletedRegion", json::Object{{"startLine", C.Begin.Line},
                                       {"startColumn", C.Begin.Column},
                                       {"endLine", C.End.Line},
                                       {"endColumn", C.End.Column}}},
        {"insertedContent", message(C.Text)}});
  json::Array Files;
  for (auto &[File, Replacements] : ByFile)
    Files.push_back(json::Object{{"artifactLocation", artifact(File)},
                                 {"replacements", std::move(Replacements)}});
  return json::Object{{"description", message(Change.What)},
                      {"artifactChanges", std::move(Files)}};
}

json::Value Results::of(const PairReport &Pair) const {
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
  json::Object Result{
      {"ruleId",
       Declined ? blockerInfo(*Pair.Reason).Id : verdictName(Pair.Result)},
      {"kind", Declined ? "fail" : "pass"},
      {"level", Declined ? "note" : "none"},
      {"message", message(pairMessage(Unit, Pair))},
      {"locations", json::Array{location(Pair.Host.Loc.own())}},
      {"relatedLocations", std::move(Related)},
      {"properties", json::Object{{"unit", json::fixUTF8(Unit.Source)}}}};
  if (Pair.Suggested)
    Result["fixes"] = json::Array{fix(*Pair.Suggested)};
  return Result;
}

/// A rule. Code hosts refuse one without a full description or without help:
/// where there is none of its own, the short description is repeated.
static json::Object rule(StringRef Id, StringRef Short, StringRef Full,
                         StringRef Help) {
  return json::Object{{"id", Id},
                      {"shortDescription", message(Short)},
                      {"fullDescription", message(Full.empty() ? Short : Full)},
                      {"help", message(Help.empty() ? Short : Help)}};
}

/// All rules. The one of assumed pairs only where there are some.
static json::Array rules(bool AnyAssumed) {
  json::Array Rules;
  for (const BlockerInfo *B : allBlockers())
    Rules.push_back(rule(B->Id, B->Summary, B->Explanation, B->Suggestion));
  Rules.push_back(
      rule(verdictName(Verdict::Unified), "one buffer for both",
           "Host and device share one buffer: the program cannot tell the "
           "difference, and the copies between the two are removed.",
           ""));
  Rules.push_back(rule(
      verdictName(Verdict::Guarded), "one buffer for both if the sizes match",
      "Host and device share one buffer where the sizes of both "
      "allocations, which only run time knows, are equal.",
      ""));
  Rules.push_back(rule(verdictName(Verdict::Skipped), "too small to be merged",
                       "The buffers are smaller than the threshold.",
                       "Set another threshold with --min-bytes."));
  if (AnyAssumed)
    Rules.push_back(rule(verdictName(Verdict::Assumed),
                         "one buffer for both on the user's word",
                         "Host and device share one buffer because the user "
                         "vouches for the pair, "
                         "although what it holds, or when, is not proved.",
                         ""));
  return Rules;
}

json::Array echo::sarifResults(const UnitReport &Unit, StringRef Folder) {
  const Results Make(Unit, Folder);
  json::Array All;
  for (const PairReport &Pair : Unit.Pairs)
    All.push_back(Make.of(Pair));
  return All;
}

/// The folders that \p Results name, by what relative URIs call them.
static json::Object foldersOf(const json::Array &Results) {
  json::Object Folders;
  for (const json::Value &Result : Results) {
    const json::Object *O = Result.getAsObject();
    const json::Object *Own = O ? O->getObject("properties") : nullptr;
    if (const auto Folder = Own ? Own->getString("folder") : std::nullopt)
      Folders[*Folder] = json::Object{{"uri", uriOf((*Folder + "/").str())}};
  }
  return Folders;
}

json::Object echo::sarifLog(json::Array Results) {
  const bool AnyAssumed = any_of(Results, [](const json::Value &Result) {
    const json::Object *O = Result.getAsObject();
    return O && O->getString("ruleId") == verdictName(Verdict::Assumed);
  });
  json::Object Driver{{"name", "echo-cc"},
                      {"version", ECHO_VERSION},
                      {"rules", rules(AnyAssumed)}};
  json::Object Run{{"tool", json::Object{{"driver", std::move(Driver)}}}};
  if (json::Object Folders = foldersOf(Results); !Folders.empty())
    Run["originalUriBaseIds"] = std::move(Folders);
  Run["results"] = std::move(Results);
  return json::Object{
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                  "schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", json::Array{std::move(Run)}}};
}
