//===- JsonReport.cpp - A survey for programs -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON with everything, and CSV with a line per pair.
//
//===----------------------------------------------------------------------===//
#include "report/Reports.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace echo::survey {

static json toJson(const Counts &All) {
  json Result = json::object();
  for (const auto &[Id, Count] : All)
    Result[infoOf(Id).Word] = Count;
  return Result;
}

static json toJson(const Place &At) {
  return {{"file", At.File}, {"line", At.Line}, {"column", At.Column}};
}

static json toJson(const Buffer &B, Idiom Memory) {
  json Result = {{"name", B.Name}, {"memory", infoOf(Memory).Word}};
  Result["at"] = B.At.File.empty() ? json() : toJson(B.At);
  return Result;
}

static json toJson(const Pair &P) {
  json Copies = json::array();
  for (const Place &At : P.Copies)
    Copies.push_back(toJson(At));
  return {{"class", wordOf(P.kind())},
          {"host", toJson(P.Host, P.HostMemory)},
          {"device", toJson(P.Device, P.DeviceMemory)},
          {"bytes", P.Size.isConstant() ? json(P.Size.Constant) : json()},
          {"size", P.Size.shortText()},
          {"coverage", wordOf(P.Covers)},
          {"h2d", P.H2D},
          {"d2h", P.D2H},
          {"async", P.Async},
          {"in_loop", P.InLoop},
          {"rows", P.Rows},
          {"passed_in", P.PassedIn},
          {"copies", Copies}};
}

static json toJson(const Project &P) {
  json Pairs = json::array(), Files = json::object();
  for (const Pair &Each : P.Pairs)
    Pairs.push_back(toJson(Each));
  for (const auto &[File, Of] : P.ByFile)
    Files[File] = toJson(Of);
  return {{"name", P.Name},
          {"idioms", toJson(P.Idioms)},
          {"files", Files},
          {"files_with_errors", P.FilesWithErrors},
          {"missing_headers", P.MissingHeaders},
          {"copies_explicitly", P.copiesExplicitly()},
          {"shares_memory", P.sharesMemory()},
          {"pairs", Pairs}};
}

static json toJson(const Compiled &C) {
  return {{"file", C.File},
          {"compiles", C.Compiles},
          {"failed", C.Failed.empty() ? json() : json(C.Failed)},
          {"surveyed", C.Surveyed},
          {"analyzed", C.Analyzed},
          {"unified", C.Merged},
          {"guarded", C.Guarded},
          {"declined", C.Declined},
          {"skipped", C.Skipped},
          {"reasons", C.Reasons}};
}

static json toJson(const Totals &T) {
  json Result = {{"projects", T.Projects},
                 {"use_cuda", T.WithCuda},
                 {"copy_explicitly", T.Explicit},
                 {"candidate", T.Candidate},
                 {"copy_only", T.CopyOnly},
                 {"mixed", T.Mixed},
                 {"share_memory_only", T.SharedOnly},
                 {"copies", T.Copies},
                 {"copies_in_pairs", T.LinkedCopies},
                 {"idioms", toJson(T.Idioms)},
                 {"host_memory", toJson(T.HostMemory)},
                 {"device_memory", toJson(T.DeviceMemory)}};
  for (PairClass C : {PairClass::Candidate, PairClass::Open, PairClass::Value,
                      PairClass::Shared})
    Result["pairs"][wordOf(C)] = T.Pairs[size_t(C)];
  for (Coverage C : {Coverage::Full, Coverage::Partial, Coverage::Unclear})
    Result["coverage"][wordOf(C)] = T.Coverage[size_t(C)];
  return Result;
}

std::string jsonReport(const SurveyResult &Result) {
  json Projects = json::array(), Failed = json::array();
  for (const Project &P : Result.Projects)
    Projects.push_back(toJson(P));
  for (const auto &[File, Why] : Result.Failed)
    Failed.push_back({{"file", File}, {"why", Why}});
  json All = {{"echo", ECHO_VERSION},
              {"paths", Result.Paths},
              {"files", Result.Files},
              {"seconds", Result.Seconds},
              {"totals", toJson(totalsOf(Result))},
              {"projects", Projects},
              {"failed", Failed}};
  if (Result.WithCompiler) {
    All["compiled"] = json::array();
    for (const Compiled &C : Result.Compilations)
      All["compiled"].push_back(toJson(C));
  }
  // Names in sources may be in any encoding.
  return All.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// \p Text as a field.
static std::string field(const std::string &Text) {
  if (Text.find_first_of(",\"\n") == std::string::npos)
    return Text;
  std::string Quoted = "\"";
  for (char C : Text)
    Quoted += C == '"' ? std::string("\"\"") : std::string(1, C);
  return Quoted + "\"";
}

std::string csvReport(const SurveyResult &Result) {
  std::string Text =
      "project,class,coverage,host,host_memory,host_file,host_line,device,"
      "device_memory,device_file,device_line,size,h2d,d2h,async,in_loop,rows,"
      "passed_in,copies\n";
  for (const Project &Project : Result.Projects)
    for (const Pair &P : Project.Pairs)
      Text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{:d},{:d},{:d},{:d},{:d},{:d},"
          "{}\n",
          field(Project.Name), wordOf(P.kind()), wordOf(P.Covers),
          field(P.Host.Name), infoOf(P.HostMemory).Word, field(P.Host.At.File),
          P.Host.At.Line, field(P.Device.Name), infoOf(P.DeviceMemory).Word,
          field(P.Device.At.File), P.Device.At.Line, field(P.Size.shortText()),
          P.H2D, P.D2H, P.Async, P.InLoop, P.Rows, P.PassedIn, P.Copies.size());
  return Text;
}

} // namespace echo::survey
