//===- Elsewhere.cpp - The first use of a portable plan on a host ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What pays on one machine may cost on another, and what validation saw, it saw
// there. Who prepared a portable plan asked for it to be measured wherever it
// is used: the program is validated and calibrated here before it runs, and
// this host gets a plan of its own. Never where the runs could take what is the
// program's: its input, its output, or its place among processes that were
// started together.
//
//===----------------------------------------------------------------------===//
#include "Processes.h"
#include "Trials.h"

#include "Profile/Surroundings.h"

#include <fmt/format.h>

#include <csignal>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace echo {

using namespace drtool;

bool isElsewhere(const StoredPlan &S, const Launch &L) {
  return S.Found && S.Why.empty() && S.Found->Enabled && S.Found->Portable &&
         !isOfMachine(*S.Found, L);
}

/// True if nothing that is read from standard input is lost to anybody.
static bool inputIsNobodys() {
  struct stat S;
  if (fstat(STDIN_FILENO, &S) != 0)
    return false;
  return isatty(STDIN_FILENO) ||
         (S_ISCHR(S.st_mode) && S.st_rdev == makedev(1, 3)); // /dev/null
}

bool mayCalibrateByItself() {
  // What cannot be kept would be measured each time.
  return inputIsNobodys() && !isOneOfMany() && whyNoInterposer().empty() &&
         access(planFolder().c_str(), W_OK) == 0;
}

namespace {
/// Runs of the program leave this signal as it was: the program comes next.
class KeptAlarm {
  struct sigaction Was = {};

public:
  KeptAlarm() { sigaction(SIGALRM, nullptr, &Was); }
  ~KeptAlarm() { sigaction(SIGALRM, &Was, nullptr); }
  KeptAlarm(const KeptAlarm &) = delete;
  KeptAlarm &operator=(const KeptAlarm &) = delete;
};
} // namespace

/// Validates and calibrates \p P. False if that says nothing of the program:
/// nothing is to be kept.
static bool measure(const Subject &S, Plan &P) {
  Trials T(S, 0);
  if (const std::string Why = T.runPlain(); !Why.empty()) {
    P.Enabled = false;
    P.Why = "the program cannot be compared: " + Why;
    if (!T.broken().empty())
      say("error: " + P.Why);
    return !T.stopped();
  }
  const Trials::Result Seen = T.run("profile", P);
  takeSurroundings(P.Context, Seen.Traces);
  for (const Trace &Each : Seen.Traces)
    if (Each.ExecutableHash == P.Context.Executable.Hash) {
      P.Context.Device = Each.Device;
      P.Context.Uuid = Each.Uuid;
      P.Context.Driver = Each.Driver;
      P.Context.Runtime = Each.Runtime;
    }
  if (!T.stopped() && T.settled(P) && validatePlan(T, P))
    calibratePlan(T, P, S.L, {});
  return !T.stopped();
}

StoredPlan calibrateHere(const Subject &S, const StoredPlan &Portable) {
  Turn Mine; // to calibrate the plan of this file
  const bool IsMine = Mine.take(Portable.File);
  StoredPlan Now = findPlan(S.L);
  if (!IsMine || !isElsewhere(Now, S.L))
    return Now; // another process does it, or was faster
  const KeptAlarm Kept;
  say(fmt::format(
      "the plan was calibrated on {}: first, it is measured here, as "
      "--portable asked for; this runs the program several times, unseen",
      Now.Found->CalibratedOn));
  Plan P = *Now.Found;
  P.Portable = false;
  noteLaunch(P.Context, S.L, false);
  P.CalibratedOn = S.L.Host;
  if (!measure(S, P))
    return Now;
  storePlan(P, S.L);
  say("measured here: " + P.Why);
  Now.File = planFile(S.L, false);
  Now.Found = P;
  return Now;
}

} // namespace echo
