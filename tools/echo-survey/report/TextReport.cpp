//===- TextReport.cpp - A survey for people -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Totals by idiom, prevalence, pairs, projects, and what could not be read.
//
//===----------------------------------------------------------------------===//
#include "report/Reports.h"

#include <algorithm>
#include <fmt/format.h>

namespace echo::survey {

/// The most lines of lists that may be long.
static constexpr size_t MaxLines = 12;

static std::string share(unsigned Part, unsigned All) {
  return All ? fmt::format("{} ({:.0f} %)", Part, 100.0 * Part / All)
             : fmt::format("{}", Part);
}

static std::string counts(const Counts &All) {
  std::string Text;
  for (const auto &[Id, Count] : All)
    Text += fmt::format("{}{} {}", Text.empty() ? "" : ", ", infoOf(Id).Word,
                        Count);
  return Text;
}

static std::string prevalence(const Totals &T) {
  std::string Text = "\nPrevalence, in projects:\n";
  auto Line = [&](const char *Name, unsigned N) {
    Text += fmt::format("  {:<34} {}\n", Name, share(N, T.Projects));
  };
  Line("use CUDA", T.WithCuda);
  Line("copy explicitly", T.Explicit);
  Line("hold a candidate pair", T.Candidate);
  Line("copy only", T.CopyOnly);
  Line("mixed: copy and share memory", T.Mixed);
  Line("share memory only", T.SharedOnly);
  return Text;
}

static std::string pairs(const Totals &T) {
  const unsigned All = T.Pairs[0] + T.Pairs[1] + T.Pairs[2] + T.Pairs[3];
  const unsigned Candidates = T.Pairs[size_t(PairClass::Candidate)];
  std::string Text = fmt::format("\nPairs: {}\n", All);
  for (PairClass C : {PairClass::Candidate, PairClass::Open, PairClass::Value,
                      PairClass::Shared})
    Text +=
        fmt::format("  {:<34} {}\n", wordOf(C), share(T.Pairs[size_t(C)], All));
  Text += "Of the candidates:\n";
  auto Line = [&](const char *Name, unsigned N) {
    Text += fmt::format("  {:<34} {}\n", Name, share(N, Candidates));
  };
  Line("full", T.Coverage[size_t(Coverage::Full)]);
  Line("partial", T.Coverage[size_t(Coverage::Partial)]);
  Line("unclear", T.Coverage[size_t(Coverage::Unclear)]);
  Line("host to device only", T.H2D);
  Line("device to host only", T.D2H);
  Line("both directions", T.Both);
  Line("with a copy in a stream", T.Async);
  Line("with a copy in a loop", T.InLoop);
  Line("with a side that is passed in", T.PassedIn);
  Text += fmt::format("  host memory: {}\n  device memory: {}\n",
                      counts(T.HostMemory), counts(T.DeviceMemory));
  return Text +
         fmt::format("Copies between host and device: {}, in a pair: {}\n",
                     T.Copies, share(T.LinkedCopies, T.Copies));
}

static std::string projects(const SurveyResult &Result) {
  std::string Text =
      fmt::format("\n{:<36} {:>5} {:>6} {:>6} {:>9} {:>5}\n", "Project",
                  "files", "copies", "pairs", "candidate", "full");
  for (const Project &P : Result.Projects) {
    const auto Full =
        std::count_if(P.Pairs.begin(), P.Pairs.end(), [](const Pair &Each) {
          return Each.kind() == PairClass::Candidate &&
                 Each.Covers == Coverage::Full;
        });
    Text +=
        fmt::format("{:<36} {:>5} {:>6} {:>6} {:>9} {:>5}\n", P.Name, P.Files,
                    P.countOf(Idiom::CopyH2D) + P.countOf(Idiom::CopyD2H),
                    P.Pairs.size(), P.pairs(PairClass::Candidate), Full);
  }
  return Text;
}

static std::string notRead(const SurveyResult &Result, const Totals &T) {
  std::string Text;
  unsigned Errors = 0;
  for (const Project &P : Result.Projects)
    Errors += P.FilesWithErrors;
  if (Errors)
    Text += fmt::format("\nFiles with errors, read as far as they can be: {}\n",
                        Errors);
  std::vector<std::pair<unsigned, std::string>> Headers;
  for (const auto &[Name, Count] : T.MissingHeaders)
    Headers.push_back({Count, Name});
  std::sort(Headers.rbegin(), Headers.rend());
  if (!Headers.empty())
    Text += fmt::format("\nHeaders not found, left out: {}\n", Headers.size());
  for (size_t N = 0; N < Headers.size() && N < MaxLines; ++N)
    Text += fmt::format("  {:<34} in {} projects\n", Headers[N].second,
                        Headers[N].first);
  if (!Result.Failed.empty())
    Text += fmt::format("\nFiles not read: {}\n", Result.Failed.size());
  for (const auto &[File, Why] : Result.Failed)
    Text += fmt::format("  {}: {}\n", File, Why);
  return Text;
}

std::string textReport(const SurveyResult &Result) {
  const Totals T = totalsOf(Result);
  std::string Text =
      fmt::format("{} files of {} projects, {:.1f} s\n\nUses, in all files:\n",
                  Result.Files, Result.Projects.size(), Result.Seconds);
  for (const IdiomInfo &I : allIdioms())
    if (auto It = T.Idioms.find(I.Id); It != T.Idioms.end())
      Text += fmt::format("  {:<16} {:>6}   {}\n", I.Word, It->second, I.Text);
  Text += prevalence(T) + pairs(T) + projects(Result);
  if (Result.WithCompiler)
    Text += compiledText(Result);
  return Text + notRead(Result, T);
}

} // namespace echo::survey
