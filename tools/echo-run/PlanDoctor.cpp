//===- PlanDoctor.cpp - echo-run doctor -- PROGRAM ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows the key of a command's plan part by part: what fits, and each thing
// that does not. What only the program's process can compare is named, not
// guessed.
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Doctor.h"

#include <fmt/format.h>

namespace echo {

using namespace drtool;

static std::string knownBy(const Plan &P) {
  const PlanContext &C = P.Context;
  return fmt::format("{}{}, driver {}, CUDA runtime {}",
                     C.Device.empty() ? "not known" : C.Device,
                     C.Uuid.empty() ? "" : ", UUID " + C.Uuid, C.Driver,
                     C.Runtime ? std::to_string(C.Runtime) : "not known");
}

int explainPlan(const std::vector<std::string> &Words) {
  int Status = 0;
  const std::optional<Subject> S = subjectOf(Words, Status);
  if (!S)
    return Status;
  const StoredPlan Stored = findPlan(S->L);
  if (Stored.File.empty()) {
    show("no plan for this command; 'echo-run prepare -- {}' makes one\n",
         shellText(Words));
    return 1;
  }
  show("plan {}\n", Stored.File);
  if (!Stored.Found) {
    show("  refused: {}\n", Stored.Why);
    return 1;
  }
  const Plan &P = *Stored.Found;
  bool Fits = true;
  for (const KeyPart &Part : compareKey(P, S->L)) {
    Fits &= Part.Problems.empty();
    show("  {:<8} {:<10} {}\n", Part.Problems.empty() ? "fits" : "differs",
         Part.Name, Part.Text);
    for (const std::string &Problem : Part.Problems)
      show("  {:<19} {}\n", "", Problem);
  }
  show("  {:<8} {:<10} {}: compared when the program first copies\n", "later",
       "device", knownBy(P));
  show("  {:<8} {:<10} {}: compared before two buffers become one\n", "later",
       "modules", P.Context.Modules.size());
  if (P.Context.Unseen)
    show("  not all is known: {}\n", *P.Context.Unseen);
  if (!P.Enabled)
    show("the plan is not enabled: {}\n", P.Why);
  else
    show("{}\n", Fits ? "the plan is used"
                      : "the plan is not used, the program runs unchanged");
  return Fits && P.Enabled ? 0 : 1;
}

} // namespace echo
