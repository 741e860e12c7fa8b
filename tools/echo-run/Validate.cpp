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

#include "Profile/Pairs.h"
#include "Profile/Surroundings.h"
#include "Profile/Verdicts.h"

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
  if (T.stopped())
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
  keepValidatedProcesses(P, R.Traces);
  P.Context.UsesInput = R.Calls.MayUseInput;
  addOpened(P.Context, R.Calls.Opened);
  if (R.Calls.Unkept)
    P.Context.Unseen = fmt::format("the program {}", R.Calls.Unkept);
  if (R.Calls.Unseen != dr::Reason::None)
    rejectValidated(P, fmt::format("the buffer dropped out: {}",
                                   reasonText(R.Calls.Unseen)));
  for (const PlanPair &Pair : P.Pairs) {
    if (Pair.Validated)
      say(fmt::format("validate: pair {} passes, {} windows of GPU work",
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

/// Does \p Work on the stored plan of the command \p Words, once the program
/// was seen as it is, and stores the plan. The exit status, and in \p P the
/// plan.
template <class WorkFn>
static int onPlanOf(const std::vector<std::string> &Words, unsigned Limit,
                    std::optional<Plan> &P, WorkFn Work) {
  int Status = 0;
  std::optional<Subject> S = subjectOf(Words, Status);
  if (!S)
    return Status;
  P = planOf(*S, Words);
  if (!P)
    return 1;
  if (P->Portable && !isOfMachine(*P, S->L)) {
    noteLaunch(P->Context, S->L, /*Portable=*/true);
    refreshSurroundings(P->Context);
  }
  Trials T(*S, Limit);
  return T.begin() && T.settled(*P) && Work(T, *S) && storePlan(*P, S->L) ? 0
                                                                          : 1;
}

static int validate(const ValidateOptions &O,
                    const std::vector<std::string> &Words) {
  std::optional<Plan> P;
  const int Status =
      onPlanOf(Words, O.Limit, P, [&](Trials &T, const Subject &) {
        if (!validatePlan(T, *P))
          return false;
        P->Enabled = false; // what was calibrated was another plan
        for (PlanPair &Pair : P->Pairs)
          Pair.Chosen = Choice::Leave;
        return true;
      });
  if (!Status)
    say("next: echo-run calibrate -- " + shellText(Words));
  return Status;
}

static int calibrate(const CalibrateOptions &O,
                     const std::vector<std::string> &Words) {
  std::optional<Plan> P;
  const int Status =
      onPlanOf(Words, O.Limit, P, [&](Trials &T, const Subject &S) {
        return calibratePlan(T, *P, S.L, O);
      });
  if (Status)
    return Status;
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
