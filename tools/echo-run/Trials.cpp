//===- Trials.cpp - Runs of a program that are compared -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trials.h. Without Echo means mode profile where times are compared: both
// kinds of run then record, and only the plan differs.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "lib/Dr/Files.h"
#include "lib/Dr/Loop.h"

#include <fmt/format.h>

#include <filesystem>

namespace echo {

namespace fs = std::filesystem;
using namespace drtool;

static const char NotAgain[] = "the program cannot be run again";

TemporaryFolder::TemporaryFolder() {
  std::string Name = temporaryName();
  if (mkdtemp(Name.data()))
    Path = Name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code Error;
  if (!Path.empty())
    fs::remove_all(Path, Error);
}

std::string Trials::runPlain() {
  Plain = Runs.run(S.P, {}, Limit);
  if (!Plain.Started)
    Broken = Plain.Why;
  if (interrupted() || !Plain.Started)
    return Plain.Why.empty() ? "stopped" : Plain.Why;
  if (Plain.TimedOut)
    return fmt::format("it takes more than {} s", Limit);
  if (!Limit) // what hangs under Echo shall not hang echo-run
    Limit = unsigned(20 + 10 * Plain.Seconds);
  const Ended Again = Runs.run(S.P, {}, Limit);
  if (!Again.Started)
    Broken = Again.Why;
  if (interrupted() || !Again.Started)
    return Again.Why.empty() ? "stopped" : Again.Why;
  if (Again.Status != Plain.Status)
    return fmt::format("it ends with {} once and with {} once",
                       statusText(Plain.Status), statusText(Again.Status));
  SameOutput = Again.OutputHash == Plain.OutputHash;
  SameLines = Again.LinesHash == Plain.LinesHash;
  return "";
}

bool Trials::begin() {
  const std::string Why = runPlain();
  if (!Why.empty() && !interrupted())
    say("error: the program cannot be compared: " + Why);
  return Why.empty();
}

std::string Trials::freshTraces() {
  const std::string Folder = Files.at(fmt::format("traces.{}", Count++));
  std::error_code Error;
  fs::create_directories(Folder, Error);
  return Folder;
}

void Trials::breakOff(const char *What, std::string Why) {
  if (stopped())
    return;
  Broken = std::move(Why);
  say(fmt::format("error: {}: {}", What, Broken));
}

/// The lines of several processes come in any order, though they came in one
/// order twice.
bool Trials::wroteTheSame(const Ended &E, size_t Processes) const {
  if (SameOutput && Processes < 2)
    return E.OutputHash == Plain.OutputHash;
  return !SameLines || E.LinesHash == Plain.LinesHash;
}

Trials::Result Trials::judged(const Mode &M, const Ended &E, const Plan &P) {
  Result R;
  R.Seconds = E.Seconds;
  std::vector<std::string> Problems;
  R.Traces = readTraces(M.Traces, Problems);
  if (!E.Started) {
    breakOff(NotAgain, E.Why.empty() ? "it cannot be started" : E.Why);
  } else if (E.TimedOut) {
    R.Differs = fmt::format("it does not end within {} s", Limit);
  } else if (E.Status != Plain.Status) {
    R.Differs = fmt::format("it ends with {} instead of {}",
                            statusText(E.Status), statusText(Plain.Status));
  } else if (!wroteTheSame(E, R.Traces.size())) {
    R.Differs = "it writes something else";
  }
  const size_t Line = E.Errors.rfind("echo: ");
  if (Line != std::string::npos && (!Line || E.Errors[Line - 1] == '\n'))
    R.Said = E.Errors.substr(Line + 6, E.Errors.find('\n', Line) - Line - 6);
  uint64_t Longest = 0;
  bool Fits = false;
  for (const Trace &T : R.Traces) {
    if (T.ExecutableHash != P.Context.Executable.Hash)
      continue;
    Fits |= T.PlanFits.value_or(false);
    R.Refused |= !T.PlanFits.value_or(true);
    const Loop L = loopAt(T, P.LoopSite);
    if (L.Until - L.From > Longest) {
      Longest = L.Until - L.From;
      R.Loop = {L.period(), L.Undisturbed};
    }
  }
  R.Refused &= !Fits;
  return R;
}

Trials::Result Trials::profile(const std::string &Folder) {
  Mode M;
  M.Name = "profile";
  M.Traces = Folder;
  return judged(M, Runs.run(S.P, M, Limit), {});
}

Trials::Result Trials::run(const char *Name, const Plan &P) {
  if (!Files.isThere()) {
    breakOff(NotAgain, "no folder can be made in TMPDIR");
    return {};
  }
  Mode M;
  M.Name = Name;
  M.Traces = freshTraces();
  M.Plan = Files.at("plan.json");
  Result R;
  if (std::string Why = writeFile(M.Plan, planText(P)); !Why.empty())
    breakOff(NotAgain, std::move(Why));
  else
    R = judged(M, Runs.run(S.P, M, Limit), P);
  if (R.Refused)
    breakOff("nothing can be measured", R.Said);
  std::error_code Error;
  fs::remove_all(M.Traces, Error);
  return R;
}

int endIfStopped(int Status) {
  if (!interrupted())
    return Status;
  say("stopped; the old plan, if there is one, is as it was");
  return endLike(interrupted()); // as waitpid tells of a signal
}

bool storePlan(const Plan &P, const Launch &L) {
  const std::string File = planFile(L, P.Portable);
  const std::string Why = File.empty() ? NoPlace : writeFile(File, planText(P));
  if (!Why.empty())
    say("error: " + Why);
  return Why.empty();
}

} // namespace echo
