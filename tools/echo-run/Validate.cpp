//===- Validate.cpp - echo-run validate -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the program with the host buffers of pairs closed while the GPU could
// use them, and keeps what was seen in the plan. Pairs that pass may become one
// buffer. A program that behaves otherwise under validation gets no plan.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "lib/Dr/Verdicts.h"

#include <fmt/format.h>

namespace echo {

using namespace drtool;

bool validatePlan(Trials &T, Plan &P) {
  const Plan Watched = planToValidate(P);
  if (Watched.Pairs.empty()) {
    say("validate: no pair could be one buffer, there is nothing to validate");
    return true;
  }
  const Trials::Result R = T.run("validate", Watched);
  if (interrupted())
    return false;
  if (!R.Differs.empty()) {
    const std::string Why = "under validation " + R.Differs;
    rejectMerging(P, Why);
    for (PlanPair &Pair : P.Pairs)
      Pair.Disabled = Why;
    P.Enabled = false;
    P.Why = Why;
    say("validate: " + Why + ": the plan is rejected");
    return true;
  }
  takeVerdicts(P, R.Traces);
  for (const PlanPair &Pair : P.Pairs) {
    if (Pair.Validated)
      say(fmt::format("validate: pair {} passes, {} rounds of GPU work",
                      Pair.Id, Pair.Evidence.at("validated_rounds")));
    else if (Pair.Rejected)
      say(fmt::format("validate: pair {} stays two buffers: {}", Pair.Id,
                      *Pair.Rejected));
  }
  return true;
}

/// The plan of \p S for a command that works on it; prints why there is none.
static std::optional<Plan> planOf(const Subject &S,
                                  const std::vector<std::string> &Words) {
  StoredPlan Found = findPlan(S.L);
  std::string Why = Found.File.empty()  ? "there is no plan for this command"
                    : Found.Why.empty() ? whyNoInterposer()
                                        : Found.File + ": " + Found.Why;
  if (Why.empty())
    return std::move(Found.Found);
  say(fmt::format("error: {}; 'echo-run profile -- {}' and 'echo-run analyze' "
                  "make one",
                  Why, shellText(Words)));
  return std::nullopt;
}

static int validate(const ValidateOptions &O,
                    const std::vector<std::string> &Words) {
  std::optional<Subject> S = subjectOf(Words);
  if (!S)
    return 127;
  std::optional<Plan> P = planOf(*S, Words);
  if (!P)
    return 1;
  Trials T(*S, O.Limit);
  if (const std::string Why = T.runPlain(); !Why.empty()) {
    if (!interrupted())
      say("error: the program cannot be compared: " + Why);
    return 1;
  }
  if (!validatePlan(T, *P))
    return 1;
  P->Enabled = false; // what was calibrated was another plan
  for (PlanPair &Pair : P->Pairs)
    Pair.Chosen = Choice::Leave;
  if (!storePlan(*P, S->L))
    return 1;
  say("next: echo-run calibrate -- " + shellText(Words));
  return 0;
}

static int calibrate(const CalibrateOptions &O,
                     const std::vector<std::string> &Words) {
  std::optional<Subject> S = subjectOf(Words);
  if (!S)
    return 127;
  std::optional<Plan> P = planOf(*S, Words);
  if (!P)
    return 1;
  Trials T(*S, O.Limit);
  if (const std::string Why = T.runPlain(); !Why.empty()) {
    if (!interrupted())
      say("error: the program cannot be compared: " + Why);
    return 1;
  }
  if (!calibratePlan(T, *P, S->L, O) || !storePlan(*P, S->L))
    return 1;
  printSummary(*P);
  if (P->Enabled)
    say("next: echo-run " + shellText(Words));
  return 0;
}

int runValidate(const ValidateOptions &O,
                const std::vector<std::string> &Words) {
  return endIfStopped(validate(O, Words));
}

int runCalibrate(const CalibrateOptions &O,
                 const std::vector<std::string> &Words) {
  return endIfStopped(calibrate(O, Words));
}

} // namespace echo
