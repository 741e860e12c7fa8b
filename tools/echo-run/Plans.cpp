//===- Plans.cpp - echo-run plans -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, shows and removes plans. A plan is named by its file's name without
// the ending, or by the beginning of it that no other shares.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "Profile/Choosing.h"
#include "Profile/Files.h"
#include "Profile/Report.h"

#include <fmt/format.h>

#include <filesystem>

namespace echo {

namespace fs = std::filesystem;
using namespace drtool;

static std::string nameOf(const StoredPlan &S) {
  return fs::path(S.File).stem().string();
}

static std::string commandOf(const Plan &P) {
  std::vector<std::string> Words = {P.Context.Command.Path};
  Words.insert(Words.end(), P.Context.Arguments.begin(),
               P.Context.Arguments.end());
  return shellText(Words);
}

/// Why plans cannot be looked for; empty if they can. A folder that is not
/// there has none.
static std::string whyNoFolder() {
  if (planFolder().empty())
    return NoPlace;
  std::error_code Error;
  const fs::directory_iterator All(planFolder(), Error);
  return !Error || Error == std::errc::no_such_file_or_directory
             ? ""
             : planFolder() + ": " + Error.message();
}

int listPlans() {
  if (const std::string Why = whyNoFolder(); !Why.empty()) {
    say("error: " + Why);
    return 1;
  }
  const std::vector<StoredPlan> All = drtool::listPlans(planFolder());
  if (All.empty())
    show("no plans in {}\n", planFolder());
  for (const StoredPlan &S : All) {
    if (!S.Found) {
      show("{}  refused   {}\n", nameOf(S), S.Why);
      continue;
    }
    show("{}  {}  {}{}\n", nameOf(S),
         S.Found->Enabled ? "enabled " : "disabled", commandOf(*S.Found),
         S.Found->Portable ? "  (any host)" : "");
  }
  return 0;
}

/// The plan that \p Which names; prints why there is none.
static std::optional<StoredPlan> find(const std::string &Which) {
  if (const std::string Why = whyNoFolder(); !Why.empty()) {
    say("error: " + Why);
    return std::nullopt;
  }
  std::vector<StoredPlan> Matches;
  for (StoredPlan &S : drtool::listPlans(planFolder()))
    if (S.File == Which || nameOf(S).rfind(Which, 0) == 0)
      Matches.push_back(std::move(S));
  if (Matches.size() == 1 && !Which.empty())
    return std::move(Matches[0]);
  say(fmt::format("error: {} '{}'; 'echo-run plans list' shows all",
                  Matches.empty() ? "there is no plan" : "several plans match",
                  Which));
  return std::nullopt;
}

int showPlan(const std::string &Which) {
  const std::optional<StoredPlan> S = find(Which);
  if (!S)
    return 1;
  if (!S->Found) {
    say(fmt::format("error: {}: {}", S->File, S->Why));
    return 1;
  }
  const Plan &P = *S->Found;
  show("{}\ncommand   {}\nfor       {}, {}, driver {}, runtime {}{}\n{} "
       " {}\n",
       S->File, commandOf(P), P.Context.Executable.Path,
       P.Context.Device.empty() ? "device not known" : P.Context.Device,
       P.Context.Driver, P.Context.Runtime,
       P.Portable ? ", any host" : ", host " + P.Context.Host,
       P.Enabled ? "enabled " : "disabled", P.Why);
  for (const PlanPair &Pair : P.Pairs) {
    show("{:>3}  {:<9} {:<13} host {} device {}{}{}\n", Pair.Id,
         bytesText(Pair.Bytes), drplan::ChoiceWords[unsigned(Pair.Chosen)],
         hexText(Pair.HostSite), hexText(Pair.DeviceSite),
         Pair.Validated ? ", validated" : "",
         Pair.Disabled ? ", left alone: " + *Pair.Disabled : "");
    show("     open: {}\n", openText(Pair.Open));
    if (const std::string Text = provedText(Pair); !Text.empty())
      show("     {}\n", Text);
    if (Pair.Rejected)
      show("     stays two buffers: {}\n", *Pair.Rejected);
    for (const PlanCopy &C : Pair.Copies)
      show("     {} at {}, waits for {}\n", C.ToDevice ? "H2D" : "D2H",
           hexText(C.Site), drplan::WaitWords[unsigned(C.Needed)]);
  }
  return 0;
}

int removePlans(const std::vector<std::string> &Which, bool All) {
  std::vector<StoredPlan> Gone;
  if (Which.empty() && !All) {
    say("error: no plan is named; 'echo-run plans list' shows all, --all means "
        "all of them");
    return Wrong;
  }
  if (All) {
    if (const std::string Why = whyNoFolder(); !Why.empty()) {
      say("error: " + Why);
      return 1;
    }
    Gone = drtool::listPlans(planFolder());
    if (Gone.empty())
      show("no plans in {}\n", planFolder());
  }
  for (const std::string &Each : Which) {
    std::optional<StoredPlan> S = find(Each);
    if (!S)
      return 1;
    Gone.push_back(std::move(*S));
  }
  for (const StoredPlan &S : Gone) {
    std::error_code Error;
    fs::remove(S.File, Error);
    if (Error) {
      say(fmt::format("error: cannot remove {}: {}", S.File, Error.message()));
      return 1;
    }
    show("removed {}\n", S.File);
  }
  return 0;
}

} // namespace echo
