//===- Run.cpp - echo-run run ---------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Becomes the program: with its plan if there is an enabled one that fits, else
// unchanged, with one line that says why.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include <fmt/format.h>

namespace echo {

std::optional<Subject> subjectOf(const std::vector<std::string> &Words) {
  std::string Why;
  std::optional<Program> P = findProgram(Words, Why);
  if (!P) {
    say("error: " + Why);
    return std::nullopt;
  }
  drtool::Launch L =
      drtool::describeLaunch(P->Path, P->arguments(), interposerPath());
  return Subject{std::move(*P), std::move(L)};
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

int runRun(const RunOptions &O, const std::vector<std::string> &Words) {
  std::optional<Subject> S = subjectOf(Words);
  if (!S)
    return 127;
  drtool::StoredPlan Plan =
      O.Plan.empty() ? drtool::findPlan(S->L) : drtool::readPlan(O.Plan);
  if (!O.Plan.empty() && Plan.Found)
    Plan.Why = drtool::whyNotFor(*Plan.Found, S->L);
  if (O.Plan.empty() && !O.Quiet && isElsewhere(Plan, S->L) &&
      mayCalibrateByItself()) {
    Plan = calibrateHere(*S, Plan);
    if (interrupted())
      return endIfStopped(0);
  }
  if (Plan.File.empty()) {
    if (!O.Quiet)
      say("no plan for this command, it runs unchanged; 'echo-run prepare -- " +
          shellText(Words) + "' makes one");
    return becomeProgram(S->P, {});
  }
  if (const std::string Why = whyUnused(Plan, *S); !Why.empty()) {
    if (!O.Quiet)
      say(fmt::format("the program runs unchanged, the plan {} is not used: {}",
                      Plan.File, Why));
    return becomeProgram(S->P, {});
  }
  Mode M;
  M.Name = "optimize";
  M.Plan = Plan.File;
  M.Watch = O.Watch;
  return becomeProgram(S->P, M);
}

} // namespace echo
