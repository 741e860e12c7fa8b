//===- Prepare.cpp - echo-run prepare -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that makes a plan, in one command: profile, analyze, validate,
// calibrate. The program's output is not shown: it runs many times, each time
// with the same input. A plan is stored only at the end; a stopped or failed
// preparation leaves the old one as it was.
//
//===----------------------------------------------------------------------===//
#include "Trials.h"

#include "Profile/Analysis.h"
#include "Profile/Report.h"

#include <fmt/format.h>

namespace echo {

using namespace drtool;

/// Profiles and analyzes. Empty if that cannot be done; the reason is printed.
static std::optional<Plan> firstPlan(Trials &T, const Subject &S,
                                     const std::string &Folder, bool Portable) {
  const Trials::Result Seen = T.profile(Folder);
  const std::string &Why = Seen.Differs;
  if (T.stopped())
    return std::nullopt;
  if (!Why.empty()) {
    say("error: profiled, the program behaves otherwise: " + Why);
    return std::nullopt;
  }
  const Profiled In = readProfiled(Folder);
  if (In.Traces.empty()) {
    say("error: no process wrote a trace: " +
        (Seen.Said.empty() ? "the program makes no CUDA call, is linked "
                             "statically, or has more rights than you"
                           : Seen.Said));
    return std::nullopt;
  }
  const Analysis A = analyze(In.Traces);
  showText(reportText(A, In.Traces));
  fflush(stdout);
  return makePlan(A, In.Traces, S.L, Portable);
}

static int prepare(const PrepareOptions &O,
                   const std::vector<std::string> &Words) {
  int Status = 0;
  std::optional<Subject> S = subjectToPlan(Words, Status);
  if (!S)
    return Status;
  const std::string Folder = traceFolder(S->L);
  Turn Mine;
  if (const std::string Why = prepareTraceFolder(Folder, S->L, Mine);
      !Why.empty()) {
    say("error: " + Why);
    return 1;
  }
  Trials T(*S, O.Calibrate.Limit);
  say("1 of 4: the program as it is");
  if (!T.begin())
    return 1;
  say(fmt::format("it takes {:.1f} s and ends with {}", T.plain().Seconds,
                  statusText(T.plain().Status)));
  say("2 of 4: profile");
  std::optional<Plan> P = firstPlan(T, *S, Folder, O.Portable);
  if (T.stopped() || !P)
    return 1;
  if (P->Pairs.empty()) {
    say(P->Why + "; 'echo-run report' says what was seen");
    return storePlan(*P, S->L) ? 0 : 1;
  }
  if (!T.settled(*P))
    return 1;
  say("3 of 4: validate");
  if (!validatePlan(T, *P))
    return 1;
  say("4 of 4: calibrate");
  if (!calibratePlan(T, *P, S->L, O.Calibrate))
    return 1;
  if (!storePlan(*P, S->L))
    return 1;
  printSummary(*P);
  fflush(stdout);
  say(P->Enabled ? "next: echo-run " + shellText(Words)
                 : "the program runs unchanged; 'echo-run report' says what "
                   "was seen");
  return 0;
}

int runPrepare(const PrepareOptions &O, const std::vector<std::string> &Words) {
  return endIfStopped(prepare(O, Words));
}

} // namespace echo
