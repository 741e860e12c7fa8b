//===- Analyze.cpp - echo-run analyze and report --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what was profiled. `analyze` makes the plan of it, which is not enabled
// before calibration; `report` shows it.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "Profile/Files.h"
#include "Profile/Report.h"

#include <fmt/format.h>

namespace echo {

using namespace drtool;

static Analysis analysisOf(const Profiled &In) {
  Analysis A = analyze(In.Traces);
  addEnergy(A, In.Traces, In.Energy);
  return A;
}

std::optional<Plan> analyzeFolder(const std::string &Folder, bool Portable,
                                  bool Print) {
  const Profiled In = readProfiled(Folder);
  if (In.Traces.empty()) {
    say(noTraceText(Folder));
    return std::nullopt;
  }
  if (!In.L) {
    say("error: " + Folder + " does not say what was profiled; profile again");
    return std::nullopt;
  }
  const Analysis A = analysisOf(In);
  if (Print)
    showText(reportText(A, In.Traces));
  Plan P = makePlan(A, In.Traces, *In.L, Portable);
  const std::string File = planFile(*In.L, Portable);
  if (const std::string Why = writeFile(File, planText(P)); !Why.empty()) {
    say("error: " + Why);
    return std::nullopt;
  }
  if (Print)
    say("plan written: " + File);
  return P;
}

/// The command that \p P is for, as the user would write it.
static std::string commandOf(const Plan &P) {
  std::vector<std::string> Words = {P.Context.Command.Path};
  Words.insert(Words.end(), P.Context.Arguments.begin(),
               P.Context.Arguments.end());
  return shellText(Words);
}

int runAnalyze(const AnalyzeOptions &O) {
  const std::string Folder = chosenTraceFolder(O.Folder);
  if (Folder.empty())
    return 1;
  std::optional<Plan> P = analyzeFolder(Folder, O.Portable, true);
  if (!P)
    return 1;
  if (!P->Pairs.empty())
    say("next: echo-run validate -- " + commandOf(*P));
  return 0;
}

static int writeTo(const std::string &File, const std::string &Text) {
  if (const std::string Why = writeFile(File, Text); !Why.empty()) {
    say("error: " + Why);
    return 1;
  }
  return 0;
}

int runReport(const ReportOptions &O) {
  const std::string Folder = chosenTraceFolder(O.Folder);
  if (Folder.empty())
    return 1;
  const Profiled In = readProfiled(Folder);
  if (In.Traces.empty()) {
    say(noTraceText(Folder));
    return 1;
  }
  const Analysis A = analysisOf(In);
  int Status = 0;
  if (!O.Html.empty())
    Status |= writeTo(O.Html, reportHtml(A, In.Traces));
  if (!O.Perfetto.empty())
    Status |= writeTo(O.Perfetto, perfettoJson(In.Traces));
  if (O.Json)
    showText(reportJson(A, In.Traces));
  else if (O.Html.empty() && O.Perfetto.empty())
    showText(reportText(A, In.Traces));
  return Status;
}

} // namespace echo
