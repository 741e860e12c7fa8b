//===- Run.cpp - echo-run run ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Becomes the program: with its plan if there is an enabled one that fits, else
// unchanged, with one line that says why.
//
//===----------------------------------------------------------------------===//
#include "Processes.h"
#include "Trials.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>

namespace echo {

std::optional<Subject> subjectOf(const std::vector<std::string> &Words,
                                 int &Status) {
  std::string Why;
  std::optional<Program> P = findProgram(Words, Why, Status);
  if (!P) {
    say("error: " + Why);
    return std::nullopt;
  }
  drtool::Launch L =
      drtool::describeLaunch(P->Path, P->arguments(), interposerPath());
  return Subject{std::move(*P), std::move(L)};
}

std::optional<Subject> subjectToPlan(const std::vector<std::string> &Words,
                                     int &Status) {
  std::optional<Subject> S = subjectOf(Words, Status);
  if (!S)
    return std::nullopt;
  std::string Why = whyNoInterposer();
  if (Why.empty())
    Why = drtool::whyNotKept(S->L);
  if (Why.empty())
    return S;
  say("error: " + Why);
  Status = 1;
  return std::nullopt;
}

/// Why \p S cannot be used; empty if it can.
static std::string whyUnused(const drtool::StoredPlan &S, const Subject &On) {
  if (!S.Why.empty())
    return S.Why;
  if (!S.Found->Enabled)
    return S.Found->Why;
  // What pays on one machine may cost on another.
  if (isElsewhere(S, On.L))
    return "it was calibrated on " + S.Found->CalibratedOn +
           "; 'echo-run calibrate -- " + shellText(On.P.Words) +
           "' measures it here";
  return whyNoInterposer();
}

/// The plan of \p S. Whatever goes wrong here, the program is run.
static drtool::StoredPlan planFor(const Subject &S, const RunOptions &O) try {
  drtool::StoredPlan Plan =
      O.Plan.empty() ? drtool::findPlan(S.L) : drtool::readPlan(O.Plan);
  if (!O.Plan.empty() && Plan.Found)
    Plan.Why = drtool::whyNotFor(*Plan.Found, S.L);
  if (O.Plan.empty() && !O.Quiet && isElsewhere(Plan, S.L) &&
      mayCalibrateByItself())
    Plan = calibrateHere(S, Plan);
  return Plan;
} catch (const std::exception &Error) {
  drtool::StoredPlan None;
  None.File = O.Plan.empty() ? "of this command" : O.Plan;
  None.Why = Error.what();
  return None;
}

int runRun(const RunOptions &O, const std::vector<std::string> &Words) {
  int Status = 0;
  const uint64_t Began = timeOfDay();
  std::optional<Subject> S = subjectOf(Words, Status);
  if (!S)
    return Status == Wrong ? RunFailed : Status;
  drtool::StoredPlan Plan = planFor(*S, O);
  if (interrupted())
    return endIfStopped(0);
  if (Plan.File.empty()) {
    if (!O.Quiet && speaksForAll())
      say("no plan for this command, it runs unchanged; 'echo-run prepare -- " +
          shellText(Words) + "' makes one");
    return becomeProgram(S->P, {});
  }
  if (const std::string Why = whyUnused(Plan, *S); !Why.empty()) {
    if (!O.Quiet && speaksForHost())
      say(fmt::format("the program runs unchanged, the plan {} is not used: {}",
                      Plan.File, Why));
    return becomeProgram(S->P, {});
  }
  Mode M;
  M.Name = "optimize";
  std::error_code Error; // what is started may go to another folder
  M.Plan = std::filesystem::absolute(Plan.File, Error).string();
  M.Watch = O.Watch;
  M.Compared = Began;
  return becomeProgram(S->P, M);
}

} // namespace echo
