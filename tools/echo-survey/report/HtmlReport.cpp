//===- HtmlReport.cpp - A survey as one page ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plots and tables in one file that runs no script and loads nothing. What
// comes from the surveyed files is escaped.
//
//===----------------------------------------------------------------------===//
#include "report/Plots.h"
#include "report/Reports.h"

#include <algorithm>
#include <fmt/format.h>

namespace echo::survey {

static const char *const Style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;"
    "padding:0 1rem;color:#1c2733;background:#fff}"
    "figure{margin:1.5rem 0}figcaption{font-weight:600}"
    "svg{width:100%;max-width:46rem;font-size:13px}svg rect{fill:#2f6f9f}"
    "svg text{fill:currentColor}"
    "table{border-collapse:collapse;width:100%;font-size:14px}"
    "th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ccd4dc}"
    "td.n,th.n{text-align:right}"
    "@media(prefers-color-scheme:dark){body{color:#dde5ec;background:#141a20}"
    "svg rect{fill:#6fb1e0}th,td{border-color:#36424e}}";

static std::string cell(unsigned N) {
  return fmt::format("<td class=\"n\">{}</td>", N);
}

static std::string uses(const Totals &T) {
  std::vector<Bar> Memory, Copies, Else;
  for (const IdiomInfo &I : allIdioms()) {
    auto It = T.Idioms.find(I.Id);
    if (It == T.Idioms.end())
      continue;
    const bool IsCopy =
        I.In == Group::Copy || I.In == Group::OtherCopy || I.In == Group::Trait;
    (IsCopy                 ? Copies
     : I.In == Group::Other ? Else
                            : Memory)
        .push_back({I.Word, It->second});
  }
  return barPlot("Allocations and buffers, by idiom", Memory) +
         barPlot("Copies", Copies) + barPlot("Other uses", Else);
}

static std::string prevalence(const Totals &T) {
  return barPlot("Prevalence, in projects",
                 {{"all", T.Projects},
                  {"use CUDA", T.WithCuda},
                  {"copy explicitly", T.Explicit},
                  {"hold a candidate pair", T.Candidate},
                  {"copy only", T.CopyOnly},
                  {"mixed", T.Mixed},
                  {"share memory only", T.SharedOnly}});
}

static std::string pairs(const Totals &T) {
  std::vector<Bar> Classes, Covers, Hosts;
  for (PairClass C : {PairClass::Candidate, PairClass::Open, PairClass::Value,
                      PairClass::Shared})
    Classes.push_back({wordOf(C), T.Pairs[size_t(C)]});
  for (Coverage C : {Coverage::Full, Coverage::Partial, Coverage::Unclear})
    Covers.push_back({wordOf(C), T.Coverage[size_t(C)]});
  for (const auto &[Id, Count] : T.HostMemory)
    Hosts.push_back({infoOf(Id).Word, Count});
  return barPlot("Pairs of buffers that copies link", Classes) +
         barPlot("Candidate pairs, by what a copy covers", Covers) +
         barPlot("Candidate pairs, by the host's memory", Hosts) +
         barPlot("Candidate pairs, by direction", {{"host to device", T.H2D},
                                                   {"device to host", T.D2H},
                                                   {"both", T.Both}});
}

static std::string projects(const SurveyResult &Result) {
  std::string Text =
      "<h2>Projects</h2>\n<table><tr><th>project</th><th class=\"n\">files</th>"
      "<th class=\"n\">copies</th><th class=\"n\">pairs</th>"
      "<th class=\"n\">candidates</th></tr>\n";
  for (const Project &P : Result.Projects)
    Text += fmt::format(
        "<tr><td>{}</td>{}{}{}{}</tr>\n", escaped(P.Name), cell(P.Files),
        cell(P.countOf(Idiom::CopyH2D) + P.countOf(Idiom::CopyD2H)),
        cell(unsigned(P.Pairs.size())), cell(P.pairs(PairClass::Candidate)));
  return Text + "</table>\n";
}

static std::string compiled(const SurveyResult &Result) {
  unsigned Surveyed = 0, Analyzed = 0, Merged = 0, Declined = 0;
  std::map<std::string, unsigned> Reasons;
  for (const Compiled &C : Result.Compilations) {
    if (!C.Compiles)
      continue;
    Surveyed += C.Surveyed;
    Analyzed += C.Analyzed;
    Merged += C.Merged + C.Guarded;
    Declined += C.Declined;
    for (const auto &[Id, Count] : C.Reasons)
      Reasons[Id] += Count;
  }
  std::vector<Bar> Bars;
  for (const auto &[Id, Count] : Reasons)
    Bars.push_back({Id, Count});
  std::sort(Bars.begin(), Bars.end(),
            [](const Bar &A, const Bar &B) { return A.Value > B.Value; });
  return "<h2>Compiled by echo-cc</h2>\n" +
         barPlot("Pairs of the files that compile", {{"surveyed", Surveyed},
                                                     {"analyzed", Analyzed},
                                                     {"merged", Merged},
                                                     {"declined", Declined}}) +
         barPlot("Reasons to decline", Bars);
}

static std::string failures(const SurveyResult &Result) {
  if (Result.Failed.empty())
    return {};
  std::string Text = "<h2>Files not read</h2>\n<table>";
  for (const auto &[File, Why] : Result.Failed)
    Text += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escaped(File),
                        escaped(Why));
  return Text + "</table>\n";
}

std::string htmlReport(const SurveyResult &Result) {
  const Totals T = totalsOf(Result);
  std::string Text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<title>Survey of CUDA programs</title><style>{}</style></head><body>\n"
      "<h1>Survey of CUDA programs</h1>\n<p>{} files of {} projects, by "
      "echo-survey {}. A candidate pair is a host buffer and a device buffer "
      "whose allocations are seen and that a copy links.</p>\n",
      Style, Result.Files, Result.Projects.size(), ECHO_VERSION);
  Text += prevalence(T) + pairs(T) + uses(T);
  if (Result.WithCompiler)
    Text += compiled(Result);
  return Text + projects(Result) + failures(Result) + "</body></html>\n";
}

} // namespace echo::survey
